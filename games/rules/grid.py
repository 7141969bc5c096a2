"""The 3 by 3 square that several games are played on: bit sets, lines, words and marks.

Cells are numbered 0 to 8 in reading order; a set of cells is an integer whose bit n is cell n.
"""

from __future__ import annotations

from games.rules.base import N_, Sentence
from games.rules.board import Line, Piece

FULL = 0b111_111_111

_ROWS = ((0, 1, 2), (3, 4, 5), (6, 7, 8))
_COLUMNS = ((0, 3, 6), (1, 4, 7), (2, 5, 8))
_DIAGONALS = ((0, 4, 8), (2, 4, 6))

LINES: tuple[tuple[int, int, int], ...] = (*_ROWS, *_COLUMNS, *_DIAGONALS)
"""The eight lines; the outer cells of each stand at its ends."""

_MASKS = tuple(sum(1 << cell for cell in line) for line in LINES)

HAS_LINE: tuple[bool, ...] = tuple(
    any(cells & mask == mask for mask in _MASKS) for cells in range(FULL + 1)
)
"""Whether a set of cells holds three in a line."""

CELLS: tuple[tuple[int, ...], ...] = tuple(
    tuple(cell for cell in range(9) if cells >> cell & 1) for cells in range(FULL + 1)
)
"""The cells of a set, in reading order."""

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


def lines_in(cells: int) -> list[tuple[int, int]]:
    """Return the two ends of every line that the set holds."""
    return [
        (line[0], line[2]) for line, mask in zip(LINES, _MASKS, strict=True) if cells & mask == mask
    ]


def winning_lines(cells: int, names: tuple[str, ...], side: int) -> tuple[Line, ...]:
    """Return the strokes over the lines that the set holds; `names` are the cells' squares."""
    return tuple(Line(names[start], names[end], side, win=True) for start, end in lines_in(cells))


def where(cell: int) -> Sentence:
    """Return where in the square a cell lies ("in the centre")."""
    return Sentence(_WHERE[cell])


def mark(square: str, seat: int) -> Piece:
    """Return the pen mark of a seat: a cross for seat 0, a nought for seat 1."""
    if seat == 0:
        return Piece(square, "cross", 0, "X", N_("cross"))
    return Piece(square, "ring", 1, "O", N_("nought"))
