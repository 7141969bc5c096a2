"""A board turned by quarters of a circle, as data."""

from dataclasses import replace

from games.render.layout import contains
from games.rules.board import Area, Board, Cell

WIDE = Board(
    width=3,
    height=2,
    cells=tuple(Cell(f"{'abc'[x]}{2 - y}", x, y) for y in range(2) for x in range(3)),
    areas=(Area(0, 0, 2, 1, label="A"),),
    columns=(("a", 0), ("b", 1), ("c", 2)),
    rows=(("2", 0), ("1", 1)),
)
"""Two rows of three squares, the two left ones of the upper row framed."""


def reading(board):
    """Return the names of the squares, row by row."""
    rows = sorted({cell.y for cell in board.cells})
    return [" ".join(cell.square for cell in board.cells if cell.y == y) for y in rows]


def framed(board):
    return {cell.square for cell in board.cells if contains(board.areas[0], cell)}


def test_a_quarter_goes_clockwise():
    turned = WIDE.turned(1)
    assert (turned.width, turned.height) == (2, 3)
    assert reading(WIDE) == ["a2 b2 c2", "a1 b1 c1"]
    assert reading(turned) == ["a1 a2", "b1 b2", "c1 c2"]
    assert sorted(turned.columns) == [("1", 0), ("2", 1)]
    assert turned.rows == (("a", 0), ("b", 1), ("c", 2))


def test_half_a_circle_shows_the_other_side():
    turned = WIDE.turned(2)
    assert reading(turned) == ["c1 b1 a1", "c2 b2 a2"]
    assert sorted(turned.columns) == [("a", 2), ("b", 1), ("c", 0)]


def test_frames_stay_around_their_squares():
    for quarters in range(5):
        assert framed(WIDE.turned(quarters)) == {"a2", "b2"}


def test_four_quarters_and_none_change_nothing():
    assert WIDE.turned(0) is WIDE
    around = WIDE.turned(4)
    ordered = replace(around, columns=tuple(sorted(around.columns)), rows=around.rows)
    assert ordered == WIDE
