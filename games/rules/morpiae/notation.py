"""Actions of Morpiae as text: what a text can mean, and why it is refused."""

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

    A square on which no line can be completed means itself.
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
        new = POINTS.get(square)
        through = tuple(TEXTS[action // FIVE] for action in position.legal if NEW[action] == new)
        return through or (square,)
    ends = sorted(((column, int(row)), (other_column, int(other_row))))
    return ("-".join(f"{column}{row}" for column, row in ends),)


def legal_action(position: Position, text: str) -> Action | None:
    """Return the legal action with exactly this canonical text."""
    return next((action for action in position.legal if TEXTS[action // FIVE] == text), None)


def explain_illegal(position: Position, notation: str) -> TranslatableText:
    """Return why `notation`, as `meanings` returns it, is not possible here."""
    squares = notation.split("-")
    for square in squares:
        if square not in POINTS:
            return TranslatableText(
                N_("%(square)s is off the sheet, whose columns are %(first)s to %(last)s and "
                   "whose rows are 1 to %(rows)s."),
                {"square": square, "first": COLUMNS[0], "last": COLUMNS[-1], "rows": SIZE},
            )  # fmt: skip
    if len(squares) == 1 and position.circles >> POINTS[notation] & 1:
        reason = N_(
            "There is a circle on %(square)s already: name the new one, or the line's ends."
        )
        return TranslatableText(reason, {"square": notation})
    if len(squares) == 1:
        reason = N_("No line can be completed on %(square)s.")
        return TranslatableText(reason, {"square": notation})
    start, end = squares
    values: dict[str, str | int | TranslatableText] = {"start": start, "end": end}
    line = LINES[NUMBER_OF[notation]] if notation in NUMBER_OF else None
    missing = 0 if line is None else (line.mask & ~position.circles).bit_count()
    if line is None:
        reason = N_("From %(start)s to %(end)s there are not five points in a row.")
    elif missing == 0:
        reason = N_(
            "All five circles from %(start)s to %(end)s are there already: one must be new."
        )
    elif missing > 1:
        reason = N_("From %(start)s to %(end)s %(count)s circles are missing: only one may be new.")
        values["count"] = missing
    else:
        reason = N_("The circle on %(square)s is already crossed in that direction.")
        crossed = next(points_in(line.mask & position.crossed[line.direction]))
        values = {"square": SQUARES[crossed]}
    return TranslatableText(reason, values)
