"""A position of Morpiae, and how an action changes it."""

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
    """A position; its sets of points are as in `sheet`.

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


_FIRST = (
    *(
        action
        for action in range(PASS)
        if LINES[action // FIVE] and MASKS[action // FIVE] & ~CROSS == 1 << NEW[action]
    ),
    PASS,
)
"""What is legal at the start: the lines that one circle completes, and PASS."""


def start(target: int | None, *, hints: bool) -> Position:
    """Return the position at the start."""
    return Position(CROSS, (OFF_THE_SHEET,) * 4, (0, 0), _FIRST, (), target, hints, None)


def pass_turn(position: Position) -> Position:
    """Return the position after a pass: the second one in a row ends the game."""
    played = position.played
    if not played or played[-1] != PASS:
        return position._replace(played=(*played, PASS))
    result = score(position.coloured, "passes")
    return position._replace(played=(*played, PASS), legal=(), result=result)


def draw_line(position: Position, action: Action) -> Position:
    """Return the position after a new circle and the line through it."""
    circles, crossed, coloured, legal, played, target, hints, result = position
    number, new = action // FIVE, NEW[action]
    mask, direction = MASKS[number], DIRECTIONS[number]
    circles |= mask
    barred = crossed[direction] | mask
    crossed = (*crossed[:direction], barred, *crossed[direction + 1 :])
    # Lines of one direction share a point if their numbers differ by less than five.
    left = [a for a in legal if NEW[a] != new and abs(a // FIVE - number) >= FIVE]
    # Only a line through the new circle can have become one that needs a single circle more.
    for (reach, nine, completed, actions), barred in zip(WAYS, crossed, strict=True):
        for difference in completed[circles >> new - reach & nine]:
            found = actions[new] + difference
            if not MASKS[found // FIVE] & barred:
                left.append(found)
    left.sort()
    if gained := mask & crossed[0] & crossed[1] & crossed[2] & crossed[3]:
        first, second = coloured
        coloured = (first, second | gained) if len(played) & 1 else (first | gained, second)
        if target is not None:
            counts = coloured[0].bit_count(), coloured[1].bit_count()
            if max(counts) >= target and abs(counts[0] - counts[1]) >= _LEAD:
                result = score(coloured, "target")
    if result is None and len(left) == 1:
        result = score(coloured, "no-line")
    legal = tuple(left) if result is None else ()
    return Position(circles, crossed, coloured, legal, (*played, action), target, hints, result)


def score(coloured: tuple[int, int], reason: str) -> Outcome:
    """Return the outcome by the number of coloured circles."""
    first, second = coloured[0].bit_count(), coloured[1].bit_count()
    return Outcome((1 + (first < second), 1 + (second < first)), (first, second), reason)
