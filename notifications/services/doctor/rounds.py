"""All checks in their order."""

import logging
from collections.abc import Callable, Iterator

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from notifications.services.doctor.case import Case
from notifications.services.doctor.dkim import dkim
from notifications.services.doctor.dmarc import dmarc
from notifications.services.doctor.domains import exchangers, reply_domain
from notifications.services.doctor.findings import Finding, fail, warn
from notifications.services.doctor.incoming import listener
from notifications.services.doctor.outgoing import server
from notifications.services.doctor.spf import spf
from notifications.services.doctor.trial import forget, mail_sent, round_trip
from notifications.services.doctor.zone import NotAsked
from notifications.services.outbox.verdicts import words

log = logging.getLogger(__name__)

Check = Callable[[Case], Finding]

CHECKS: tuple[tuple[Promise, Check], ...] = (
    (_("Server out"), server),
    (_("Listener in"), listener),
    (_("Mail sent"), mail_sent),
    (_("Round trip"), round_trip),
    (_("Reply domain"), reply_domain),
    (_("MX"), exchangers),
    (_("SPF"), spf),
    (_("DKIM"), dkim),
    (_("DMARC"), dmarc),
)


def examine(case: Case) -> Iterator[tuple[str, Finding]]:
    """Do every check; yield its name and what it found, in the active language."""
    try:
        for name, check in CHECKS:
            yield str(name), _found(check, case)
    finally:
        forget(case)


def _found(check: Check, case: Case) -> Finding:
    try:
        return check(case)
    except NotAsked as error:
        said = _("DNS could not be asked (%(why)s).") % {"why": error}
        return warn(str(said), str(_("Try again from a machine that reaches a DNS server.")))
    except Exception as error:
        log.debug("a check broke off", exc_info=True)
        said = _("This could not be checked: %(why)s") % {"why": words(error)}
        return fail(str(said), str(_("Mend that first, then ask again.")))
