"""The entries of a record that are no turns: a player left, or the game was taken back."""

import re
from collections.abc import Sequence

_WITHDRAWAL = re.compile(r"withdraw ([0-9])")
_TAKEBACK = re.compile(r"takeback (0|[1-9][0-9]{0,8})")


def withdrawal(seat: int) -> str:
    """Return the entry for a player who left a game that the others continue."""
    return f"withdraw {seat}"


def withdrawn_seat(entry: str) -> int | None:
    """Return the seat that left, None if the entry says anything else."""
    found = _WITHDRAWAL.fullmatch(entry)
    return int(found[1]) if found else None


def takeback(number: int) -> str:
    """Return the entry for going back to the position after entry `number`."""
    return f"takeback {number}"


def taken_back_to(entry: str) -> int | None:
    """Return after which entry the game continues, None if the entry is no takeback."""
    found = _TAKEBACK.fullmatch(entry)
    return int(found[1]) if found else None


def effective_entries(entries: Sequence[str]) -> list[int]:
    """Return the numbers, from 1, of the entries that led to a record's position, in order.

    What was taken back is not among them, and neither are the takebacks.
    """
    found, number = [], len(entries)
    while number:
        back = taken_back_to(entries[number - 1])
        if back is None:
            found.append(number)
        number = number - 1 if back is None else min(back, number - 1)
    return found[::-1]
