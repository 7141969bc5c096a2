"""What DNS says."""

from collections.abc import Sequence
from typing import Any

from dns.exception import DNSException
from dns.name import EmptyLabel, LabelTooLong, NameTooLong
from dns.resolver import NXDOMAIN, NoAnswer, Resolver

PATIENCE = 5.0
"""Seconds for one question, all its tries together."""

LOCAL = ("localhost", "local", "test", "internal", "lan", "example", "invalid")
"""Top-level domains that no public DNS knows anything of."""


class NotAsked(Exception):
    """DNS gave no answer, not even that there is nothing."""


class DnsResolver:
    """Asks DNS; without a resolver nothing can be asked."""

    def __init__(self, resolver: Resolver | None) -> None:
        self._resolver = resolver

    @classmethod
    def of_this_machine(cls) -> "DnsResolver":
        """Return the DNS that this machine is set up for, if it is for any."""
        try:
            return cls(Resolver())
        except (DNSException, OSError):
            return cls(None)

    def texts(self, name: str) -> list[str]:
        """Return the TXT records of a name, each joined. Raises NotAsked."""
        return [
            b"".join(record.strings).decode("utf-8", "replace")
            for record in self._answers(name, "TXT")
        ]

    def exchangers(self, name: str) -> list[str]:
        """Return the hosts that take mail of a domain, in order; "" is the "null MX"."""
        found = sorted(self._answers(name, "MX"), key=lambda record: record.preference)
        return [str(record.exchange).rstrip(".") for record in found]

    def addresses(self, name: str) -> list[str]:
        """Return the IPv4 and IPv6 addresses of a host. Raises NotAsked."""
        return [str(one) for kind in ("A", "AAAA") for one in self._answers(name, kind)]

    def _answers(self, name: str, kind: str) -> Sequence[Any]:
        if self._resolver is None:
            raise NotAsked("no resolver")
        try:
            return list(self._resolver.resolve(name, kind, search=False, lifetime=PATIENCE))
        except (NXDOMAIN, NoAnswer, EmptyLabel, LabelTooLong, NameTooLong):
            return []
        except (DNSException, OSError) as error:
            raise NotAsked(type(error).__name__) from error


def is_local(domain: str) -> bool:
    """Tell whether a domain is known to one machine or house alone."""
    return domain.lower().rstrip(".").rpartition(".")[2] in LOCAL
