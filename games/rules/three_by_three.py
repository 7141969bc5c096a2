"""The square of 3 by 3 cells that several games share: tables of all its sets, words and marks.

Cells and sets of cells are numbers as in `grid.py`; there are 512 sets.
"""

from __future__ import annotations

from games.rules.base import N_, TranslatableText
from games.rules.board import Line, Piece
from games.rules.grid import Grid

THREE = 3
GRID = Grid(THREE, THREE)
FULL = GRID.full

HAS_LINE: tuple[bool, ...] = tuple(GRID.has_line(cells, THREE) for cells in range(FULL + 1))
"""Whether a set of cells holds three in a line."""

CELLS: tuple[tuple[int, ...], ...] = tuple(GRID.cells_in(cells) for cells in range(FULL + 1))
"""The cells of a set, in reading order."""

_TURNED = (6, 3, 0, 7, 4, 1, 8, 5, 2)
_MIRRORED = (2, 1, 0, 5, 4, 3, 8, 7, 6)


def _symmetries() -> tuple[tuple[int, ...], ...]:
    """Return where each of the nine cells, and nowhere (9), goes in each of the eight ways."""
    ways, way = [], tuple(range(9))
    for _ in range(4):
        ways += [(*way, 9), (*(way[cell] for cell in _MIRRORED), 9)]
        way = tuple(way[cell] for cell in _TURNED)
    return tuple(ways)


SYMMETRIES = tuple(
    (way, tuple(sum(1 << way[cell] for cell in CELLS[cells]) for cells in range(FULL + 1)))
    for way in _symmetries()
)
"""Each way to turn or mirror the square: where a cell goes, and where a set of cells."""

SEAT_NAMES = (N_("Cross"), N_("Nought"))

_WHERE = (
    N_("in the top left corner"),
    N_("on the top edge"),
    N_("in the top right corner"),
    N_("on the left edge"),
    N_("in the centre"),
    N_("on the right edge"),
    N_("in the bottom left corner"),
    N_("on the bottom edge"),
    N_("in the bottom right corner"),
)


def winning_lines(cells: int, names: tuple[str, ...], side: int) -> tuple[Line, ...]:
    """Return the strokes over the lines that the set holds; `names` are the cells' squares."""
    return GRID.winning_lines(cells, THREE, names, side)


def cell_phrase(cell: int) -> TranslatableText:
    """Return where in the square a cell lies ("in the centre")."""
    return TranslatableText(_WHERE[cell])


def pen_mark(square: str, seat: int) -> Piece:
    """Return the pen mark of a seat: a cross for seat 0, a nought for seat 1."""
    if seat == 0:
        return Piece(square, "cross", 0, "X", N_("cross"))
    return Piece(square, "ring", 1, "O", N_("nought"))
