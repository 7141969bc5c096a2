"""All checks in their order."""

import logging
from collections.abc import Callable, Iterator

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from notifications.outbox.smtp import describe_error
from notifications.services.mail_checks.base import CheckContext, Finding, fail, warn
from notifications.services.mail_checks.dns_lookups import DnsUnavailable
from notifications.services.mail_checks.domain_records import (
    check_dkim,
    check_dmarc,
    check_mx,
    check_reply_domain,
)
from notifications.services.mail_checks.sample_mail import (
    check_round_trip,
    check_sender_results,
    check_sending,
    delete_sample,
)
from notifications.services.mail_checks.servers import check_listener, check_server_out
from notifications.services.mail_checks.spf import check_spf

log = logging.getLogger(__name__)

Check = Callable[[CheckContext], Finding]

CHECKS: tuple[tuple[Promise, Check], ...] = (
    (_("Server out"), check_server_out),
    (_("Listener in"), check_listener),
    (_("Mail sent"), check_sending),
    (_("Round trip"), check_round_trip),
    (_("Sender check"), check_sender_results),
    (_("Reply domain"), check_reply_domain),
    (_("MX"), check_mx),
    (_("SPF"), check_spf),
    (_("DKIM"), check_dkim),
    (_("DMARC"), check_dmarc),
)


def run_checks(context: CheckContext) -> Iterator[tuple[str, Finding]]:
    """Run every check; yield its name and what it found, in the active language."""
    try:
        for name, check in CHECKS:
            try:
                finding = check(context)
            except DnsUnavailable as error:
                said = _("The DNS query failed (%(why)s).") % {"why": error}
                advice = _("Try again from a machine that reaches a DNS server.")
                finding = warn(str(said), str(advice))
            except Exception as error:
                log.debug("a check raised an error", exc_info=True)
                said = _("This could not be checked: %(why)s") % {"why": describe_error(error)}
                finding = fail(str(said), str(_("Fix that first, then run the check again.")))
            yield str(name), finding
    finally:
        delete_sample(context)
