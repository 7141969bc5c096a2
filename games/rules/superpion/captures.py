"""Captures: the chains that gain the most, found without ever enumerating their ways."""

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
from games.rules.superpion.position import Action, Position
from games.rules.superpion.seating import Colour


def best_captures(position: Position, own: Squares) -> list[Action]:
    """Return the chains of these pieces that gain the most pawns, without their crowns."""
    prey = position.prey_of(position.colour)
    capturing = _capturing(position, own, prey)
    if not capturing:
        return []
    field, best, found = Field(position, prey), 1, list[Action]()
    for start in each(capturing):
        chains = Chains(field, start)
        if chains.gain > best:
            best, found = chains.gain, []
        if chains.gain == best:
            found += chains.actions()
    return found


def can_capture(position: Position, colour: Colour, own: Squares) -> bool:
    """Tell whether any of these pieces of a colour can capture something."""
    return bool(_capturing(position, own, position.prey_of(colour)))


def _capturing(position: Position, own: Squares, prey: Squares) -> Squares:
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


class Field:
    """What stands in the way of a colour's captures, in small numbers for a quick search.

    `at` holds for each square 0 if nothing stands there, a bit of its own for each piece that may
    be taken, or FRIEND.
    """

    def __init__(self, position: Position, prey: Squares) -> None:
        self.position = position
        self.prey = tuple(each(prey))
        self.at = [0] * 256
        self.friend = 1 << len(self.prey)
        self.high = 0
        """The bits of the superpions that may be taken."""
        for square in each(position.occupied & ~prey):
            self.at[square] = self.friend
        for number, square in enumerate(self.prey):
            self.at[square] = 1 << number
            self.high |= (position.supers >> square & 1) << number

    def squares(self, taken: int) -> Squares:
        """Return the squares of the pieces with these bits."""
        return sum(1 << self.prey[number] for number in each(taken))


class Chains:
    """Every chain of captures of one piece that gains the most pawns it can.

    What a chain can still do depends only on where the piece stands and on what it has taken: each
    such state is visited once. Ways are followed in the order of their landing squares, so the
    way that first comes to a state is the canonical one of all that do.
    """

    def __init__(self, field: Field, start: Square) -> None:
        self._field, self._at, self._start = field, field.at, start
        self._rays = rays(field.position, start)
        self._path = [start]
        self._seen = set[int]()
        self._best = dict[tuple[Square, int], tuple[Square, ...]]()
        self.gain = 0
        """How many pawns each of the chains gains."""
        self._at[start] = 0
        self._visit(start, 0, 0)
        self._at[start] = field.friend

    @property
    def visited(self) -> int:
        """How many states were visited."""
        return len(self._seen) + 1

    def actions(self) -> list[Action]:
        """Return the chains, each in its canonical way."""
        squares = self._field.squares
        return [Action(path, squares(taken)) for (_, taken), path in self._best.items()]

    def _visit(self, here: Square, taken: int, gain: int) -> None:
        for end, over in self._hops(here, ~taken):
            after = taken | over
            state = after << 8 | end
            if state not in self._seen:
                self._seen.add(state)
                self._path.append(end)
                gained = gain + (2 if over & self._field.high else 1)
                if gained >= self.gain:
                    self._keep(end, after, gained)
                self._visit(end, after, gained)
                self._path.pop()

    def _hops(self, here: Square, left: int) -> list[tuple[Square, int]]:
        """Return the captures from here, in order: `hops` again, with small numbers."""
        at, friend, found = self._at, self._field.friend, []
        for ray in self._rays[here]:
            over = 0
            for square in ray:
                piece = at[square] & left
                if not piece:
                    if over:
                        found.append((square, over))
                elif over or piece == friend:
                    break
                else:
                    over = piece
        found.sort()
        return found

    def _keep(self, end: Square, taken: int, gain: int) -> None:
        if gain > self.gain:
            self.gain = gain
            self._best.clear()
        self._best[end, taken] = tuple(self._path)
