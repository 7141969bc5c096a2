"""What players write in Morpiae, and why it is refused."""

from __future__ import annotations

import re
from collections.abc import Sequence

from games.rules.base import N_, InvalidMoveError, TranslatableText, shown
from games.rules.morpiae.position import Position
from games.rules.morpiae.sheet import (
    COLUMNS,
    FIVE,
    LINES,
    NEW,
    NUMBER_OF,
    POINTS,
    SIZE,
    SQUARES,
    Action,
    SheetLine,
    points_in,
)

_PASS = "pass"  # noqa: S105  (not a password)
_PASSES = (_PASS, "passe")
_POINT = "([a-z])([0-9]{1,2})"
_NOTATION = re.compile(f"{_POINT}(?:[-–—./:>→]?{_POINT})?")

TEXTS: tuple[str, ...] = (*(line.text if line else "" for line in LINES), _PASS)
"""The canonical text by the number of a line; the last one is that of PASS."""


def meanings(position: Position, text: str) -> Sequence[str]:
    """Return the canonical texts that `text` can mean. Raises InvalidMoveError.

    A square on which no line can be completed stands for itself.
    """
    tight = "".join(text.split()).lower()
    if tight in _PASSES:
        return (_PASS,)
    found = _NOTATION.fullmatch(tight)
    if found is None:
        raise InvalidMoveError(
            N_("“%(text)s” cannot be read: type the two ends of the line, such as k12-o12, or "
               "only the new circle, such as k12, or “pass”."),
            text=shown(text),
        )  # fmt: skip
    column, row, other_column, other_row = found.groups()
    square = f"{column}{int(row)}"
    if other_column is None:
        return _lines_through(position, square) or (square,)
    ends = sorted(((column, int(row)), (other_column, int(other_row))))
    return ("-".join(f"{column}{row}" for column, row in ends),)


def _lines_through(position: Position, square: str) -> tuple[str, ...]:
    """Return the lines that a new circle on the square completes."""
    new = POINTS.get(square)
    return tuple(TEXTS[action // FIVE] for action in position.legal if NEW[action] == new)


def legal_action(position: Position, text: str) -> Action | None:
    """Return the legal action with exactly this canonical text."""
    return next((action for action in position.legal if TEXTS[action // FIVE] == text), None)


def refusal(position: Position, notation: str) -> TranslatableText:
    """Return why `notation`, as `meanings` returns it, is not possible here."""
    squares = notation.split("-")
    for square in squares:
        if square not in POINTS:
            return TranslatableText(
                N_("%(square)s is off the sheet, whose columns are %(first)s to %(last)s and "
                   "whose rows are 1 to %(rows)s."),
                {"square": square, "first": COLUMNS[0], "last": COLUMNS[-1], "rows": SIZE},
            )  # fmt: skip
    if len(squares) == 1:
        return _why_no_circle(position, notation)
    line = LINES[NUMBER_OF[notation]] if notation in NUMBER_OF else None
    if line is None:
        return TranslatableText(
            N_("From %(start)s to %(end)s there are not five points in a row."),
            {"start": squares[0], "end": squares[1]},
        )
    return _why_no_line(position, line)


def _why_no_circle(position: Position, square: str) -> TranslatableText:
    if position.circles >> POINTS[square] & 1:
        return TranslatableText(
            N_("There is a circle on %(square)s already: name the new one, or the line's ends."),
            {"square": square},
        )
    return TranslatableText(N_("No line can be completed on %(square)s."), {"square": square})


def _why_no_line(position: Position, line: SheetLine) -> TranslatableText:
    start, end = line.ends
    missing = (line.mask & ~position.circles).bit_count()
    if missing == 0:
        return TranslatableText(
            N_("All five circles from %(start)s to %(end)s are there already: one must be new."),
            {"start": start, "end": end},
        )
    if missing > 1:
        return TranslatableText(
            N_("From %(start)s to %(end)s %(count)s circles are missing: only one may be new."),
            {"start": start, "end": end, "count": missing},
        )
    crossed = next(points_in(line.mask & position.crossed[line.direction]))
    return TranslatableText(
        N_("The circle on %(square)s is already crossed in that direction."),
        {"square": SQUARES[crossed]},
    )
