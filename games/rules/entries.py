"""The entries of a record: turns, withdrawals and takebacks, and the positions they lead to."""

import re
from collections.abc import Iterable, Sequence

from games.rules.base import N_, A, BadRecord, IllegalMoveError, MoveError, Options, P, Rules

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


def departed(entries: Iterable[str]) -> list[frozenset[int]]:
    """Return the seats that had left at the start and after each entry of a record."""
    found: list[frozenset[int]] = [frozenset()]
    for entry in entries:
        back, seat = taken_back_to(entry), withdrawn_seat(entry)
        if back is not None:
            found.append(found[min(back, len(found) - 1)])
        else:
            found.append(found[-1] if seat is None else found[-1] | {seat})
    return found


def positions(rules: Rules[P, A], options: Options, entries: Iterable[str]) -> list[P]:
    """Return the position at the start and after each entry of a record.

    Raises BadRecord naming the first bad entry.
    """
    entries = list(entries)
    found, gone = [rules.initial(options)], departed(entries)
    newest_turn = 0  # the newest entry that is no departure
    for number, entry in enumerate(entries, start=1):
        back, seat = taken_back_to(entry), withdrawn_seat(entry)
        try:
            if back is not None:
                # Going back neither brings back a player who has left nor makes one leave, unless
                # everything that is taken back are departures. The newest position is not before.
                is_allowed = back < number - 1 and (
                    gone[back] == gone[number - 1] or back >= newest_turn
                )
                if not is_allowed:
                    raise IllegalMoveError(
                        N_("The game cannot be taken back to turn %(number)s."), number=back
                    )
                found.append(found[back])
            elif seat is not None:
                found.append(rules.withdraw(found[-1], seat))
            else:
                found.append(rules.play_turn(found[-1], rules.parse_turn(found[-1], entry)))
        except MoveError as error:
            raise BadRecord(
                N_("Turn %(number)s of the record cannot be played: %(reason)s"),
                number=number,
                reason=str(error),
            ) from error
        if seat is None:
            newest_turn = number
    return found


def replay(rules: Rules[P, A], options: Options, turns: Iterable[str]) -> P:
    """Return the position after a record's entries. Raises BadRecord naming the first bad one."""
    return positions(rules, options, turns)[-1]
