"""Chains of captures: those that gain the most, found without ever enumerating their ways."""

from __future__ import annotations

from functools import cached_property

from games.rules.superpion.captures import capturing, rays
from games.rules.superpion.endgames import FEW, Endgames
from games.rules.superpion.geometry import DOWN_RIGHT, UP_RIGHT, WHITE, Square, Squares, each
from games.rules.superpion.position import Action, Position

PATIENCE = 10_000
"""A search that has visited more states than this makes tables to stay short."""

_ANY = -1
"""All pieces, however many there are."""


def best_captures(position: Position, own: Squares) -> list[Action]:
    """Return the chains of these pieces that gain the most pawns, without their crowns."""
    prey = position.prey_of(position.colour)
    able = capturing(position, own, prey)
    if not able:
        return []
    field, best, found = Field(position, prey, able), 1, list[Action]()
    for start in each(able):
        chains = Chains(field, start, best)
        if chains.gain > best:
            best, found = chains.gain, []
        if chains.gain == best:
            found += chains.actions()
    return found


class Field:
    """What stands in the way of a colour's captures, in small numbers for a quick search.

    `at` holds for each square 0 if nothing stands there, a bit of its own for each piece that may
    be taken, or `friend`. `high` are the bits of the superpions that may be taken.
    """

    def __init__(self, position: Position, prey: Squares, able: Squares) -> None:
        self.position = position
        self.prey = tuple(each(prey))
        self.at = [0] * 256
        self.friend = 1 << len(self.prey)
        self.high = 0
        # The piece that captures leaves its square, so none of theirs is an obstacle for sure.
        self._obstacles = position.occupied & ~prey & ~able
        for square in each(position.occupied & ~prey):
            self.at[square] = self.friend
        for number, square in enumerate(self.prey):
            self.at[square] = 1 << number
            self.high |= (position.supers >> square & 1) << number
        self._endgames = dict[int, Endgames]()

    def squares(self, taken: int) -> Squares:
        """Return the squares of the pieces with these bits."""
        return sum(1 << self.prey[number] for number in each(taken))

    def worth(self, pieces: int) -> int:
        """Return how many pawns these pieces are made of."""
        return pieces.bit_count() + (pieces & self.high).bit_count()

    @cached_property
    def within_reach(self) -> int:
        """The pieces that could be taken if no other were left to be taken."""
        free = WHITE & ~self._obstacles
        beside = 0
        for shift in (UP_RIGHT, DOWN_RIGHT):
            beside |= free << shift & free >> shift
        return sum(1 << number for number, square in enumerate(self.prey) if beside >> square & 1)

    def endgames(self, loss: int) -> Endgames:
        """Return the table of how to take all the pieces within reach but for this loss."""
        if loss not in self._endgames:
            self._endgames[loss] = Endgames(self.prey, self.high, self._obstacles, loss)
        return self._endgames[loss]


class Chains:
    """Every chain of captures of one piece that gains the most pawns it can, `least` or more.

    What a chain can still do depends only on where the piece stands and on what it has taken: each
    such state is visited once. Ways are followed in the order of their landing squares, so the
    way that first comes to a state is the canonical one of all that do. When there are many states,
    those from which too much is left behind are not visited at all.
    """

    def __init__(self, field: Field, start: Square, least: int = 1) -> None:
        self._field, self._at = field, field.at
        self._rays = rays(field.position, start)
        self._path = [start]
        self._seen = set[int]()
        self._best = dict[tuple[Square, int], tuple[Square, ...]]()
        self._endgames: Endgames | None = None
        self._open = dict[Square, int]()
        self._last = _ANY
        self._done = False
        self.gain = least
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
        seen, path, high = self._seen, self._path, self._field.high
        hops = self._hops(here, ~taken)
        if len(seen) > PATIENCE:
            hops = self._promising(hops, taken)
        hops.sort()
        for end, over in hops:
            after = taken | over
            state = after << 8 | end
            if state in seen:
                continue
            seen.add(state)
            path.append(end)
            gained = gain + (2 if over & high else 1)
            if gained >= self.gain:
                self._keep(end, after, gained)
            self._visit(end, after, gained)
            path.pop()
            if self._done:
                return

    def _hops(self, here: Square, left: int) -> list[tuple[Square, int]]:
        """Return the captures from here, as `captures.hops` does, with small numbers."""
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
        return found

    def _keep(self, end: Square, taken: int, gain: int) -> None:
        if gain > self.gain:
            self.gain = gain
            self._best.clear()
            self._endgames = None
        self._best[end, taken] = tuple(self._path)
        if end in self._open:
            del self._open[end]
            self._look_for_open_ends()

    # A long search ------------------------------------------------------------------------------

    def _promising(self, hops: list[tuple[Square, int]], taken: int) -> list[tuple[Square, int]]:
        """Return those of the captures after which something new can still come of the chain."""
        found, before, ends = [], 0, 0
        for end, over in hops:
            if over != before:
                before, ends = over, self._promising_ends(taken | over)
            if ends >> end & 1:
                found.append((end, over))
        return found

    def _promising_ends(self, taken: int) -> Squares:
        """Return the squares where it is worth while to stand, having taken these pieces."""
        left = self._field.within_reach & ~taken
        if left.bit_count() > FEW:
            return WHITE if left & self._last else 0
        endgames = self._endgames or self._prepare()
        return endgames.starts(left) if left & self._last or not left else 0

    def _prepare(self) -> Endgames:
        """Make ready for a long search, now that so much can be gained."""
        field = self._field
        loss = field.worth(field.within_reach) - self.gain
        self._endgames = field.endgames(loss)
        if not loss:
            found = {end for end, _ in self._best}
            self._open = {end: last for end, last in self._ends().items() if end not in found}
            self._look_for_open_ends()
        return self._endgames

    def _look_for_open_ends(self) -> None:
        """Look only for chains that take everything and end where none was found yet."""
        self._last = 0
        for pieces in self._open.values():
            self._last |= pieces
        self._done = not self._open

    def _ends(self) -> dict[Square, int]:
        """Return the squares where a chain that takes everything could end, and its last pieces."""
        found = {}
        for end in each(WHITE):
            if self._at[end] != self._field.friend:
                pieces = 0
                for ray in self._rays[end]:
                    pieces |= self._takeable(ray)
                if pieces:
                    found[end] = pieces
        return found

    def _takeable(self, ray: tuple[Square, ...]) -> int:
        """Return the pieces on a ray, up to the first friend, with room behind them."""
        pieces = [self._at[square] for square in ray]
        if self._field.friend in pieces:
            pieces = pieces[: pieces.index(self._field.friend)]
        found = 0
        for piece in pieces[:-1]:
            found |= piece
        return found
