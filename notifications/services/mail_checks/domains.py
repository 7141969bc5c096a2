"""The domain that answers come to, and who takes its mail."""

import re

from django.conf import settings
from django.utils.translation import gettext as _

from notifications.services.mail_checks.context import CheckContext
from notifications.services.mail_checks.dns_lookups import is_local
from notifications.services.mail_checks.findings import Finding, fail, ok, warn

_LABEL = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?", re.IGNORECASE | re.ASCII)
LONGEST = 253


def reply_domain(case: CheckContext) -> Finding:
    """Look at the name itself."""
    domain, main = case.reply_domain, str(settings.MAIL_DOMAIN).lower()
    said = {"domain": domain, "main": main}
    if not is_domain(domain):
        mend = _("Set PLI_REPLY_DOMAIN to a name such as play.example.org.")
        return fail(_("“%(domain)s” is no domain.") % said, mend)
    if is_local(domain):
        mend = _("Set PLI_REPLY_DOMAIN to a domain of yours before you invite anybody.")
        return warn(
            _("“%(domain)s” is known only on this machine or in its own network.") % said, mend
        )
    if domain != main and not domain.endswith(f".{main}"):
        mend = _("Use %(main)s or a name below it, else receivers distrust our mail.") % said
        return warn(_("“%(domain)s” is not %(main)s nor below it.") % said, mend)
    return ok(_("Answers come to “%(domain)s”.") % said)


def is_domain(name: str) -> bool:
    """Tell whether this can be the name of a domain (RFC 1035, ASCII)."""
    return len(name) <= LONGEST and all(_LABEL.fullmatch(label) for label in name.split("."))


def exchangers(case: CheckContext) -> Finding:
    """Ask who takes the mail of the reply domain."""
    domain = case.reply_domain
    if is_local(domain):
        return not_public(domain)
    said = {"domain": domain}
    hosts = case.zone.exchangers(domain)
    if hosts == [""]:
        mend = _("Remove the record “MX 0 .” of %(domain)s and name your mail server.") % said
        return fail(_("%(domain)s says that it takes no mail at all.") % said, mend)
    mend = _("Add a record: %(domain)s. MX 10 and the name of your mail server.") % said
    if not hosts:
        if case.zone.addresses(domain):
            return warn(_("%(domain)s has no MX; mail goes to its address.") % said, mend)
        return fail(_("Nobody takes the mail of %(domain)s: it has no MX.") % said, mend)
    lost = [host for host in hosts if not case.zone.addresses(host)]
    if lost:
        mend = _("Give it an address (A or AAAA), or name another server.")
        return fail(_("The mail server %(host)s has no address.") % {"host": lost[0]}, mend)
    return ok(_("Mail to %(domain)s goes to %(hosts)s.") % {**said, "hosts": ", ".join(hosts)})


def not_public(domain: str) -> Finding:
    """Return that nobody outside can be asked about this domain."""
    return warn(_("Not asked: no public DNS knows “%(domain)s”.") % {"domain": domain})
