"""The drawing of a position as data: which piece is where, not how it looks.

A game's rules return a `Board`; `games.render` draws it as text, SVG or PNG. Lengths are in
squares, x to the right and y down from the top left corner; floats leave gaps between parts.
`side` is a colour: 0 to 3 for the players' colours, None for what belongs to nobody. Every shape
differs from every other without its colour.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

Shape = Literal["cross", "ring", "disc", "square", "diamond", "triangle", "hexagon"]
"""cross and ring are pen strokes; the others are wooden pieces."""

Shade = Literal["light", "dark", "point"]
"""light and dark are squares of a board; point is a crossing of squared paper."""

Side = int | None


@dataclass(frozen=True, slots=True)
class Cell:
    """A place of the board, one square large, named as in the notation.

    `label` is a short text shown faintly while the cell is empty (the number to type). On a cell
    that is not `used` there is never a piece.
    """

    square: str
    x: float
    y: float
    shade: Shade = "light"
    label: str = ""
    used: bool = True


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece on a cell. `symbol` is its one character on a text board, `name` says it aloud.

    `crown` is the side of a second piece stacked on top: None for no stack, -1 for a crown of no
    colour; `crown_shape` is its shape. `name` is an English source string and says the crown too.
    """

    square: str
    shape: Shape
    side: Side
    symbol: str
    name: str
    crown: int | None = None
    crown_shape: Shape = "disc"


@dataclass(frozen=True, slots=True)
class Line:
    """A stroke between the centres of two cells; `win` marks the line that decided the game."""

    start: str
    end: str
    side: Side = None
    win: bool = False


@dataclass(frozen=True, slots=True)
class Area:
    """A framed part of the board, such as one of nine small boards.

    `target` says that play must go there; `shape` and `side` are drawn large over a closed one.
    """

    x: float
    y: float
    width: float
    height: float
    label: str = ""
    target: bool = False
    closed: bool = False
    shape: Shape | None = None
    side: Side = None


@dataclass(frozen=True, slots=True)
class Heap:
    """A number of like pieces off the board."""

    shape: Shape
    side: Side
    symbol: str
    name: str
    count: int


@dataclass(frozen=True, slots=True)
class Tray:
    """A seat's pieces beside the board: to be placed, or a reserve. `label` is a source string."""

    seat: int
    label: str
    heaps: tuple[Heap, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """A whole drawing. `columns` and `rows` are labels with the x or y of their cells.

    `last` names the squares of the turn just played. `cells` are in reading order.
    """

    width: float
    height: float
    cells: tuple[Cell, ...]
    pieces: tuple[Piece, ...] = ()
    lines: tuple[Line, ...] = ()
    areas: tuple[Area, ...] = ()
    trays: tuple[Tray, ...] = ()
    last: tuple[str, ...] = ()
    columns: tuple[tuple[str, float], ...] = ()
    rows: tuple[tuple[str, float], ...] = ()

    def __hash__(self) -> int:
        """Return a number of what differs between a game's positions: that of all takes long."""
        pieces = tuple([(piece.square, piece.side) for piece in self.pieces])
        return hash((self.width, self.height, len(self.cells), pieces, self.last))

    def turned(self, quarters: int) -> Board:
        """Return the same drawing, turned clockwise by so many quarters of a circle."""
        if quarters == 0:
            return self
        cells = [replace(cell, x=self.height - cell.y - 1, y=cell.x) for cell in self.cells]
        areas = [
            replace(
                area,
                x=self.height - area.y - area.height,
                y=area.x,
                width=area.height,
                height=area.width,
            )
            for area in self.areas
        ]
        turned = replace(
            self,
            width=self.height,
            height=self.width,
            cells=tuple(sorted(cells, key=lambda cell: (cell.y, cell.x))),
            areas=tuple(sorted(areas, key=lambda area: (area.y, area.x))),
            columns=tuple((label, self.height - y - 1) for label, y in self.rows),
            rows=self.columns,
        )
        return turned.turned(quarters - 1)
