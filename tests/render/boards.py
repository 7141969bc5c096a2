"""Boards drawn by hand for the tests, one for each thing that a drawing must be able to show."""

from __future__ import annotations

from games.rules.board import Area, Board, Cell, Heap, Line, Piece, Tray

GAP = 0.35


def cross(square: str) -> Piece:
    """Return a cross of side 0."""
    return Piece(square, "cross", 0, "X", "cross")


def ring(square: str) -> Piece:
    """Return a ring of side 1."""
    return Piece(square, "ring", 1, "O", "ring")


def noughts_and_crosses(**changes: object) -> Board:
    """Return three by three numbered cells where crosses have just won by 1-5-9."""
    board = {
        "width": 3,
        "height": 3,
        "cells": tuple(Cell(str(n + 1), n % 3, n // 3, label=str(n + 1)) for n in range(9)),
        "pieces": (cross("1"), ring("2"), cross("5"), ring("6"), cross("9")),
        "lines": (Line("1", "9", 0, win=True),),
        "last": ("9",),
    }
    return Board(**{**board, **changes})  # type: ignore[arg-type]


def nine_boards() -> Board:
    """Return nine boards: 1 won by a cross, 5 by a ring, 3 closed to both, play is in 6."""
    cells = tuple(
        Cell(
            f"{row // 3 * 3 + col // 3 + 1}{row % 3 * 3 + col % 3 + 1}",
            col + GAP * (col // 3),
            row + GAP * (row // 3),
        )
        for row in range(9)
        for col in range(9)
    )
    owners = {1: ("cross", 0), 5: ("ring", 1)}
    areas = tuple(
        Area(
            (n - 1) % 3 * (3 + GAP),
            (n - 1) // 3 * (3 + GAP),
            3,
            3,
            label=str(n),
            target=n == 6,
            closed=n in (1, 3, 5),
            shape=owners[n][0] if n in owners else None,  # type: ignore[arg-type]
            side=owners[n][1] if n in owners else None,
        )
        for n in range(1, 10)
    )
    pieces = (cross("11"), cross("12"), cross("13"), ring("51"), ring("55"), ring("59"))
    pieces += (cross("68"), ring("46"), cross("31"))
    return Board(9 + 2 * GAP, 9 + 2 * GAP, cells, pieces, areas=areas, last=("46", "59"))


def men_on_three_rows() -> Board:
    """Return lettered and numbered cells, men of wood, and a tray for each seat."""
    cells = tuple(Cell("abc"[n % 3] + str(3 - n // 3), n % 3, n // 3) for n in range(9))
    return Board(
        3,
        3,
        cells,
        pieces=(
            Piece("b3", "square", None, "T", "taquet"),
            Piece("b2", "diamond", 1, "V", "diamond"),
            Piece("a1", "disc", 0, "O", "disc"),
        ),
        trays=(
            Tray(0, "In hand", (Heap("disc", 0, "O", "disc", 2),)),
            Tray(1, "In hand", (Heap("diamond", 1, "V", "diamond", 0),)),
        ),
        last=("b3", "b2"),
        columns=(("a", 0), ("b", 1), ("c", 2)),
        rows=(("3", 0), ("2", 1), ("1", 2)),
    )


def great_cross() -> Board:
    """Return a board of 16 by 16 without corners, light and dark, with stacks and reserves."""
    letters = "abcdefghijklmnop"
    cells = tuple(
        Cell(f"{letters[x]}{16 - y}", x, y, "dark" if (x + y) % 2 == 0 else "light")
        for y in range(16)
        for x in range(16)
        if 3 <= x <= 12 or 3 <= y <= 12
    )
    return Board(
        16,
        16,
        cells,
        pieces=(
            Piece("e3", "disc", 0, "b", "blue pawn"),
            Piece("a5", "square", 1, "r", "red pawn"),
            Piece("g5", "disc", 0, "B", "blue superpion", crown=1, crown_shape="square"),
            Piece("j8", "square", 1, "R", "red superpion", crown=-1, crown_shape="hexagon"),
        ),
        trays=(Tray(0, "Blue", (Heap("square", 1, "r", "red pawn", 12),)),),
        columns=tuple((letters[x], x) for x in range(16)),
        rows=tuple((str(16 - y), y) for y in range(16)),
    )


def squared_paper() -> Board:
    """Return a sheet of 26 by 26 points with a line of five circles, one of them coloured."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    cells = tuple(
        Cell(f"{letters[x]}{26 - y}", x, y, "point") for y in range(26) for x in range(26)
    )
    circles = tuple(Piece(f"{c}12", "ring", None, "o", "circle") for c in "klmn")
    return Board(
        26,
        26,
        cells,
        pieces=(*circles, Piece("o12", "disc", 0, "@", "blue circle")),
        lines=(Line("k12", "o12"),),
        last=("o12",),
        columns=tuple((letters[x], x) for x in range(26)),
        rows=tuple((str(26 - y), y) for y in range(26)),
    )


ALL = {
    board.__name__: board()
    for board in (noughts_and_crosses, nine_boards, men_on_three_rows, great_cross, squared_paper)
}
