"""The cross as a player sees it: the own camp at the bottom."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise

from games.rules.base import N_, Seat
from games.rules.board import Area, Board, Cell, Heap, Line, Piece, Shape, Tray
from games.rules.superpion.geometry import CROSS, NAMES, SIZE, Square, each, is_white
from games.rules.superpion.position import Action, Position
from games.rules.superpion.sides import BLUE, BOX, COLOURS, Colour

_EDGE = SIZE - 1

_FROM: tuple[Callable[[int, int], tuple[int, int]], ...] = (
    lambda column, row: (column, _EDGE - row),
    lambda column, row: (_EDGE - row, _EDGE - column),
    lambda column, row: (_EDGE - column, row),
    lambda column, row: (row, column),
)
"""By the colour at the bottom: where a column and a row lie, to the right and down."""

_SHAPES: tuple[Shape, ...] = ("disc", "square", "diamond", "triangle", "hexagon")
_SYMBOLS = "bryk0"
_PAWNS = (
    N_("blue pawn"),
    N_("red pawn"),
    N_("yellow pawn"),
    N_("black pawn"),
    N_("pawn from the box"),
)
_SUPERPIONS = (
    (
        N_("blue superpion, crown blue"),
        N_("blue superpion, crown red"),
        N_("blue superpion, crown yellow"),
        N_("blue superpion, crown black"),
        N_("blue superpion, crown from the box"),
    ),
    (
        N_("red superpion, crown blue"),
        N_("red superpion, crown red"),
        N_("red superpion, crown yellow"),
        N_("red superpion, crown black"),
        N_("red superpion, crown from the box"),
    ),
    (
        N_("yellow superpion, crown blue"),
        N_("yellow superpion, crown red"),
        N_("yellow superpion, crown yellow"),
        N_("yellow superpion, crown black"),
        N_("yellow superpion, crown from the box"),
    ),
    (
        N_("black superpion, crown blue"),
        N_("black superpion, crown red"),
        N_("black superpion, crown yellow"),
        N_("black superpion, crown black"),
        N_("black superpion, crown from the box"),
    ),
)
"""By the colour of the piece and that of its upper pawn."""

_RESERVES = (
    N_("Reserve of Blue"),
    N_("Reserve of Red"),
    N_("Reserve of Yellow"),
    N_("Reserve of Black"),
)


def board(position: Position, viewer: Seat | None, last: Sequence[Action]) -> Board:
    """Return the drawing, seen from the viewer's first camp, or from the south."""
    bottom = BLUE if viewer is None else position.seating.colours(viewer)[0]
    columns, rows = _labels(bottom)
    return Board(
        width=SIZE,
        height=SIZE,
        cells=_cells(bottom),
        pieces=tuple(_piece(position, c, n) for c in COLOURS for n in each(position.pieces[c])),
        lines=tuple(line for action in last for line in _way(position, action)),
        areas=_camps(),
        trays=_trays(position),
        last=tuple(dict.fromkeys(NAMES[n] for action in last for n in action.path)),
        columns=columns,
        rows=rows,
    )


@cache
def _cells(bottom: Colour) -> tuple[Cell, ...]:
    found = []
    for square in CROSS:
        x, y = _FROM[bottom](*divmod(square, SIZE))
        white = is_white(square)
        found.append(Cell(NAMES[square], x, y, "light" if white else "dark", used=white))
    return tuple(sorted(found, key=lambda cell: (cell.y, cell.x)))


Labels = tuple[tuple[str, float], ...]


@cache
def _labels(bottom: Colour) -> tuple[Labels, Labels]:
    """Return the labels below the board and those beside it; letters are at the side for some."""
    letters = [("abcdefghijklmnop"[n], _FROM[bottom](n, 0)) for n in range(SIZE)]
    numbers = [(str(n + 1), _FROM[bottom](0, n)) for n in range(SIZE)]
    across, down = (
        (letters, numbers) if letters[0][1][0] != letters[1][1][0] else (numbers, letters)
    )
    return tuple((name, x) for name, (x, _) in across), tuple((name, y) for name, (_, y) in down)


@cache
def _camps() -> tuple[Area, ...]:
    return (Area(3, 13, 10, 3), Area(0, 3, 3, 10), Area(3, 0, 10, 3), Area(13, 3, 3, 10))


def _piece(position: Position, colour: Colour, square: Square) -> Piece:
    crown, name, symbol = position.crown_at(square), NAMES[square], _SYMBOLS[colour]
    if crown is None:
        return Piece(name, _SHAPES[colour], colour, symbol, _PAWNS[colour])
    return Piece(
        name,
        _SHAPES[colour],
        colour,
        symbol.upper(),
        _SUPERPIONS[colour][crown],
        crown=-1 if crown == BOX else crown,
        crown_shape=_SHAPES[crown],
    )


def _way(position: Position, action: Action) -> list[Line]:
    """Return the strokes that show which way a capture went."""
    if not action.taken:
        return []
    colour = position.colour_at(action.path[-1])
    return [Line(NAMES[one], NAMES[other], colour) for one, other in pairwise(action.path)]


def _trays(position: Position) -> tuple[Tray, ...]:
    seating = position.seating
    return tuple(
        Tray(seat, _RESERVES[colour], _heaps(position, colour))
        for seat in range(seating.seats)
        for colour in seating.colours(seat)
    )


def _heaps(position: Position, colour: Colour) -> tuple[Heap, ...]:
    return tuple(
        Heap(_SHAPES[c], None if c == BOX else c, _SYMBOLS[c], _PAWNS[c], count)
        for c, count in enumerate(position.reserves[colour])
        if count
    )
