"""Captures: single jumps, and the chains that gain the most without enumerating their ways.

Where only pawns can capture, most chains are over after a jump or two: `pawn_chains` finds them
with the sets of squares as they are. For a longer search `Field` gives the pieces small numbers;
`Chains` visits every state, and if there are too many, searches again with the help of `pruning`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

from games.rules.superpion.geometry import (
    DIAGONALS,
    DOWN_RIGHT,
    FAR_CAPTURES,
    NEAR_CAPTURES,
    PAWN_JUMPS,
    UP_RIGHT,
    WHITE,
    Rays,
    Square,
    Squares,
    squares_in,
)
from games.rules.superpion.position import Action, Position
from games.rules.superpion.pruning import CaptureMap, Feasibility
from games.rules.superpion.sides import Colour

MAX_STATES = 10_000
"""The searches of a position that visit more states than this start again with pruning."""

ALONE_STATES = 300_000
"""The same if one superpion alone can capture: it has few hopeless orders to prune, and visiting so
many states (half a second) is up to fifty times as fast."""

FEW_PIECES = 6
"""If n superpions can capture, the searches may visit MAX_STATES as often as n goes into this."""

QUICK_STATES = 2_000
"""The states that a program visits in a position that it only looks at (a few milliseconds)."""

MIN_STATES = 500
"""The states that every search may visit before that, however many the others visited."""

MAX_SETS = 400
"""A pruned search goes through the sets of pieces left behind if there are at most so many."""

PAWN_STATES = 100
"""The states that pawns may visit in a position before the pieces are numbered."""

STATES_BETWEEN_ENDS = 50
"""After so many states without a new end, a pruned search asks for the missing ends only."""


# Single jumps ------------------------------------------------------------------------------------


def can_capture(position: Position, colour: Colour, own: Squares) -> bool:
    """Tell whether any of these pieces of a colour can capture something."""
    return bool(capturing(position, own, position.prey_of(colour)))


def capturing(position: Position, own: Squares, prey: Squares) -> Squares:
    """Return those of a colour's pieces that can capture something."""
    occupied, superpions = position.occupied, own & position.superpions
    pawns, empty, found = own & ~superpions, WHITE & ~occupied, 0
    for shift in (UP_RIGHT, DOWN_RIGHT):
        if ends := (pawns << shift & prey) << shift & empty:
            found |= ends >> 2 * shift
        if ends := (pawns >> shift & prey) >> shift & empty:
            found |= ends << 2 * shift
    for start in squares_in(superpions):
        if jumps(FAR_CAPTURES[start], prey, occupied):
            found |= 1 << start
    return found


def rays(position: Position, start: Square) -> Sequence[Rays]:
    """Return, by square, where the piece that is now on `start` captures from there."""
    return FAR_CAPTURES if position.superpions >> start & 1 else NEAR_CAPTURES


def jumps(rays: Rays, prey: Squares, occupied: Squares) -> dict[Square, Squares]:
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


def captured_along(position: Position, path: Sequence[Square]) -> Squares | None:
    """Return the pieces that the piece on the path's first square takes by going this way.

    None if the colour to act has no piece there, or it cannot go this way.
    """
    start, taken = path[0], 0
    if not position.pieces[position.colour] >> start & 1:
        return None
    for here, there in pairwise(path):
        over = next_jumps(position, start, here, taken).get(there)
        if over is None:
            return None
        taken |= over
    return taken


def next_jumps(
    position: Position, start: Square, here: Square, taken: Squares
) -> dict[Square, Squares]:
    """Return the single captures open to the piece from `start` once it is here, having taken.

    What it has taken has left the board, and the square that it came from counts as empty.
    """
    prey = position.prey_of(position.colour) & ~taken
    occupied = position.occupied & ~taken & ~(1 << start)
    return jumps(rays(position, start)[here], prey, occupied)


# Chains ------------------------------------------------------------------------------------------


def best_captures(position: Position, own: Squares) -> list[Action]:
    """Return the chains of these pieces that gain the most pawns, without their crowns."""
    prey = position.prey_of(position.colour)
    able = capturing(position, own, prey)
    if not able:
        return []
    superpions = (able & position.superpions).bit_count()
    states = MAX_STATES * max(1, FEW_PIECES // max(1, superpions))
    if superpions == 1:
        states = ALONE_STATES
    return _find_captures(position, able, prey, states, thorough=True)[0]


def quick_captures(position: Position, own: Squares) -> tuple[list[Action], bool]:
    """Return the same as far as it is found in few states, and whether nothing can gain more."""
    prey = position.prey_of(position.colour)
    able = capturing(position, own, prey)
    if not able:
        return [], True
    return _find_captures(position, able, prey, QUICK_STATES, thorough=False)


def _find_captures(
    position: Position, able: Squares, prey: Squares, states_left: int, *, thorough: bool
) -> tuple[list[Action], bool]:
    if not able & position.superpions:
        chains_of_pawns = pawn_chains(position, able, prey)
        if chains_of_pawns is not None:
            return chains_of_pawns, True
    field, best = Field(position, prey), 1
    searches = list[Chains]()
    for start in squares_in(able):
        chains = Chains(field, start, best, states_left)
        searches.append(chains)
        best, states_left = max(best, chains.gain), max(MIN_STATES, states_left - chains.visited)
    unfinished = [chains for chains in searches if not chains.finished]
    if unfinished and thorough:
        for gain in range(max(chains.most for chains in unfinished), best - 1, -1):
            for chains in unfinished:
                chains.search_for(gain)
            if any(chains.found for chains in unfinished):
                best = gain
                break
    found = [
        action
        for chains in searches
        if chains.gain == best and (chains.finished or not thorough)
        for action in chains.actions()
    ]
    return found, not unfinished


def pawn_chains(position: Position, able: Squares, prey: Squares) -> list[Action] | None:
    """Return the chains of these pawns that gain the most; None if that takes many states.

    States and ways are as in `Chains`.
    """
    superpions, best, states_left = position.superpions, 1, PAWN_STATES
    found: list[Action] = []
    for start in squares_in(able):
        others = position.occupied ^ 1 << start
        seen: set[tuple[Square, Squares]] = set()
        # The last one is visited next, so the way to the first square comes last.
        waiting: list[tuple[Square, Squares, int, tuple[Square, ...]]] = [(start, 0, 0, (start,))]
        while waiting:
            here, taken, gain, path = waiting.pop()
            if (here, taken) in seen:
                continue
            seen.add((here, taken))
            if len(seen) > states_left:
                return None
            if gain >= best:
                if gain > best:
                    best = gain
                    found.clear()
                found.append(Action(path, taken))
            left, occupied = prey & ~taken, others & ~taken
            for end, over, landing in PAWN_JUMPS[here]:
                if left & over and not occupied & landing:
                    gained = gain + (2 if over & superpions else 1)
                    waiting.append((end, taken | over, gained, (*path, end)))
        states_left -= len(seen)
    found.sort()
    return found


class Field:
    """The obstacles to a colour's captures, in small numbers for a quick search.

    `at` holds for each square 0 if it is empty, a bit of its own for each piece that may be taken,
    or `friend`. `superpions` are the bits of the superpions that may be taken.
    """

    def __init__(self, position: Position, prey: Squares) -> None:
        self.position = position
        self.prey = tuple(squares_in(prey))
        self.at = [0] * 256
        self.friend = 1 << len(self.prey)
        self.superpions = 0
        self._prey = prey
        self._bits = {square: 1 << number for number, square in enumerate(self.prey)}
        self._obstacles = position.occupied & ~prey
        for square in squares_in(self._obstacles):
            self.at[square] = self.friend
        for number, square in enumerate(self.prey):
            self.at[square] = 1 << number
            self.superpions |= (position.superpions >> square & 1) << number

    def squares(self, taken: int) -> Squares:
        """Return the squares of the pieces with these bits."""
        return sum(1 << self.prey[number] for number in squares_in(taken))

    def near(self, square: Square) -> int:
        """Return the pieces that may be taken on the diagonals of a square."""
        on_diagonals = squares_in(self._prey & DIAGONALS[square])
        return sum(self._bits[one] for one in on_diagonals)

    def worth(self, pieces: int) -> int:
        """Return how many pawns these pieces are made of."""
        return pieces.bit_count() + (pieces & self.superpions).bit_count()

    def capture_map(self, start: Square, behind: int = 0) -> CaptureMap:
        """Return where the piece from `start` can take the prey, if these are left behind."""
        near = not self.position.superpions >> start & 1
        blocked = self._obstacles & ~(1 << start) | self.squares(behind)
        return CaptureMap(self.prey, self.superpions, blocked, near=near)

    def block(self, pieces: int) -> None:
        """Treat these pieces as friends: they cannot be taken."""
        for number in squares_in(pieces):
            self.at[self.prey[number]] = self.friend

    def unblock(self, pieces: int) -> None:
        """Treat these pieces as prey again."""
        for number in squares_in(pieces):
            self.at[self.prey[number]] = 1 << number


Jumps = list[tuple[Square, int, int]]
"""Single captures: where each lands, the piece that it takes, and how many pawns that is."""


class Chains:
    """Every chain of captures of one piece that gains the most pawns it can, `least` or more.

    What a chain can still do depends only on where the piece is and on what it has taken: each
    such state is visited once. Ways are followed in the order of their landing squares, so the
    way that first comes to a state is the canonical one of all that do.
    """

    def __init__(
        self, field: Field, start: Square, least: int = 1, max_states: int = MAX_STATES
    ) -> None:
        self._field, self._at, self._start = field, field.at, start
        self._max_states = max_states
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
        self._seen: set[int] = set()
        self._known_jumps: dict[Square, tuple[int, dict[int, Jumps]]] = {}
        self.found: dict[tuple[Square, int], tuple[Square, ...]] = {}
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
        seen, path = self._seen, self._path
        for end, over, worth in self._jumps(here, taken):
            after = taken | over
            state = after << 8 | end
            if state in seen:
                continue
            seen.add(state)
            path.append(end)
            gained = gain + worth
            if gained >= self.gain:
                if gained > self.gain:
                    self.gain = gained
                    self.found.clear()
                self.found[end, after] = tuple(path)
            self._visit(end, after, gained)
            path.pop()
            if len(seen) > self._max_states:
                self.finished = False
                return

    def _jumps(self, here: Square, taken: int) -> Jumps:
        """Return the captures from here once these pieces are taken, by where they land.

        What was taken elsewhere than on the diagonals of this square changes nothing: answers are
        kept by what was taken on them, and looked up much more often than found.
        """
        near, known = self._known_jumps.get(here) or self._known_jumps.setdefault(
            here, (self._field.near(here), {})
        )
        found = known.get(taken & near)
        if found is None:
            found = known[taken & near] = self._find_jumps(here, ~taken)
        return found

    def _find_jumps(self, here: Square, left: int) -> Jumps:
        """Return the same as `jumps` does, with small numbers."""
        at, friend, superpions = self._at, self._field.friend, self._field.superpions
        found: Jumps = []
        for ray in self._rays[here]:
            over = 0
            for square in ray:
                piece = at[square] & left
                if not piece:
                    if over:
                        found.append((square, over, 2 if over & superpions else 1))
                elif over or piece == friend:
                    break
                else:
                    over = piece
        found.sort()
        return found

    # A pruned search -----------------------------------------------------------------------------

    @cached_property
    def _map(self) -> CaptureMap:
        return self._field.capture_map(self._start)

    @cached_property
    def _reach(self) -> int:
        """The pieces that the piece could take if they were alone on the board."""
        return self._map.within_reach(self._start)

    @property
    def most(self) -> int:
        """How many pawns could be gained at most."""
        return self._field.worth(self._reach)

    def search_for(self, gain: int) -> None:
        """Search again for the chains that gain so much, knowing that none gains more."""
        self.gain, self.finished = gain, True
        self._begin()
        loss = self.most - gain
        if loss >= 0 and self._may_take(Feasibility(self._map, self._reach, loss), self._reach):
            # The sets of pieces to be left behind, each with what it is worth.
            sets = [(0, 0)]
            for piece in (1 << number for number in squares_in(self._reach)):
                worth = self._field.worth(piece)
                sets += [(one | piece, lost + worth) for one, lost in sets if lost + worth <= loss]
                if len(sets) > MAX_SETS:
                    self._search_without(0, loss)
                    break
            else:
                for behind, lost in sets:
                    if lost == loss:
                        self._search_without(behind, 0)
        self._end()

    def _may_take(self, feasibility: Feasibility, pieces: int) -> bool:
        """Tell whether these pieces can be taken from where the piece is."""
        ends = feasibility.some(pieces, 1 << self._start)
        self.visited += feasibility.asked
        return bool(ends)

    def _search_without(self, behind: int, loss: int) -> None:
        """Search for the chains that take all but these pieces, and but for this loss."""
        self._aim = self._reach & ~behind
        capture_map = self._field.capture_map(self._start, behind) if behind else self._map
        feasibility = Feasibility(capture_map, self._aim, loss)
        if not self._may_take(feasibility, self._aim):
            return
        self._field.block(behind)
        self._known_jumps.clear()
        self._feasibility, self._seen = feasibility, set()
        # Where a chain that takes everything could end, with its last piece: one on a ray, before
        # the first friend, with room behind it.
        self._open = dict[Square, int]()
        for end in squares_in(WHITE & ~capture_map.blocked):
            last = 0
            for ray in self._rays[end]:
                pieces = [self._at[square] for square in ray]
                if self._field.friend in pieces:
                    pieces = pieces[: pieces.index(self._field.friend)]
                for piece in pieces[:-1]:
                    last |= piece
            if last & self._aim:
                self._open[end] = last & self._aim
        self._mark_last()
        self._next_check = STATES_BETWEEN_ENDS
        self._visit_feasible(self._start, 0)
        self.visited += len(self._seen) + self._feasibility.asked - feasibility.asked
        self._seen.clear()
        self._field.unblock(behind)

    def _visit_feasible(self, here: Square, taken: int) -> None:
        seen, path, aim = self._seen, self._path, self._aim
        for end, over, _ in self._jumps(here, taken):
            after = taken | over
            state, left = after << 8 | end, aim & ~after
            if state in seen:
                continue
            if left and not (left & self._last and self._feasibility.some(left, 1 << end)):
                continue
            seen.add(state)
            path.append(end)
            if self._field.worth(after) == self.gain:
                self.found[end, after] = tuple(path)
                if not self._feasibility.loss and end in self._open:
                    # What chains to this end take is known: no more are searched for.
                    del self._open[end]
                    self._mark_last()
                    self._next_check = len(seen) + STATES_BETWEEN_ENDS
            self._visit_feasible(end, after)
            path.pop()
            if len(seen) > self._next_check:
                self._next_check = len(seen) + STATES_BETWEEN_ENDS
                if not self._feasibility.loss:
                    ends = sum(1 << end for end in self._open)
                    self._feasibility = self._feasibility.towards(ends, self._last)
            if not self._last:
                return

    def _mark_last(self) -> None:
        """Note which pieces could be the last ones of a chain that is still searched for."""
        self._last = 0
        for pieces in self._open.values():
            self._last |= pieces
