"""What a record says besides turns: that a player left, or that the game was taken back."""

import re
from collections.abc import Sequence

_WITHDRAWAL = re.compile(r"withdraw ([0-9])")
_TAKEBACK = re.compile(r"takeback (0|[1-9][0-9]{0,8})")


def withdrawal(seat: int) -> str:
    """Return the record's entry for a player who left a game that the others played on."""
    return f"withdraw {seat}"


def withdrawn_seat(entry: str) -> int | None:
    """Return who left, if that is what an entry of a record says."""
    found = _WITHDRAWAL.fullmatch(entry)
    return int(found[1]) if found else None


def takeback(number: int) -> str:
    """Return the record's entry for going back to the position after entry `number`."""
    return f"takeback {number}"


def taken_back_to(entry: str) -> int | None:
    """Return after which entry the game goes on, if that is what an entry of a record says."""
    found = _TAKEBACK.fullmatch(entry)
    return int(found[1]) if found else None


def effective_entries(entries: Sequence[str]) -> list[int]:
    """Return the numbers, from 1, of the entries that led to a record's position, first first.

    What was taken back is not among them, and neither are the takebacks.
    """
    found, number = [], len(entries)
    while number:
        back = taken_back_to(entries[number - 1])
        if back is None:
            found.append(number)
        number = number - 1 if back is None else min(back, number - 1)
    return found[::-1]
