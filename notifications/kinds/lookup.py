"""From a kind's value, or an event, to what its folder declares."""

from functools import cache
from importlib import import_module

from notifications.kinds.base import MailKind
from notifications.kinds.registry import Kind


@cache
def kind_of(kind: str) -> MailKind:
    """Return what is declared for a kind, by its value. Raises ValueError for another value."""
    folder = Kind(kind).name.lower()
    found: MailKind = import_module(f"notifications.kinds.{folder}.kind").KIND
    return found


def all_kinds() -> tuple[MailKind, ...]:
    """Return every kind, in the order of the registry."""
    return tuple(kind_of(kind) for kind in Kind)


@cache
def kind_for(event_kind: str) -> MailKind | None:
    """Return by which mail people are told of an event; None: nobody is told by mail."""
    return next((kind for kind in all_kinds() if event_kind in kind.events), None)
