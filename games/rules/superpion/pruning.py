"""Whether a long capture can still take all that it should: this keeps a search short.

A piece among twenty others has more orders to take them in than can be tried, and nearly all of
those leave something behind that can no longer be reached. This is asked about many landing squares
at once, and the answers are kept.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from math import inf

from games.rules.superpion.geometry import DOWN_RIGHT, UP_RIGHT, WHITE, Square, Squares, squares_in

Sides = tuple[Squares, Squares] | None
"""The empty squares on either side of a piece; None if one side has none."""

Line = tuple[int, dict[int, Sides], Callable[[int], Sides]]
"""Of a piece's diagonal: the pieces on it, its sides by those left there, and who finds them."""

QUESTIONS_FORWARD = 2_000
"""After so many questions, the search for certain ends begins to go back from them as well."""

QUESTIONS_A_SET = 3
"""It goes one piece further back after so many questions for each set of pieces met last."""


class CaptureMap:
    """The prey, and where it can be taken from and to, by the pieces that are still there.

    `prey` are the squares of the pieces that may be taken, piece number n being bit n of a set of
    pieces; `superpions` are those among them. `blocked` are squares that never become empty.
    `near` tells that the piece that captures is a pawn.
    """

    def __init__(
        self, prey: tuple[Square, ...], superpions: int, blocked: Squares, *, near: bool
    ) -> None:
        self.prey, self.superpions = prey, superpions
        self._length = 1 if near else 16
        # Pieces that can never be taken, in whatever order, stay where they are.
        safe, taken = sum(1 << square for square in prey), WHITE
        while taken:
            free, taken = WHITE & ~blocked & ~safe, 0
            for shift in (UP_RIGHT, DOWN_RIGHT):
                taken |= safe & free << shift & free >> shift
            safe ^= taken
        self.blocked = blocked | safe
        self.lines = tuple(
            [self._line(square, shift) for shift in (UP_RIGHT, DOWN_RIGHT)] for square in prey
        )

    def _line(self, square: Square, shift: int) -> Line:
        """Return the pieces on a piece's diagonal, and what is known of it by those left there."""
        behind, ahead = _beyond(square, -shift), _beyond(square, shift)
        line = sum(behind) | sum(ahead)
        others = sum(1 << n for n, other in enumerate(self.prey) if line >> other & 1)
        known = dict[int, Sides]()

        def look(left: int) -> Sides:
            """Return what is empty beside the piece when these others are left."""
            occupied, sides = self.blocked, None
            for number in squares_in(left):
                occupied |= 1 << self.prey[number]
            if not occupied >> square & 1:
                one = _until(behind[: self._length], occupied)
                other = _until(ahead[: self._length], occupied)
                sides = (one, other) if one and other else None
            known[left] = sides
            return sides

        return others, known, look

    def open_lines(self, number: int) -> list[tuple[Squares, Squares]]:
        """Return the sides of a piece that is the last one left."""
        return [sides for _, _, look in self.lines[number] if (sides := look(0))]

    def within_reach(self, start: Square) -> int:
        """Return the pieces that could be taken from a square if no other were in the way."""
        squares, pieces, before = 1 << start, 0, -1
        while squares != before:
            before = squares
            for number in range(len(self.prey)):
                for one, other in self.open_lines(number):
                    if squares & (one | other):
                        pieces |= 1 << number
                        squares |= (other if squares & one else 0) | (one if squares & other else 0)
        return pieces


class Feasibility:
    """Whether all of some pieces but for a certain loss, in pawns, can be taken from a square."""

    def __init__(self, capture_map: CaptureMap, pieces: int, loss: int) -> None:
        self._superpions, self.loss = capture_map.superpions, loss
        self._lines = {1 << number: capture_map.lines[number] for number in squares_in(pieces)}
        self._around = {1 << square: 0 for square in squares_in(WHITE)}
        """By square: the pieces that might be taken from there."""
        for number in squares_in(pieces):
            for one, other in capture_map.open_lines(number):
                for square in squares_in(one | other):
                    self._around[1 << square] |= 1 << number
        self._good = dict[int, Squares]()
        self._bad = dict[int, Squares]()
        self._last = pieces
        self.asked = 0
        """How many questions were not answered from memory, and how many sets were met behind."""
        self._depth, self._layer, self._back = 0, {0: WHITE}, {0: WHITE}
        self._max_asked: float = inf

    def towards(self, goals: Squares, last: int) -> Feasibility:
        """Return the same with an end on one of these squares, behind one of these last pieces.

        There is no loss then, and what is known to be impossible remains so.
        """
        found = copy(self)
        found._good, found._bad = {}, dict(self._bad)
        found._last = last
        found._depth, found._layer, found._back = 0, {0: goals}, {0: goals}
        found._max_asked = self.asked + QUESTIONS_FORWARD
        return found

    def some(self, left: int, ends: Squares) -> Squares:
        """Return one or more of these squares from which it is possible, none only if none is."""
        if left.bit_count() <= self._depth:
            return self._back.get(left, 0) & ends
        good = self._good.get(left, 0) & ends
        if good:
            return good
        ends &= ~self._bad.get(left, 0)
        if not ends:
            return 0
        self.asked += 1
        if self.asked > self._max_asked:
            self._go_back()
            good = self.some(left, ends)
        elif left.bit_count() + (left & self._superpions).bit_count() <= self.loss:
            good = ends
        elif left & self._last:
            good = self._take_next(left, ends)
        if good:
            self._good[left] = self._good.get(left, 0) | good
        else:
            self._bad[left] = self._bad.get(left, 0) | ends
        return good

    def _take_next(self, left: int, ends: Squares) -> Squares:
        """Return those of the ends from which the first piece that may be next can be taken."""
        near = self._near(ends) & left
        while near:
            piece = near & -near
            near ^= piece
            for others, known, look in self._lines[piece]:
                here = others & left
                sides = known[here] if here in known else look(here)
                if sides:
                    one, other = sides
                    land = (other if ends & one else 0) | (one if ends & other else 0)
                    good = self.some(left ^ piece, land) if land else 0
                    if good:
                        return ends & ((one if good & other else 0) | (other if good & one else 0))
        return 0

    def _near(self, squares: Squares) -> int:
        """Return the pieces that might be taken from any of these squares."""
        near = 0
        while squares:
            square = squares & -squares
            squares ^= square
            near |= self._around[square]
        return near

    def _go_back(self) -> None:
        """Find every way back from the goals by one capture more.

        A capture can be followed in either direction: what is on a diagonal just before it and
        just after it is the same, but for the piece itself.
        """
        layer = dict[int, Squares]()
        for left, ends in self._layer.items():
            for piece in (1 << number for number in squares_in(self._near(ends) & ~left)):
                for others, known, look in self._lines[piece]:
                    here = others & left
                    sides = known[here] if here in known else look(here)
                    if sides:
                        one, other = sides
                        before = (other if ends & one else 0) | (one if ends & other else 0)
                        if before:
                            layer[left | piece] = layer.get(left | piece, 0) | before
        self._depth, self._layer = self._depth + 1, layer
        self._back.update(layer)
        self.asked += len(layer)
        self._max_asked = self.asked + QUESTIONS_A_SET * len(layer)


def _beyond(square: Square, shift: int) -> tuple[Squares, ...]:
    """Return the squares in one direction, nearest first, each as a set."""
    found, at = [], square + shift
    while at >= 0 and WHITE >> at & 1:
        found.append(1 << at)
        at += shift
    return tuple(found)


def _until(squares: tuple[Squares, ...], occupied: Squares) -> Squares:
    """Return the squares before the first one that is occupied."""
    found = 0
    for square in squares:
        if square & occupied:
            break
        found |= square
    return found
