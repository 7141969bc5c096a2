"""The cross of 220 squares as numbers and bit sets; every table is made once, at import.

A square is the number 16 * column + row, both from 0, so that numbers in order are squares by
column and then by row. A set of squares is an integer whose bit n is square n. Only the white
squares of the cross are ever occupied: that is also why shifting a set cannot wrap round an edge
unseen, since such a shift ends on a black square or in a missing corner.
"""

from __future__ import annotations

from collections.abc import Iterator

Square = int
Squares = int
"""A set of squares."""

SIZE = 16
_ARM = 3

NORTH, EAST = 1, SIZE
UP_RIGHT, DOWN_RIGHT = EAST + NORTH, EAST - NORTH
"""The shifts of the two diagonals, from west to east."""

NAMES = tuple(f"{'abcdefghijklmnop'[n // SIZE]}{n % SIZE + 1}" for n in range(SIZE * SIZE))


def _in_cross(column: int, row: int) -> bool:
    """Tell whether a place of the 16 by 16 grid lies in it and in no missing corner."""
    inside = range(SIZE)
    middle = range(_ARM, SIZE - _ARM)
    return column in inside and row in inside and (column in middle or row in middle)


def is_white(square: Square) -> bool:
    """Tell whether a square of the grid is white."""
    return (square // SIZE + square % SIZE) % 2 == 0


CROSS = tuple(n for n in range(SIZE * SIZE) if _in_cross(*divmod(n, SIZE)))
"""The 220 squares."""

NUMBERS = {NAMES[square]: square for square in CROSS}
"""The squares by their names."""

WHITE: Squares = sum(1 << square for square in CROSS if is_white(square))
"""The 110 squares that are played on."""

EVEN: Squares = sum(1 << n for n in CROSS if n // SIZE % 2 == 1 and n % SIZE % 2 == 1)
"""The white squares whose printed coordinates are even; a pawn never leaves its class."""

ODD: Squares = WHITE & ~EVEN


def _arms(depth: int) -> tuple[Squares, ...]:
    """Return the white squares of the arms, south, west, north, east, `depth` rows deep."""
    found = [0, 0, 0, 0]
    for square in CROSS:
        column, row = divmod(square, SIZE)
        for arm, distance in enumerate((row, column, SIZE - 1 - row, SIZE - 1 - column)):
            if distance < depth and is_white(square):
                found[arm] |= 1 << square
    return tuple(found)


CAMPS = _arms(_ARM)
"""The white squares of the camps."""

BACK_ROWS = _arms(1)
"""The white squares of the camps' back rows, the ones nearest their players."""

CAMP_BEHIND: dict[Square, int] = {
    square: camp for camp in range(4) for square in CROSS if BACK_ROWS[camp] >> square & 1
}
"""The camp whose back row a square belongs to."""


def squares_in(squares: Squares) -> Iterator[Square]:
    """Yield the squares of a set in order."""
    while squares:
        low = squares & -squares
        yield low.bit_length() - 1
        squares ^= low


_DIAGONALS = ((-1, -1), (-1, 1), (1, -1), (1, 1))
_STRAIGHTS = ((-2, 0), (0, -2), (0, 2), (2, 0))

Rays = tuple[tuple[Square, ...], ...]
"""The squares in each of several directions, nearest first."""


def _rays(directions: tuple[tuple[int, int], ...], least: int) -> tuple[Rays, ...]:
    """Return, by white square, the squares from its next one to the edge in each direction.

    Rays of fewer than `least` squares are left out.
    """
    found = []
    for square in range(SIZE * SIZE):
        rays = []
        for east, north in directions if WHITE >> square & 1 else ():
            column, row = square // SIZE + east, square % SIZE + north
            ray = []
            while _in_cross(column, row):
                ray.append(SIZE * column + row)
                column, row = column + east, row + north
            if len(ray) >= least:
                rays.append(tuple(ray))
        found.append(tuple(rays))
    return tuple(found)


STRAIGHTS = _rays(_STRAIGHTS, 1)
"""By square: the white squares along its row and its column."""

FAR_CAPTURES = _rays(_DIAGONALS, 2)
"""By square: where a superpion looks for something to capture, and where it lands."""

NEAR_CAPTURES: tuple[Rays, ...] = tuple(tuple(ray[:2] for ray in rays) for rays in FAR_CAPTURES)
"""By square: the same for a pawn, a piece beside it and the square just behind."""

DIAGONALS: tuple[Squares, ...] = tuple(
    sum(1 << square for ray in rays for square in ray) for rays in FAR_CAPTURES
)
"""By square: all squares where a superpion looks for something to capture, and where it lands."""

PAWN_JUMPS: tuple[tuple[tuple[Square, Squares, Squares], ...], ...] = tuple(
    tuple((ray[1], 1 << ray[0], 1 << ray[1]) for ray in sorted(rays, key=lambda ray: -ray[1]))
    for rays in NEAR_CAPTURES
)
"""By square: where a pawn lands, last square first, with the sets of what it takes and the end."""


def squares_leading_to(goals: Squares, shifts: tuple[int, ...]) -> Squares:
    """Return from where steps by these shifts, as many as one likes, lead to a goal.

    The board is empty; the goals themselves are included.
    """
    found = frontier = goals
    while frontier:
        before = 0
        for shift in shifts:
            before |= frontier >> shift if shift > 0 else frontier << -shift
        frontier = before & WHITE & ~found
        found |= frontier
    return found
