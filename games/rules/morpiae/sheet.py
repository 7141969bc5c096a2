"""The sheet of Morpiae: its points and lines as numbers, in tables made once.

A point's number is its bit in a set of points, which is an integer. Four columns that are not on
the sheet lie between a row's end and the next row's start, and as much room below the first row:
so nine points in a row around any point of the sheet are nine bits a fixed step apart, and never
wrap around the edge.

Directions are numbered 0 to 3: along a row, up a column, rising to the right, falling to the
right. The lines of one straight are numbered in their order, with four numbers that no line has
before the next straight: so two lines of one direction share a point exactly if their numbers
differ by at most four. An action's number is five times its line's, plus which of the five points
is new, counted along the step.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

Action = int

SIZE = 26
FIVE = 5
COLUMNS = "abcdefghijklmnopqrstuvwxyz"

_REACH = FIVE - 1
_STRIDE = SIZE + _REACH
_STEPS = (1, _STRIDE, _STRIDE + 1, _STRIDE - 1)
_ALL_FIVE = 0b11111
_CENTRE = 1 << _REACH

_CROSS_FROM = "i9"
_CROSS = """
...oooo...
...o..o...
...o..o...
oooo..oooo
o........o
o........o
oooo..oooo
...o..o...
...o..o...
...oooo...
"""


def point_at(column: int, row: int) -> int:
    """Return the point of a column and a row, both counted from 0 at the bottom left."""
    return (row + _REACH) * _STRIDE + column + _REACH


def column_and_row(point: int) -> tuple[int, int]:
    """Return a point's column and row, both counted from 0 at the bottom left."""
    row, column = divmod(point - _REACH, _STRIDE)
    return column, row - _REACH


SQUARES: dict[int, str] = {
    point_at(column, row): f"{letter}{row + 1}"
    for row in range(SIZE)
    for column, letter in enumerate(COLUMNS)
}
"""The name of every point of the sheet, row by row from the bottom."""

POINTS: dict[str, int] = {name: point for point, name in SQUARES.items()}

OFF_THE_SHEET = ((1 << point_at(SIZE, SIZE + _REACH)) - 1) & ~sum(1 << point for point in SQUARES)
"""The points around the sheet that a line through a point of the sheet could reach."""


def points_in(points: int) -> Iterator[int]:
    """Yield the points of a set, row by row from the bottom."""
    while points:
        lowest = points & -points
        yield lowest.bit_length() - 1
        points ^= lowest


_LEFT, _BOTTOM = column_and_row(POINTS[_CROSS_FROM])
CROSS: int = sum(
    1 << point_at(_LEFT + column, _BOTTOM + row)
    for row, circles in enumerate(reversed(_CROSS.split()))
    for column, circle in enumerate(circles)
    if circle == "o"
)
"""The 36 circles of the start."""


# Lines -------------------------------------------------------------------------------------------


class SheetLine(NamedTuple):
    """A line that may be drawn: its five points in the order of the step, their set, its text."""

    direction: int
    points: tuple[int, ...]
    mask: int
    ends: tuple[str, str]

    @property
    def text(self) -> str:
        """The two ends: the smaller column first, in a column the lower one first."""
        return "-".join(self.ends)


def _all_lines() -> tuple[list[SheetLine | None], list[dict[int, int]]]:
    """Return all lines by number, and for each direction the number of the line from a point."""
    lines: list[SheetLine | None] = []
    numbers: list[dict[int, int]] = []
    for direction, step in enumerate(_STEPS):
        numbers.append({})
        for first in (point for point in SQUARES if point - step not in SQUARES):
            straight = [first]
            while straight[-1] + step in SQUARES:
                straight.append(straight[-1] + step)
            lines += [None] * _REACH
            for at, point in enumerate(straight):
                numbers[direction][point] = len(lines)
                five = tuple(straight[at : at + FIVE])
                if len(five) < FIVE:
                    lines.append(None)
                    continue
                mask = sum(1 << one for one in five)
                one, other = sorted((five[0], five[-1]), key=column_and_row)
                lines.append(SheetLine(direction, five, mask, (SQUARES[one], SQUARES[other])))
    return lines, numbers


LINES, _NUMBERS = _all_lines()
NUMBER_OF: dict[str, int] = {line.text: number for number, line in enumerate(LINES) if line}
"""The number of a line by its text."""

PASS: Action = FIVE * len(LINES)
"""The action that draws nothing: the last number of all."""

MASKS: tuple[int, ...] = tuple(line.mask if line else OFF_THE_SHEET for line in LINES)
"""The five points of a line by its number; where there is no line, it lies off the sheet."""

DIRECTIONS: tuple[int, ...] = tuple(line.direction if line else -1 for line in LINES)
NEW: tuple[int, ...] = (
    *(line.points[new] if line else -1 for line in LINES for new in range(FIVE)),
    -1,
)
"""The new point of an action, -1 of PASS."""


# What a new circle completes ---------------------------------------------------------------------


class Way(NamedTuple):
    """What to look at in one direction around a new circle.

    `nine` are nine points in a row, the first one `reach` before the fifth; `completed` tells by
    which of them have circles what lines the fifth one completes but for one point: each as the
    difference of an action's number from `actions`, the first of the line from the fifth point.
    """

    reach: int
    nine: int
    completed: dict[int, tuple[int, ...]]
    actions: dict[int, Action]


def _apart(bits: int, step: int) -> int:
    return sum(1 << at * step for at in points_in(bits))


_COMPLETED: dict[int, tuple[int, ...]] = {
    circles: tuple(
        (start - _REACH) * FIVE + missing.bit_length() - 1
        for start in range(FIVE)
        if (missing := _ALL_FIVE & ~(circles >> start)).bit_count() == 1
    )
    for circles in range(1 << FIVE + _REACH)
    if circles & _CENTRE
}
"""By the circles on nine adjacent points: the lines of which one point is missing; see Way."""

WAYS: tuple[Way, ...] = tuple(
    Way(
        reach=_REACH * step,
        nine=_apart((1 << FIVE + _REACH) - 1, step),
        completed={_apart(circles, step): lines for circles, lines in _COMPLETED.items()},
        actions={point: FIVE * number for point, number in numbers.items()},
    )
    for step, numbers in zip(_STEPS, _NUMBERS, strict=True)
)
"""The four directions by their numbers."""
