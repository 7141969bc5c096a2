"""SPF: who may send mail with our envelope (RFC 7208)."""

from django.utils.translation import gettext as _

from notifications.services.mail_checks.context import CheckContext
from notifications.services.mail_checks.dns_lookups import is_local
from notifications.services.mail_checks.domains import not_public
from notifications.services.mail_checks.findings import Finding, fail, ok, warn
from notifications.services.mail_checks.spf_record import (
    MOST_LOOKUPS,
    BadSpfRecord,
    Policy,
    records_of,
)


def spf(case: CheckContext) -> Finding:
    """Ask for the record of the envelope's domain, and whether it names us."""
    domain = case.reply_domain
    if is_local(domain):
        return not_public(domain)
    said: dict[str, object] = {"domain": domain}
    records = records_of(case.zone, domain)
    if not records:
        mend = _("Add a TXT record to %(domain)s, such as: v=spf1 mx -all") % said
        return fail(_("%(domain)s has no SPF record.") % said, mend)
    if len(records) > 1:
        mend = _("Join them to one: receivers count several as none.")
        return fail(_("%(domain)s has several SPF records.") % said, mend)
    policy = Policy(case.zone, case.ip)
    try:
        result = policy.check(domain)
    except BadSpfRecord as error:
        mend = _("Correct the record: %(record)s") % {"record": records[0]}
        return fail(_("The SPF record cannot be used: %(why)s") % {"why": error}, mend)
    return _judged(result, policy.lookups, {**said, "ip": case.ip, "record": records[0]})


def _judged(result: str, lookups: int, said: dict[str, object]) -> Finding:
    said = {**said, "lookups": lookups, "most": MOST_LOOKUPS}
    if lookups > MOST_LOOKUPS:
        mend = _("Name addresses (ip4:, ip6:) instead of includes.")
        many = _("The SPF record asks DNS %(lookups)s times; %(most)s is the most.")
        return fail(many % said, mend)
    if _lets_anybody(str(said["record"])):
        mend = _("End it with “-all” or “~all”.")
        return warn(_("The SPF record lets anybody send as %(domain)s.") % said, mend)
    if not said["ip"]:
        mend = _("Say --ip ADDRESS (where your mail leaves from) to see whether it is named.")
        return ok(_("%(domain)s has one SPF record: %(record)s") % said + " " + mend)
    if result != "pass":
        mend = _("Add ip4:%(ip)s (ip6: for IPv6) to the record: %(record)s") % said
        return fail(_("The SPF record of %(domain)s does not name %(ip)s.") % said, mend)
    return ok(_("The SPF record of %(domain)s names %(ip)s.") % said)


def _lets_anybody(record: str) -> bool:
    return any(word in ("all", "+all") for word in record.lower().split())
