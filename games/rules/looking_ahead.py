"""The program of a game that is searched by alpha-beta: what its levels see, and its opinions."""

from __future__ import annotations

import random
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from games.rules.alpha_beta import AlphaBeta, Found, SearchedGame
from games.rules.base import A, P, Seat
from games.rules.budget import Budget
from games.rules.programs import (
    IsStopped,
    Opinion,
    Program,
    TurnOpinion,
    never_stopped,
    result_for,
)

ANY = 100
"""A depth that no search reaches: only its positions are limited."""

_JUDGED = 100_000
"""How many positions are looked at to find the best turn, for an opinion on another one."""

_CLEARLY = 0.15
"""One turn is clearly better than another if its opinion is better by so much."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What a level looks at for each action of its turn: a depth in actions, and positions."""

    depth: int
    positions: int


class TurnSearch(Protocol[A]):
    """What chooses among the actions of a turn, one after the other."""

    def search(self, state: Any, actions: Sequence[A], most_depth: int, budget: Budget) -> Found[A]:
        """Return the best of these actions. Its value is that for the side of the search."""


class LookingAhead(Program[P, A]):
    """Plays by alpha-beta search. A game gives its levels' sights, and its positions as states."""

    sights: ClassVar[tuple[Sight, ...]]
    """What each level sees, the weakest first."""

    even: ClassVar[int]
    """The value of a position that is as good as half won."""

    counts_turns: ClassVar[bool] = True
    """Whether every turn is one action: the search counts actions, and opinions count turns."""

    @abstractmethod
    def searched(self, position: P, seat: Seat, level: int) -> tuple[SearchedGame[Any, A], Any]:
        """Return the game as a level sees it, playing for a seat, and the position as its state."""

    def sight(self, position: P, level: int) -> Sight:
        """Return what a level sees here. A game may let it look at more in some variants."""
        return self.sights[level - 1]

    def search_for(
        self,
        position: P,
        game: SearchedGame[Any, A],
        seat: Seat,
        level: int,
        chance: random.Random,
    ) -> TurnSearch[A]:
        """Return how a level searches for a seat. A game may search otherwise."""
        return AlphaBeta(game)

    def positions_of_opinion(self, position: P) -> int:
        """Return how many positions an opinion may look at, to see as far as the search before."""
        return 4 * _JUDGED

    def choose_turn(
        self, position: P, level: int, seed: int, is_stopped: IsStopped = never_stopped
    ) -> tuple[A, ...]:
        positions = self.sight(position, level).positions
        budget = Budget(0, is_stopped=is_stopped)
        return self._turn(position, level, seed, lambda: budget.share(positions))[0]

    def choose_turn_in_time(self, position: P, seconds: float, seed: int) -> tuple[A, ...]:
        """Return the best level's turn if it has so many CPU seconds for each action.

        It differs from machine to machine: it is for measuring strength.
        """
        level = self.levels[-1].number
        return self._turn(position, level, seed, lambda: Budget(1 << 60, seconds))[0]

    def _turn(
        self, position: P, level: int, seed: int, budget: Any
    ) -> tuple[tuple[A, ...], Found[A]]:
        """Return a whole turn, and what was found for its first action."""
        rules = self.rules
        chance = random.Random(seed)  # noqa: S311  (the same turn each time)
        turn, seat = rules.turn(position), rules.to_move(position) or 0
        actions: list[A] = []
        first: Found[A] | None = None
        search: TurnSearch[A] | None = None
        while first is None or (rules.turn(position) == turn and rules.to_move(position) == seat):
            legal = list(rules.legal_actions(position))
            chance.shuffle(legal)
            game, state = self.searched(position, seat, level)
            search = search or self.search_for(position, game, seat, level, chance)
            if len(legal) == 1 and first is not None:
                found = first
                actions.append(legal[0])
            else:
                found = search.search(state, legal, self.sight(position, level).depth, budget())
                actions.append(found.action)
            first = first or found
            position = rules.play(position, actions[-1])
        return tuple(actions), first

    # Judging -------------------------------------------------------------------------------------

    def judge_turn(
        self, position: P, actions: tuple[A, ...], is_stopped: IsStopped = never_stopped
    ) -> TurnOpinion:
        budget, level = Budget(0, is_stopped=is_stopped), self.levels[-1].number
        best, found = self._turn(position, level, 0, lambda: budget.share(_JUDGED))
        depth = max(1, found.depth - 1)
        seat = self.rules.to_move(position) or 0
        of_best = self._opinion(position, best, seat, depth, budget)
        after = (
            of_best if actions == best else self._opinion(position, actions, seat, depth, budget)
        )
        reached = max(of_best, after, key=lambda opinion: opinion.value)
        if reached is after:
            best = actions
        before = reached.before_turn()
        return TurnOpinion(
            before=before,
            after=after,
            kept=before.value - after.value < _CLEARLY,
            best=self.rules.format_turn(position, best),
        )

    def _opinion(
        self, position: P, turn: Sequence[A], seat: Seat, depth: int, budget: Budget
    ) -> Opinion:
        """Return what a position is worth for a seat after a turn."""
        rules, level = self.rules, self.levels[-1].number
        after = rules.play_turn(position, turn)
        result = result_for(rules, after, seat)
        if result is not None:
            return Opinion(float(result), is_exact=True, distance=0)
        game, state = self.searched(after, seat, level)
        search = self.search_for(after, game, seat, level, random.Random(0))  # noqa: S311
        budget = budget.share(self.positions_of_opinion(after))
        found = search.search(state, rules.legal_actions(after), depth, budget)
        value = found.value
        if found.actions_left is not None:
            distance = found.actions_left if self.counts_turns else None
            return Opinion(1.0 if value > 0 else -1.0, is_exact=True, distance=distance)
        return Opinion(value / (abs(value) + self.even), is_exact=False, depth=found.depth)
