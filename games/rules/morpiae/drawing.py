"""How a position of Morpiae is drawn: the part of the sheet around the figure.

The drawing follows from the circles and the lines alone, so it does not reveal where a line can be
drawn. A new circle lies between two circles of its line, or right beside the other four: at most
one point outside the box around all circles. The margin is two, clipped at the sheet's edge: so
every line that can be drawn can be clicked.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.rules.base import N_
from games.rules.board import Board, Cell, Heap, Line, Piece, Shape, Tray
from games.rules.morpiae.position import Position
from games.rules.morpiae.sheet import (
    COLUMNS,
    FIVE,
    LINES,
    PASS,
    SIZE,
    SQUARES,
    Action,
    column_and_row,
    point_at,
    points_in,
)

SEAT_NAMES = (N_("Discs"), N_("Diamonds"))

_MARGIN = 2
_COLOURED: tuple[tuple[Shape, str, str], ...] = (
    ("disc", "@", N_("disc")),
    ("diamond", "%", N_("diamond")),
)


def drawing(position: Position, last: Sequence[Action]) -> Board:
    """Return the drawing; the lines of `last` have their player's colour, the others are ink."""
    columns_used, rows_used = zip(*map(column_and_row, points_in(position.circles)), strict=True)
    left, right = max(0, min(columns_used) - _MARGIN), min(SIZE - 1, max(columns_used) + _MARGIN)
    bottom, top = max(0, min(rows_used) - _MARGIN), min(SIZE - 1, max(rows_used) + _MARGIN)
    columns, rows = range(left, right + 1), range(top, bottom - 1, -1)
    pieces = []
    for point in points_in(position.circles):
        piece = Piece(SQUARES[point], "ring", None, "o", N_("circle"))
        for seat, (shape, symbol, name) in enumerate(_COLOURED):
            if position.coloured[seat] >> point & 1:
                piece = Piece(SQUARES[point], shape, seat, symbol, name)
        pieces.append(piece)
    trays = []
    for seat, (shape, symbol, name) in enumerate(_COLOURED):
        heap = Heap(shape, seat, symbol, name, position.coloured[seat].bit_count())
        trays.append(Tray(seat, SEAT_NAMES[seat], (heap,)))
    return Board(
        width=len(columns),
        height=len(rows),
        cells=tuple(
            Cell(SQUARES[point_at(column, row)], x, y, "point")
            for y, row in enumerate(rows)
            for x, column in enumerate(columns)
        ),
        pieces=tuple(pieces),
        lines=tuple(
            Line(SQUARES[five[0]], SQUARES[five[-1]], side=turn & 1 if action in last else None)
            for turn, action in enumerate(position.played)
            if (five := _five(action))
        ),
        trays=tuple(trays),
        last=tuple(SQUARES[point] for action in last for point in _five(action)),
        columns=tuple((COLUMNS[column], x) for x, column in enumerate(columns)),
        rows=tuple((str(row + 1), y) for y, row in enumerate(rows)),
    )


def _five(action: Action) -> tuple[int, ...]:
    """Return the points of the line that the action draws, from one end to the other."""
    line = LINES[action // FIVE] if action != PASS else None
    return line.points if line else ()
