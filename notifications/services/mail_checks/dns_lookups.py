"""DNS lookups, and the names of domains."""

import re
from collections.abc import Sequence
from typing import Any

from dns.exception import DNSException
from dns.name import EmptyLabel, LabelTooLong, NameTooLong
from dns.resolver import NXDOMAIN, NoAnswer, Resolver

TIMEOUT = 5.0
"""Seconds for one question, all its tries together."""

LOCAL = ("localhost", "local", "test", "internal", "lan", "example", "invalid")
"""Top-level domains that public DNS does not know."""

LONGEST_DOMAIN = 253
_LABEL = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?", re.IGNORECASE | re.ASCII)


def is_domain(name: str) -> bool:
    """Tell whether this can be the name of a domain (RFC 1035, ASCII)."""
    return len(name) <= LONGEST_DOMAIN and all(map(_LABEL.fullmatch, name.split(".")))


def is_local(domain: str) -> bool:
    """Tell whether a domain is known only on one machine or in one network."""
    return domain.lower().rstrip(".").rpartition(".")[2] in LOCAL


class DnsUnavailable(Exception):
    """DNS gave no answer, not even that there is no record."""


class DnsResolver:
    """Asks DNS. Without a resolver every lookup raises DnsUnavailable."""

    def __init__(self, resolver: Resolver | None) -> None:
        self._resolver = resolver

    @classmethod
    def of_this_machine(cls) -> "DnsResolver":
        """Return the resolver that this machine is configured for, if there is one."""
        try:
            return cls(Resolver())
        except (DNSException, OSError):
            return cls(None)

    def texts(self, name: str) -> list[str]:
        """Return the TXT records of a name, each joined. Raises DnsUnavailable."""
        records = self._lookup(name, "TXT")
        return [b"".join(record.strings).decode("utf-8", "replace") for record in records]

    def mail_servers(self, name: str) -> list[str]:
        """Return the hosts of a domain's MX records, in order; "" is the "null MX"."""
        found = sorted(self._lookup(name, "MX"), key=lambda record: record.preference)
        return [str(record.exchange).rstrip(".") for record in found]

    def addresses(self, name: str) -> list[str]:
        """Return the IPv4 and IPv6 addresses of a host. Raises DnsUnavailable."""
        return [str(one) for kind in ("A", "AAAA") for one in self._lookup(name, kind)]

    def _lookup(self, name: str, kind: str) -> Sequence[Any]:
        if self._resolver is None:
            raise DnsUnavailable("no resolver")
        try:
            return list(self._resolver.resolve(name, kind, search=False, lifetime=TIMEOUT))
        except (NXDOMAIN, NoAnswer, EmptyLabel, LabelTooLong, NameTooLong):
            return []
        except (DNSException, OSError) as error:
            raise DnsUnavailable(type(error).__name__) from error
