"""Grids of any size: lines agree with a slow search, and no line goes round an edge."""

import random
from itertools import product

import pytest

from games.rules.board import Line
from games.rules.grid import Grid

SIZES = [(1, 5), (5, 1), (2, 2), (3, 3), (4, 9), (6, 7), (8, 8), (15, 15)]


def set_of(*cells):
    return sum(1 << cell for cell in cells)


def slow_lines(rows, columns, length):
    """Return every line as a set of cells: all places and directions, tried one by one."""
    found = set()
    for row, column, (down, right) in product(
        range(rows), range(columns), [(0, 1), (1, 0), (1, 1), (1, -1)]
    ):
        line = [(row + down * n, column + right * n) for n in range(length)]
        if all(0 <= y < rows and 0 <= x < columns for y, x in line):
            found.add(frozenset(y * columns + x for y, x in line))
    return found


@pytest.mark.parametrize(
    ("rows", "columns", "length", "count"),
    [(3, 3, 3, 8), (6, 7, 4, 69), (15, 15, 5, 572), (19, 19, 5, 1020), (1, 5, 4, 2), (3, 3, 4, 0)],
)
def test_there_are_as_many_lines_as_is_known(rows, columns, length, count):
    assert len(Grid(rows, columns).lines(length)) == count


@pytest.mark.parametrize(("rows", "columns"), SIZES)
@pytest.mark.parametrize("length", [2, 3, 4, 5])
def test_lines_are_those_of_a_slow_search(rows, columns, length):
    lines = Grid(rows, columns).lines(length)
    assert {frozenset(line) for line in lines} == slow_lines(rows, columns, length)
    assert len(set(lines)) == len(lines)


@pytest.mark.parametrize(("rows", "columns"), SIZES)
@pytest.mark.parametrize("length", [2, 3, 4, 5])
def test_a_set_has_a_line_when_it_holds_all_cells_of_one(rows, columns, length):
    grid, chance = Grid(rows, columns), random.Random(f"{rows} {columns} {length}")
    lines = [set_of(*line) for line in slow_lines(rows, columns, length)]
    for _ in range(200):
        share = chance.random()
        cells = set_of(*(c for c in range(rows * columns) if chance.random() < share))
        held = [line for line in lines if cells & line == line]
        assert grid.has_line(cells, length) == bool(held)
        assert sorted(set_of(*line) for line in grid.lines_in(cells, length)) == sorted(held)


def test_no_line_goes_round_an_edge():
    assert not Grid(6, 7).has_line(set_of(5, 6, 7, 8), 4)
    assert not Grid(6, 7).has_line(set_of(6, 14, 22, 30), 4)


def test_the_lines_of_the_square_of_three_come_in_rows_columns_and_diagonals():
    assert Grid(3, 3).lines(3) == (
        (0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6),
    )  # fmt: skip


def test_a_ray_goes_to_the_edge():
    grid = Grid(6, 7)
    assert grid.ray(0, (1, 1)) == (8, 16, 24, 32, 40)
    assert grid.ray(6, (0, 1)) == ()
    assert grid.ray(38, (-1, 0)) == (31, 24, 17, 10, 3)


def test_a_set_and_its_cells():
    grid = Grid(2, 3)
    assert grid.full == 0b111_111
    assert grid.cells_in(0b100_101) == (0, 2, 5)
    assert [grid.cell(row, column) for row, column in [(1, 2), (2, 0), (0, 3), (-1, 0)]] == [
        5, None, None, None,
    ]  # fmt: skip


def test_cells_are_named_as_in_chess():
    grid = Grid(2, 3)
    assert grid.names() == ("a2", "b2", "c2", "a1", "b1", "c1")
    cells = grid.drawn_cells(grid.names())
    assert [(cell.square, cell.x, cell.y) for cell in cells[2:4]] == [("c2", 2, 0), ("a1", 0, 1)]
    assert grid.column_labels() == (("a", 0), ("b", 1), ("c", 2))
    assert grid.row_labels() == (("2", 0), ("1", 1))


def test_more_columns_than_letters_are_refused():
    assert Grid(1, 26).column_labels()[-1] == ("z", 25)
    for named in (Grid(1, 27).names, Grid(1, 27).column_labels):
        with pytest.raises(ValueError, match="27 columns cannot be named"):
            named()


def test_every_line_that_wins_is_drawn_from_end_to_end():
    grid = Grid(6, 7)
    strokes = grid.winning_lines(set_of(35, 36, 37, 38, 39), 4, grid.names(), 1)
    assert strokes == (Line("a1", "d1", 1, win=True), Line("b1", "e1", 1, win=True))
