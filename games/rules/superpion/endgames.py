"""From where the last pieces of a long capture can be taken: what keeps a search short.

A superpion among twenty others has more orders to take them in than can be tried, and nearly all
of those leave a piece behind that can no longer be reached. This table says so in advance.
"""

from __future__ import annotations

from games.rules.superpion.geometry import DOWN_RIGHT, UP_RIGHT, WHITE, Square, Squares, each

FEW = 7
"""Tables are made for at most so many pieces."""

Sides = tuple[Squares, Squares] | None
"""The empty squares on either side of a piece; None if one side has none."""


def _beyond(square: Square, shift: int) -> tuple[Squares, ...]:
    """Return the squares in one direction, nearest first, each as a set."""
    found, at = [], square + shift
    while at >= 0 and WHITE >> at & 1:
        found.append(1 << at)
        at += shift
    return tuple(found)


class Endgames:
    """Where a superpion must stand to take all of a few pieces but for a certain loss.

    `prey` are the squares of the pieces that may be taken, piece number n being bit n of a set of
    pieces; `high` are the superpions among them. `blocked` are squares that never become empty: the
    fewer are named, the more the table promises, and it must never promise too little.
    """

    def __init__(self, prey: tuple[Square, ...], high: int, blocked: Squares, loss: int) -> None:
        self._prey, self._high, self._blocked, self._loss = prey, high, blocked, loss
        self._starts = dict[int, Squares]()
        self._diagonals = tuple(
            (self._diagonal(square, UP_RIGHT), self._diagonal(square, DOWN_RIGHT))
            for square in prey
        )

    def _diagonal(self, square: Square, shift: int) -> tuple[int, dict[int, Sides], int]:
        """Return the pieces on a piece's diagonal, and what is known of it by those left there."""
        line = sum(_beyond(square, shift)) | sum(_beyond(square, -shift))
        others = sum(1 << n for n, other in enumerate(self._prey) if line >> other & 1)
        return others, {}, shift

    def starts(self, pieces: int) -> Squares:
        """Return the squares from which these pieces can be taken one after the other."""
        found = self._starts.get(pieces)
        if found is None:
            found = self._starts[pieces] = self._find(pieces)
        return found

    def _find(self, pieces: int) -> Squares:
        if pieces.bit_count() + (pieces & self._high).bit_count() <= self._loss:
            return WHITE
        found, left = 0, pieces
        while left:
            piece = left & -left
            left ^= piece
            for others, known, shift in self._diagonals[piece.bit_length() - 1]:
                here = others & pieces
                sides = known[here] if here in known else self._look(piece, known, here, shift)
                if sides:
                    after = self._starts.get(pieces ^ piece)
                    if after is None:
                        after = self.starts(pieces ^ piece)
                    one, other = sides
                    if after & one:
                        found |= other
                    if after & other:
                        found |= one
        return found

    def _look(self, piece: int, known: dict[int, Sides], others: int, shift: int) -> Sides:
        """Return, and keep in `known`, what is empty beside a piece while these others stand."""
        square, occupied = self._prey[piece.bit_length() - 1], self._blocked
        for other in each(others):
            occupied |= 1 << self._prey[other]
        before = _until(_beyond(square, -shift), occupied)
        behind = _until(_beyond(square, shift), occupied)
        known[others] = (before, behind) if before and behind else None
        return known[others]


def _until(squares: tuple[Squares, ...], occupied: Squares) -> Squares:
    """Return the squares before the first one that is occupied."""
    found = 0
    for square in squares:
        if square & occupied:
            break
        found |= square
    return found
