"""Rectangular grids of any size: sets of cells, directions, lines of n in a row, names.

Cells are numbered from 0 in reading order; a set of cells is an integer whose bit n is cell n.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from string import ascii_lowercase

from games.rules.board import Cell, Line, Shade

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
"""Right, down and both diagonals, as steps of rows and columns: one way along each line."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A grid of so many rows and columns, each 1 or more."""

    rows: int
    columns: int

    @property
    def full(self) -> int:
        """The set of all cells."""
        return (1 << self.rows * self.columns) - 1

    def cell(self, row: int, column: int) -> int | None:
        """Return the cell at a row and a column, both from 0; None outside the grid."""
        inside = 0 <= row < self.rows and 0 <= column < self.columns
        return row * self.columns + column if inside else None

    def cells_in(self, cells: int) -> tuple[int, ...]:
        """Return the cells of a set in reading order."""
        return tuple(cell for cell in range(cells.bit_length()) if cells >> cell & 1)

    def ray(self, start: int, direction: tuple[int, int]) -> tuple[int, ...]:
        """Return the cells from `start`, itself not included, to the edge in a direction.

        A direction is a step of rows and columns, each -1, 0 or 1, and not both 0.
        """
        row, column = divmod(start, self.columns)
        found: list[int] = []
        while True:
            row, column = row + direction[0], column + direction[1]
            following = self.cell(row, column)
            if following is None:
                return tuple(found)
            found.append(following)

    # Lines ---------------------------------------------------------------------------------------

    def lines(self, length: int) -> tuple[tuple[int, ...], ...]:
        """Return every line of so many cells: all to the right first, then as in DIRECTIONS."""
        return _lines(self.rows, self.columns, length)

    def has_line(self, cells: int, length: int) -> bool:
        """Tell whether a set holds `length` or more cells in a row, 2 at least."""
        for step, starts in _starts(self.rows, self.columns, length):
            run = starts & cells
            for distance in range(step, step * length, step):
                run &= cells >> distance
            if run:
                return True
        return False

    def lines_in(self, cells: int, length: int) -> list[tuple[int, ...]]:
        """Return every line of so many cells that the set holds."""
        return [line for line in self.lines(length) if all(cells >> cell & 1 for cell in line)]

    # Names and drawing ---------------------------------------------------------------------------

    def names(self) -> tuple[str, ...]:
        """Return the cells' names: columns from a to z, rows from 1 at the bottom, as in chess.

        Raises ValueError with more than 26 columns.
        """
        letters = self._letters()
        return tuple(
            f"{letters[column]}{self.rows - row}"
            for row in range(self.rows)
            for column in range(self.columns)
        )

    def _letters(self) -> str:
        if self.columns > len(ascii_lowercase):
            raise ValueError(f"{self.columns} columns cannot be named by the letters from a to z.")
        return ascii_lowercase[: self.columns]

    def drawn_cells(self, names: Sequence[str], shade: Shade = "light") -> tuple[Cell, ...]:
        """Return the cells of a drawing, by their names in reading order."""
        return tuple(
            Cell(name, cell % self.columns, cell // self.columns, shade)
            for cell, name in enumerate(names)
        )

    def column_labels(self) -> tuple[tuple[str, float], ...]:
        """Return the letters of the columns with their places, for `Board.columns`.

        Raises ValueError with more than 26 columns.
        """
        return tuple((letter, column) for column, letter in enumerate(self._letters()))

    def row_labels(self) -> tuple[tuple[str, float], ...]:
        """Return the numbers of the rows with their places, for `Board.rows`."""
        return tuple((str(self.rows - row), row) for row in range(self.rows))

    def winning_lines(
        self, cells: int, length: int, names: Sequence[str], side: int
    ) -> tuple[Line, ...]:
        """Return the strokes over the lines that the set holds; `names` are the cells' names."""
        return tuple(
            Line(names[line[0]], names[line[-1]], side, win=True)
            for line in self.lines_in(cells, length)
        )


@cache
def _lines(rows: int, columns: int, length: int) -> tuple[tuple[int, ...], ...]:
    grid = Grid(rows, columns)
    return tuple(
        (start, *ray[: length - 1])
        for direction in DIRECTIONS
        for start in range(rows * columns)
        if len(ray := grid.ray(start, direction)) >= length - 1
    )


@cache
def _starts(rows: int, columns: int, length: int) -> tuple[tuple[int, int], ...]:
    """Return each step between the cells of lines, with the set of cells where they begin."""
    starts: dict[int, int] = {}
    for line in _lines(rows, columns, length):
        step = line[1] - line[0]
        starts[step] = starts.get(step, 0) | 1 << line[0]
    return tuple(starts.items())
