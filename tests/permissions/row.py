"""A line of the table of permissions (rows.py)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.permissions.asking import LOGIN
from tests.sample_site import SampleSite

Outcome = int | str


@dataclass(frozen=True)
class Row:
    """One address, and what everybody is answered there."""

    name: str
    safe: Outcome | tuple[Outcome, ...]
    post: Outcome | tuple[Outcome, ...]
    blanks: Callable[[SampleSite], list[Any]] = lambda site: []
    kind: str = ""
    """What tells it from other rows of the same name."""
    head: Outcome | tuple[Outcome, ...] | None = None
    """What HEAD is answered, where a library answers it otherwise than GET."""

    def __str__(self) -> str:
        return f"{self.name} {self.kind}".strip()


def members(outcome: Outcome) -> tuple[Outcome, ...]:
    """Return an outcome for whoever is signed in; others are led to sign in."""
    return (LOGIN, *[outcome] * 5)


MEMBERS, NOT_SAFE = members(200), members(405)
"""Pages for whoever is signed in; addresses that only take forms of theirs."""
