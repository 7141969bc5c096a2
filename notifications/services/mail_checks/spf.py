"""SPF: which servers may send mail with our envelope (RFC 7208).

Records are read as receivers read them: what they name, and how many DNS lookups that needs.
"""

from ipaddress import ip_address, ip_network

from django.utils.translation import gettext as _

from notifications.services.mail_checks.base import CheckContext, Finding, fail, ok, warn
from notifications.services.mail_checks.dns_lookups import DnsResolver, is_local
from notifications.services.mail_checks.domain_records import not_public

MOST_LOOKUPS = 10
"""RFC 7208, 4.6.4: a record that needs more is an error."""

STOP_AT = 40
"""Lookups after which it is plain that there are too many."""

_RESULTS = {"+": "pass", "-": "fail", "~": "softfail", "?": "neutral"}
_TERMS_WITH_LOOKUP = ("include", "a", "mx", "ptr", "exists", "redirect")
_TERMS = ("all", "ip4", "ip6", "exp", *_TERMS_WITH_LOOKUP)


class BadSpfRecord(Exception):
    """A record that receivers call a permanent error."""


def check_spf(context: CheckContext) -> Finding:
    """Check the record of the envelope's domain, and whether it names our address."""
    domain = context.reply_domain
    if is_local(domain):
        return not_public(domain)
    values: dict[str, object] = {"domain": domain, "ip": context.ip, "most": MOST_LOOKUPS}
    records = spf_records(context.dns, domain)
    if not records:
        advice = _("Add a TXT record to %(domain)s, such as: v=spf1 mx -all") % values
        return fail(_("%(domain)s has no SPF record.") % values, advice)
    if len(records) > 1:
        advice = _("Merge them into one: receivers ignore several.")
        return fail(_("%(domain)s has several SPF records.") % values, advice)
    values["record"] = records[0]
    policy = SpfPolicy(context.dns, context.ip)
    try:
        result = policy.evaluate(domain)
    except BadSpfRecord as error:
        advice = _("Correct the record: %(record)s") % values
        return fail(_("The SPF record cannot be used: %(why)s") % {"why": error}, advice)
    values["lookups"] = policy.lookups
    if policy.lookups > MOST_LOOKUPS:
        advice = _("Name addresses (ip4:, ip6:) instead of includes.")
        many = _("The SPF record needs %(lookups)s DNS lookups; at most %(most)s are allowed.")
        return fail(many % values, advice)
    if any(word in ("all", "+all") for word in records[0].lower().split()):
        advice = _("End it with “-all” or “~all”.")
        return warn(_("The SPF record lets anybody send as %(domain)s.") % values, advice)
    if not context.ip:
        advice = _("Use --ip ADDRESS (where your mail leaves from) to see whether it is named.")
        return ok(_("%(domain)s has one SPF record: %(record)s") % values + " " + advice)
    if result != "pass":
        advice = _("Add ip4:%(ip)s (ip6: for IPv6) to the record: %(record)s") % values
        return fail(_("The SPF record of %(domain)s does not name %(ip)s.") % values, advice)
    return ok(_("The SPF record of %(domain)s names %(ip)s.") % values)


def spf_records(dns: DnsResolver, domain: str) -> list[str]:
    """Return the SPF records of a domain. Raises DnsUnavailable."""
    texts = dns.texts(domain)
    return [text for text in texts if text.lower() == "v=spf1" or text.lower()[:7] == "v=spf1 "]


class SpfPolicy:
    """Evaluates a record for an address, and counts the lookups of all of it, even behind a match.

    Without an address nothing matches but "all".
    """

    def __init__(self, dns: DnsResolver, ip: str) -> None:
        self._dns = dns
        self._ip = ip_address(ip) if ip else None
        self.lookups = 0

    def evaluate(self, domain: str) -> str:
        """Return pass, fail, softfail or neutral. Raises BadSpfRecord, DnsUnavailable."""
        records = spf_records(self._dns, domain)
        if len(records) != 1:
            raise BadSpfRecord(_("%(domain)s has no record of its own") % {"domain": domain})
        found, redirect = "", ""
        for term in records[0].split()[1:]:
            bare = term.lstrip("+-~?") if term[0] in _RESULTS else term
            cut = min((at for at in map(bare.find, ":=/") if at >= 0), default=len(bare))
            name, value = bare[:cut].lower(), bare[cut:].lstrip(":=")
            if name not in _TERMS and "=" not in bare:
                raise BadSpfRecord(_("“%(term)s” is not valid") % {"term": term})
            self.lookups += name in _TERMS_WITH_LOOKUP
            if name == "redirect":
                redirect = value
            elif self._matches(name, value, domain) and not found:
                found = _RESULTS.get(term[0], "pass")
        if redirect and not found:
            return self.evaluate(redirect)
        return found or "neutral"

    def _matches(self, name: str, value: str, domain: str) -> bool:
        if name == "all":
            return True
        if name in ("ip4", "ip6"):
            return self._is_in(value)
        if self.lookups > STOP_AT or name not in ("a", "mx", "include"):
            return False
        if name == "include":
            return self.evaluate(value) == "pass"
        # a or mx, with a domain and a prefix length for IPv4 and one for IPv6: a:host/24//64
        host, _slash, bits = (value or domain).partition("/")
        host = host or domain
        if "%" in host or self._ip is None:
            return False
        hosts = self._dns.mail_servers(host) if name == "mx" else [host]
        found = [address for one in hosts for address in self._dns.addresses(one)]
        width = bits.partition("/")[0] if self._ip.version == 4 else bits.rpartition("/")[2]  # noqa: PLR2004
        return any(self._is_in(f"{one}/{width}" if width else one) for one in found)

    def _is_in(self, network: str) -> bool:
        try:
            named = ip_network(network, strict=False)
        except ValueError as error:
            raise BadSpfRecord(str(error)) from error
        return self._ip is not None and self._ip.version == named.version and self._ip in named
