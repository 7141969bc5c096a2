"""Chains of captures: those that gain the most, found without ever enumerating their ways."""

from __future__ import annotations

from functools import cached_property

from games.rules.superpion.captures import capturing, rays
from games.rules.superpion.geometry import WHITE, Square, Squares, each
from games.rules.superpion.position import Action, Position
from games.rules.superpion.pruning import CaptureMap, Prospects

PATIENCE = 10_000
"""The searches of a position that visit more states than this are begun anew with prospects."""

HASTE = 500
"""What every search may visit before, however many the others have visited."""

MANY = 400
"""A long search tells the sets of pieces left behind apart if there are at most so many."""

PAUSE = 50
"""After so many states without a new end, a long search asks for the ends still missing only."""


def best_captures(position: Position, own: Squares) -> list[Action]:
    """Return the chains of these pieces that gain the most pawns, without their crowns."""
    prey = position.prey_of(position.colour)
    able = capturing(position, own, prey)
    if not able:
        return []
    return [action for chains in searches(position, able, prey) for action in chains.actions()]


def searches(position: Position, able: Squares, prey: Squares) -> list[Chains]:
    """Return the finished searches of these pieces, by their squares, best gains only."""
    field, best, patience = Field(position, prey), 1, PATIENCE
    found = list[Chains]()
    for start in each(able):
        chains = Chains(field, start, best, patience)
        found.append(chains)
        best, patience = max(best, chains.gain), max(HASTE, patience - chains.visited)
    unfinished = [chains for chains in found if not chains.finished]
    if unfinished:
        best = _finish(unfinished, best)
    return [chains for chains in found if chains.gain == best and chains.finished]


def _finish(unfinished: list[Chains], best: int) -> int:
    """Finish the searches for the most that can be gained, `best` or more, and return it."""
    for gain in range(max(chains.most for chains in unfinished), best - 1, -1):
        for chains in unfinished:
            chains.aim(gain)
        if any(chains.found for chains in unfinished):
            return gain
    return best


class Field:
    """What stands in the way of a colour's captures, in small numbers for a quick search.

    `at` holds for each square 0 if nothing stands there, a bit of its own for each piece that may
    be taken, or `friend`. `high` are the bits of the superpions that may be taken.
    """

    def __init__(self, position: Position, prey: Squares) -> None:
        self.position = position
        self.prey = tuple(each(prey))
        self.at = [0] * 256
        self.friend = 1 << len(self.prey)
        self.high = 0
        self._obstacles = position.occupied & ~prey
        for square in each(position.occupied & ~prey):
            self.at[square] = self.friend
        for number, square in enumerate(self.prey):
            self.at[square] = 1 << number
            self.high |= (position.supers >> square & 1) << number

    def squares(self, taken: int) -> Squares:
        """Return the squares of the pieces with these bits."""
        return sum(1 << self.prey[number] for number in each(taken))

    def worth(self, pieces: int) -> int:
        """Return how many pawns these pieces are made of."""
        return pieces.bit_count() + (pieces & self.high).bit_count()

    def terrain(self, start: Square, behind: int = 0) -> CaptureMap:
        """Return where the piece from `start` can take the prey, if these are left behind."""
        near = not self.position.supers >> start & 1
        blocked = self._obstacles & ~(1 << start) | self.squares(behind)
        return CaptureMap(self.prey, self.high, blocked, near=near)

    def block(self, behind: int) -> None:
        """Have these pieces stand in the way like friends."""
        for number in each(behind):
            self.at[self.prey[number]] = self.friend

    def stand(self, pieces: int) -> None:
        """Have these pieces stand as pieces that may be taken."""
        for number in each(pieces):
            self.at[self.prey[number]] = 1 << number


class Chains:
    """Every chain of captures of one piece that gains the most pawns it can, `least` or more.

    What a chain can still do depends only on where the piece stands and on what it has taken: each
    such state is visited once. Ways are followed in the order of their landing squares, so the
    way that first comes to a state is the canonical one of all that do.
    """

    def __init__(
        self, field: Field, start: Square, least: int = 1, patience: int = PATIENCE
    ) -> None:
        self._field, self._at, self._start = field, field.at, start
        self._patience = patience
        self._rays = rays(field.position, start)
        self.gain = least
        """How many pawns each of the chains gains."""
        self.finished = True
        """Whether the search is over; if not, more may be gained."""
        self.visited = 1
        """How many states were visited."""
        self._begin()
        self._visit(start, 0, 0)
        self._end()

    def _begin(self) -> None:
        self._path = [self._start]
        self._seen = set[int]()
        self.found = dict[tuple[Square, int], tuple[Square, ...]]()
        """By end and pieces taken: the way."""
        self._at[self._start] = 0

    def _end(self) -> None:
        self._at[self._start] = self._field.friend
        self.visited += len(self._seen)
        self._seen = set()

    def actions(self) -> list[Action]:
        """Return the chains, each in its canonical way."""
        squares = self._field.squares
        found = [Action(path, squares(taken)) for (_, taken), path in self.found.items()]
        return sorted(found)

    def _visit(self, here: Square, taken: int, gain: int) -> None:
        seen, path, high = self._seen, self._path, self._field.high
        for end, over in self._hops(here, ~taken):
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
            if len(seen) > self._patience:
                self.finished = False
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
        found.sort()
        return found

    def _keep(self, end: Square, taken: int, gain: int) -> None:
        if gain > self.gain:
            self.gain = gain
            self.found.clear()
        self.found[end, taken] = tuple(self._path)

    # A long search ------------------------------------------------------------------------------

    @cached_property
    def _terrain(self) -> CaptureMap:
        return self._field.terrain(self._start)

    @cached_property
    def _reach(self) -> int:
        """The pieces that the piece could take if they stood alone."""
        return self._terrain.within_reach(self._start)

    @property
    def most(self) -> int:
        """How many pawns could be gained at most."""
        return self._field.worth(self._reach)

    def aim(self, gain: int) -> None:
        """Search anew for the chains that gain so much, knowing that none gains more."""
        self.gain, self.finished = gain, True
        self._begin()
        if gain <= self.most:
            loss = self.most - gain
            if self._may_start(Prospects(self._terrain, self._reach, loss), self._reach):
                for behind, rest in self._leavings(loss):
                    self._leave(behind, rest)
        self._end()

    def _may_start(self, prospects: Prospects, pieces: int) -> bool:
        """Tell whether these pieces can be taken from where the piece stands."""
        promising = prospects.some(pieces, 1 << self._start)
        self.visited += prospects.asked
        return bool(promising)

    def _leavings(self, loss: int) -> list[tuple[int, int]]:
        """Return the sets of pieces to be left behind, each with what may be lost besides.

        If there are too many sets, the pieces left behind are not told apart.
        """
        sets = [(0, 0)]
        for piece in (1 << number for number in each(self._reach)):
            worth = self._field.worth(piece)
            sets += [(one | piece, lost + worth) for one, lost in sets if lost + worth <= loss]
            if len(sets) > MANY:
                return [(0, loss)]
        return [(one, 0) for one, lost in sets if lost == loss]

    def _leave(self, behind: int, loss: int) -> None:
        """Look for the chains that take all but these pieces, and but for this loss."""
        self._aim = self._reach & ~behind
        terrain = self._field.terrain(self._start, behind) if behind else self._terrain
        prospects = Prospects(terrain, self._aim, loss)
        if not self._may_start(prospects, self._aim):
            return
        self._field.block(behind)
        self._prospects, self._seen = prospects, set()
        self._open = self._ends(terrain.blocked)
        self._mark_last()
        self._pause = PAUSE
        self._look_for(self._start, 0)
        self.visited += len(self._seen) + self._prospects.asked - prospects.asked
        self._seen.clear()
        self._field.stand(behind)

    def _look_for(self, here: Square, taken: int) -> None:
        seen, path, aim = self._seen, self._path, self._aim
        for end, over in self._hops(here, ~taken):
            after = taken | over
            state, left = after << 8 | end, aim & ~after
            if state in seen:
                continue
            if left and not (left & self._last and self._prospects.some(left, 1 << end)):
                continue
            seen.add(state)
            path.append(end)
            if self._field.worth(after) == self.gain:
                self._keep(end, after, self.gain)
                self._close(end)
            self._look_for(end, after)
            path.pop()
            if len(seen) > self._pause:
                self._turn_to_open_ends()
            if not self._last:
                return

    def _close(self, end: Square) -> None:
        """Look no more for chains to this end, if what they take is known."""
        if not self._prospects.loss and end in self._open:
            del self._open[end]
            self._mark_last()
            self._pause = len(self._seen) + PAUSE

    def _turn_to_open_ends(self) -> None:
        self._pause = len(self._seen) + PAUSE
        if not self._prospects.loss:
            ends = sum(1 << end for end in self._open)
            self._prospects = self._prospects.towards(ends, self._last)

    def _mark_last(self) -> None:
        """Say which pieces could be the last ones of a chain that is still looked for."""
        self._last = 0
        for pieces in self._open.values():
            self._last |= pieces

    def _ends(self, blocked: Squares) -> dict[Square, int]:
        """Return the squares where a chain that takes everything could end, and its last pieces."""
        found = {}
        for end in each(WHITE & ~blocked):
            pieces = 0
            for ray in self._rays[end]:
                pieces |= self._takeable(ray)
            if pieces & self._aim:
                found[end] = pieces & self._aim
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
