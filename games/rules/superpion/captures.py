"""Single captures: who can make one, where they land, and whether a way is possible."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from games.rules.superpion.geometry import (
    DOWN_RIGHT,
    FAR_CAPTURES,
    NEAR_CAPTURES,
    UP_RIGHT,
    WHITE,
    Rays,
    Square,
    Squares,
    each,
)
from games.rules.superpion.position import Position
from games.rules.superpion.sides import Colour


def can_capture(position: Position, colour: Colour, own: Squares) -> bool:
    """Tell whether any of these pieces of a colour can capture something."""
    return bool(capturing(position, own, position.prey_of(colour)))


def capturing(position: Position, own: Squares, prey: Squares) -> Squares:
    """Return those of a colour's pieces that can capture something."""
    occupied, high = position.occupied, own & position.supers
    pawns, empty, found = own & ~high, WHITE & ~occupied, 0
    for shift in (UP_RIGHT, DOWN_RIGHT):
        found |= ((pawns << shift & prey) << shift & empty) >> 2 * shift
        found |= ((pawns >> shift & prey) >> shift & empty) << 2 * shift
    for start in each(high):
        if hops(FAR_CAPTURES[start], prey, occupied):
            found |= 1 << start
    return found


def rays(position: Position, start: Square) -> Sequence[Rays]:
    """Return where the piece that stands on `start` captures, from every square."""
    return FAR_CAPTURES if position.supers >> start & 1 else NEAR_CAPTURES


def hops(rays: Rays, prey: Squares, occupied: Squares) -> dict[Square, Squares]:
    """Return where single captures along these rays land, each with the piece that it takes."""
    found = {}
    for ray in rays:
        over = 0
        for square in ray:
            bit = 1 << square
            if not occupied & bit:
                if over:
                    found[square] = over
            elif over or not prey & bit:
                break
            else:
                over = bit
    return found


def follow(position: Position, path: Sequence[Square]) -> Squares | None:
    """Return the pieces that the piece on the path's first square takes by going this way.

    None if the colour to act has no piece there, or it cannot go this way.
    """
    start, taken = path[0], 0
    if not position.pieces[position.colour] >> start & 1:
        return None
    for here, there in pairwise(path):
        over = next_hops(position, start, here, taken).get(there)
        if over is None:
            return None
        taken |= over
    return taken


def next_hops(
    position: Position, start: Square, here: Square, taken: Squares
) -> dict[Square, Squares]:
    """Return the single captures open to the piece from `start` once it is here, having taken.

    What it has taken has left the board, and the square that it came from counts as empty.
    """
    prey = position.prey_of(position.colour) & ~taken
    occupied = position.occupied & ~taken & ~(1 << start)
    return hops(rays(position, start)[here], prey, occupied)
