"""Where a game of Morpiae stands, and what an action makes of it."""

from __future__ import annotations

from typing import NamedTuple

from games.rules.base import Outcome
from games.rules.morpiae.sheet import (
    CROSS,
    DIRECTIONS,
    FIVE,
    LINES,
    MASKS,
    NEW,
    OFF_THE_SHEET,
    PASS,
    WAYS,
    Action,
)

_LEAD = 2


class Position(NamedTuple):
    """Where the game stands; sets of points as in `sheet`.

    `crossed` has the circles that lie on a line of each direction; what is off the sheet counts as
    crossed, so that nothing is drawn there. `coloured` has each seat's circles. `legal` is every
    legal action in order, PASS the last of them; it is empty at the end.
    """

    circles: int
    crossed: tuple[int, ...]
    coloured: tuple[int, int]
    legal: tuple[Action, ...]
    played: tuple[Action, ...]
    target: int | None
    hints: bool
    result: Outcome | None


def _first_lines() -> list[Action]:
    """Return the lines that one circle completes at the start."""
    drawable = (action for action in range(PASS) if LINES[action // FIVE])
    return [a for a in drawable if MASKS[a // FIVE] & ~CROSS == 1 << NEW[a]]


_FIRST = (*_first_lines(), PASS)


def start(target: int | None, *, hints: bool) -> Position:
    """Return the position at the start."""
    return Position(CROSS, (OFF_THE_SHEET,) * 4, (0, 0), _FIRST, (), target, hints, None)


def passed(position: Position) -> Position:
    """Return the position after a pass: the second one in a row ends the game."""
    played = position.played
    if not played or played[-1] != PASS:
        return position._replace(played=(*played, PASS))
    result = count(position.coloured, "passes")
    return position._replace(played=(*played, PASS), legal=(), result=result)


def drawn(position: Position, action: Action) -> Position:
    """Return the position after a new circle and the line through it."""
    circles, crossed, coloured, legal, played, target, hints, result = position
    mask, direction = MASKS[action // FIVE], DIRECTIONS[action // FIVE]
    circles |= mask
    barred = crossed[direction] | mask
    crossed = (*crossed[:direction], barred, *crossed[direction + 1 :])
    legal = _still_legal(legal, action, circles, crossed)
    if gained := mask & crossed[0] & crossed[1] & crossed[2] & crossed[3]:
        first, second = coloured
        coloured = (first, second | gained) if len(played) & 1 else (first | gained, second)
        if target is not None and _reached(coloured, target):
            result = count(coloured, "target")
    if result is None and len(legal) == 1:
        result = count(coloured, "no-line")
    if result is not None:
        legal = ()
    return Position(circles, crossed, coloured, legal, (*played, action), target, hints, result)


def _still_legal(
    legal: tuple[Action, ...], action: Action, circles: int, crossed: tuple[int, ...]
) -> tuple[Action, ...]:
    """Return what is legal after `action`, by what was and the figure as it is now."""
    number, new = action // FIVE, NEW[action]
    # Lines of one direction share a point if their numbers differ by less than five.
    left = [a for a in legal if NEW[a] != new and abs(a // FIVE - number) >= FIVE]
    # Only a line through the new circle can have become one that needs a single circle more.
    for (reach, nine, completed, actions), barred in zip(WAYS, crossed, strict=True):
        for difference in completed[circles >> new - reach & nine]:
            found = actions[new] + difference
            if not MASKS[found // FIVE] & barred:
                left.append(found)
    left.sort()
    return tuple(left)


def _reached(coloured: tuple[int, int], target: int) -> bool:
    """Tell whether somebody has at least `target` circles and leads by two."""
    first, second = coloured[0].bit_count(), coloured[1].bit_count()
    return max(first, second) >= target and abs(first - second) >= _LEAD


def count(coloured: tuple[int, int], reason: str) -> Outcome:
    """Return the outcome by the number of coloured circles."""
    first, second = coloured[0].bit_count(), coloured[1].bit_count()
    return Outcome((1 + (first < second), 1 + (second < first)), (first, second), reason)
