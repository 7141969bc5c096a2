"""All checks in their order."""

import logging
from collections.abc import Callable, Iterator

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from notifications.outbox.smtp import describe_error
from notifications.services.mail_checks.authentication import sender_check
from notifications.services.mail_checks.context import CheckContext
from notifications.services.mail_checks.dkim import dkim
from notifications.services.mail_checks.dmarc import dmarc
from notifications.services.mail_checks.dns_lookups import NotAsked
from notifications.services.mail_checks.domains import exchangers, reply_domain
from notifications.services.mail_checks.findings import Finding, fail, warn
from notifications.services.mail_checks.incoming import listener
from notifications.services.mail_checks.outgoing import server
from notifications.services.mail_checks.sample_mail import forget, mail_sent, round_trip
from notifications.services.mail_checks.spf import spf

log = logging.getLogger(__name__)

Check = Callable[[CheckContext], Finding]

CHECKS: tuple[tuple[Promise, Check], ...] = (
    (_("Server out"), server),
    (_("Listener in"), listener),
    (_("Mail sent"), mail_sent),
    (_("Round trip"), round_trip),
    (_("Sender check"), sender_check),
    (_("Reply domain"), reply_domain),
    (_("MX"), exchangers),
    (_("SPF"), spf),
    (_("DKIM"), dkim),
    (_("DMARC"), dmarc),
)


def run_checks(case: CheckContext) -> Iterator[tuple[str, Finding]]:
    """Do every check; yield its name and what it found, in the active language."""
    try:
        for name, check in CHECKS:
            yield str(name), _found(check, case)
    finally:
        forget(case)


def _found(check: Check, case: CheckContext) -> Finding:
    try:
        return check(case)
    except NotAsked as error:
        said = _("DNS could not be asked (%(why)s).") % {"why": error}
        return warn(str(said), str(_("Try again from a machine that reaches a DNS server.")))
    except Exception as error:
        log.debug("a check broke off", exc_info=True)
        said = _("This could not be checked: %(why)s") % {"why": describe_error(error)}
        return fail(str(said), str(_("Fix that first, then run the check again.")))
