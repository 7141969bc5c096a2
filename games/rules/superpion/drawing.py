"""The cross as a player sees it: their own camp at the bottom."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise

from games.rules.base import N_, Seat
from games.rules.board import Area, Board, Cell, Heap, Line, Piece, Shape, Tray
from games.rules.superpion.geometry import CROSS, NAMES, SIZE, Square, is_white, squares_in
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


_CAMPS = (Area(3, 13, 10, 3), Area(0, 3, 3, 10), Area(3, 0, 10, 3), Area(13, 3, 3, 10))

Labels = tuple[tuple[str, float], ...]


def board(position: Position, viewer: Seat | None, last: Sequence[Action]) -> Board:
    """Return the drawing, seen from the viewer's first camp, or from the south."""
    seating = position.seating
    cells, columns, rows = _frame(BLUE if viewer is None else seating.colours(viewer)[0])
    pieces: list[Piece] = []
    for colour in COLOURS:
        own = squares_in(position.pieces[colour])
        pieces += [_piece(colour, square, position.crown_at(square)) for square in own]
    # The way of a capture is drawn.
    lines = tuple(
        Line(NAMES[one], NAMES[other], position.colour_at(action.path[-1]))
        for action in last
        if action.taken
        for one, other in pairwise(action.path)
    )
    trays = []
    for seat in range(seating.seats):
        for colour in seating.colours(seat):
            heaps = tuple(
                Heap(_SHAPES[c], None if c == BOX else c, _SYMBOLS[c], _PAWNS[c], count)
                for c, count in enumerate(position.reserves[colour])
                if count
            )
            trays.append(Tray(seat, _RESERVES[colour], heaps))
    return Board(
        width=SIZE,
        height=SIZE,
        cells=cells,
        pieces=tuple(pieces),
        lines=lines,
        areas=_CAMPS,
        trays=tuple(trays),
        last=tuple(dict.fromkeys(NAMES[n] for action in last for n in action.path)),
        columns=columns,
        rows=rows,
    )


@cache
def _piece(colour: Colour, square: Square, crown: Colour | None) -> Piece:
    name, shape, symbol = NAMES[square], _SHAPES[colour], _SYMBOLS[colour]
    if crown is None:
        return Piece(name, shape, colour, symbol, _PAWNS[colour])
    spoken = _SUPERPIONS[colour][crown]
    top, on_top = -1 if crown == BOX else crown, _SHAPES[crown]
    return Piece(name, shape, colour, symbol.upper(), spoken, top, on_top)


@cache
def _frame(bottom: Colour) -> tuple[tuple[Cell, ...], Labels, Labels]:
    """Return the cells and the labels below and beside them, with this colour's camp below.

    Seen from the west or the east, the letters are at the side.
    """
    place = _FROM[bottom]
    cells = []
    for square in CROSS:
        x, y = place(*divmod(square, SIZE))
        white = is_white(square)
        cells.append(Cell(NAMES[square], x, y, "light" if white else "dark", used=white))
    cells.sort(key=lambda cell: (cell.y, cell.x))
    letters = [("abcdefghijklmnop"[n], place(n, 0)) for n in range(SIZE)]
    numbers = [(str(n + 1), place(0, n)) for n in range(SIZE)]
    letters_below = letters[0][1][0] != letters[1][1][0]
    across, down = (letters, numbers) if letters_below else (numbers, letters)
    columns = tuple((name, x) for name, (x, _) in across)
    return tuple(cells), columns, tuple((name, y) for name, (_, y) in down)
