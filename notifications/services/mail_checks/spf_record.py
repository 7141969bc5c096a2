"""Reads SPF records as receivers do: what they name, and how often that asks DNS."""

from ipaddress import ip_address, ip_network

from django.utils.translation import gettext as _

from notifications.services.mail_checks.dns_lookups import DnsResolver

MOST_LOOKUPS = 10
"""RFC 7208, 4.6.4: a record that needs more is an error."""

STOP_AT = 40
"""Lookups after which it is plain that there are too many."""

_RESULTS = {"+": "pass", "-": "fail", "~": "softfail", "?": "neutral"}
_ASKING = ("include", "a", "mx", "ptr", "exists", "redirect")
_KNOWN = ("all", "ip4", "ip6", "exp", *_ASKING)


class BadSpfRecord(Exception):
    """A record that receivers call a permanent error."""


def records_of(zone: DnsResolver, domain: str) -> list[str]:
    """Return the SPF records of a domain. Raises NotAsked."""
    texts = zone.texts(domain)
    return [text for text in texts if text.lower() == "v=spf1" or text.lower()[:7] == "v=spf1 "]


class Policy:
    """Asks whether an address may send. All of a record is counted, even behind what matches."""

    def __init__(self, zone: DnsResolver, ip: str) -> None:
        self._zone = zone
        self._ip = ip_address(ip) if ip else None
        self.lookups = 0

    def check(self, domain: str) -> str:
        """Return pass, fail, softfail or neutral. Raises BadRecord, NotAsked."""
        records = records_of(self._zone, domain)
        if len(records) != 1:
            raise BadSpfRecord(_("%(domain)s has no record of its own") % {"domain": domain})
        found, redirect = "", ""
        for term in records[0].split()[1:]:
            result, name, value = _parted(term)
            self._count(name)
            if name == "redirect":
                redirect = value
            elif self._matches(name, value, domain) and not found:
                found = result
        if redirect and not found:
            return self.check(redirect)
        return found or "neutral"

    def _count(self, name: str) -> None:
        self.lookups += name in _ASKING

    def _matches(self, name: str, value: str, domain: str) -> bool:
        if name == "all":
            return True
        if name in ("ip4", "ip6"):
            return self._is_in(value)
        if self.lookups > STOP_AT or name not in ("a", "mx", "include"):
            return False
        if name == "include":
            return self.check(value) == "pass"
        return self._is_host(name, value, domain)

    def _is_host(self, name: str, value: str, domain: str) -> bool:
        host, _slash, bits = (value or domain).partition("/")
        host = host or domain
        if "%" in host or self._ip is None:
            return False
        hosts = self._zone.exchangers(host) if name == "mx" else [host]
        found = [one for exchanger in hosts for one in self._zone.addresses(exchanger)]
        width = bits.partition("/")[0] if self._ip.version == 4 else bits.rpartition("/")[2]  # noqa: PLR2004
        return any(self._is_in(f"{one}/{width}" if width else one) for one in found)

    def _is_in(self, network: str) -> bool:
        try:
            named = ip_network(network, strict=False)
        except ValueError as error:
            raise BadSpfRecord(str(error)) from error
        return self._ip is not None and self._ip.version == named.version and self._ip in named


def _parted(term: str) -> tuple[str, str, str]:
    """Return the result, the name and the value of a term. Raises BadRecord."""
    result = _RESULTS.get(term[0], "pass")
    bare = term.lstrip("+-~?") if term[0] in _RESULTS else term
    cut = min((at for at in map(bare.find, ":=/") if at >= 0), default=len(bare))
    name, value = bare[:cut].lower(), bare[cut:].lstrip(":=")
    if name not in _KNOWN and "=" not in bare:
        raise BadSpfRecord(_("“%(term)s” means nothing") % {"term": term})
    return result, name, value
