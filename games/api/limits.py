"""How often one account may ask, by name of the limit.

Each process of the web server counts for itself, in its memory: no request waits for a count, and
with several processes an account may get as many times more.
"""

import threading
import time
from collections import Counter
from dataclasses import dataclass

from accounts.models import User
from games.api.errors import TooManyRequests

MINUTE = 60

A_MINUTE = {"reads": 300, "writes": 120}
"""How often one account may ask in a minute, by the name of the limit."""


class Counts:
    """How often each account has asked in the present minute; all earlier ones are forgotten."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.clear()

    def clear(self) -> None:
        """Forget everything."""
        self._minute = 0
        self._counts: Counter[tuple[str, int]] = Counter()

    def add(self, name: str, account: int, minute: int) -> int:
        """Count a request, and return how many there were in its minute."""
        with self._lock:
            if minute != self._minute:
                self.clear()
                self._minute = minute
            self._counts[name, account] += 1
            return self._counts[name, account]


counts = Counts()


@dataclass(frozen=True)
class Allowance:
    """What is left of a limit after a request, and in how many seconds it begins anew."""

    name: str
    most: int
    left: int
    seconds: int

    def headers(self) -> dict[str, str]:
        """Return the fields that tell a program (draft-ietf-httpapi-ratelimit-headers)."""
        return {
            "RateLimit-Policy": f'"{self.name}";q={self.most};w={MINUTE}',
            "RateLimit": f'"{self.name}";r={self.left};t={self.seconds}',
        }


def consume(user: User, *, writes: bool) -> Allowance:
    """Count a request of an account. Raises TooManyRequests."""
    name = "writes" if writes else "reads"
    most, now = A_MINUTE[name], int(time.time())
    seconds = MINUTE - now % MINUTE
    used = counts.add(name, user.pk, now // MINUTE)
    allowance = Allowance(name, most, max(most - used, 0), seconds)
    if used > most:
        refusal = TooManyRequests(limit=name, most=most, seconds=seconds)
        refusal.extensions = {"limit": name, "most": most, "left": 0, "retry_after": seconds}
        refusal.headers = allowance.headers()
        raise refusal
    return allowance
