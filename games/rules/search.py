"""The program of a game that has none of its own: it needs nothing but the rules.

Its lower levels look for ends of the game only; the higher ones play random games
(`playouts.py`).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import ClassVar

from games.rules.base import N_, A, P, Seat
from games.rules.budget import Budget
from games.rules.playouts import RandomGames, length_of_best_line
from games.rules.programs import (
    IsStopped,
    Level,
    Opinion,
    Program,
    TurnOpinion,
    never_stopped,
    result_for,
)

_CLEARLY = 0.2
"""One turn is clearly better than another if its opinion is better by so much."""

_TACTICS = 2_000
"""How many positions are looked at, at most, to see what a turn wins or loses at once."""

_SEES_WINS, _SEES_LOSSES = 1, 2
_POSITIONS = {3: 2_000, 4: 20_000, 5: 200_000}
"""How many positions of random games a level plays for each action."""


class SearchProgram(Program[P, A]):
    """Plays any game by its rules alone."""

    levels: ClassVar[tuple[Level, ...]] = (
        Level(
            1,
            N_("Takes a win it sees"),
            N_("Wins if one action is enough; otherwise it plays at random."),
            0.1,
        ),
        Level(
            2,
            N_("Sees your next action"),
            N_("Wins if it can, and lets nobody win at once; otherwise it plays at random."),
            1.0,
        ),
        Level(
            3,
            N_("Tries a few games"),
            N_("Plays a few games at random in its mind, and takes what won most of them."),
            2.0,
        ),
        Level(
            4,
            N_("Tries many games"),
            N_("Plays ten times as many games in its mind, and follows the good turns further."),
            10.0,
        ),
        Level(
            5,
            N_("Tries thousands of games"),
            N_("Plays a hundred times as many games in its mind, and looks deeper still."),
            60.0,
        ),
    )

    def choose_turn(
        self, position: P, level: int, seed: int, is_stopped: IsStopped = never_stopped
    ) -> tuple[A, ...]:
        chance = random.Random(seed)  # noqa: S311  (the same turn each time)
        budget = Budget(_POSITIONS.get(level, _TACTICS), is_stopped=is_stopped)
        actions: list[A] = []
        after, turn = position, self.rules.turn(position)
        while self.rules.turn(after) == turn and self.rules.to_move(after) is not None:
            action = self._choose_action(after, level, chance, budget)
            actions.append(action)
            after = self.rules.play(after, action)
            budget = budget.share(_POSITIONS.get(level, _TACTICS))
        return tuple(actions)

    def _choose_action(self, position: P, level: int, chance: random.Random, budget: Budget) -> A:
        legal = self.rules.legal_actions(position)
        if len(legal) == 1:
            return legal[0]
        choices = self._without_blunders(position, level, budget.share(_TACTICS))
        if len(choices) == 1 or level <= _SEES_LOSSES or budget.is_over:
            return chance.choice(choices)
        root = RandomGames(self.rules, chance).search(position, budget)
        sound = [child for child in root.children if child.action in choices]
        best = max(sound, key=lambda child: (child.visits, child.reward), default=None)
        return choices[0] if best is None or best.action is None else best.action

    def _without_blunders(self, position: P, level: int, budget: Budget) -> Sequence[A]:
        """Return the actions that win at once, else those that do not lose at once."""
        rules, seat = self.rules, self.rules.to_move(position) or 0
        safe: list[A] = []
        for action in rules.legal_actions(position):
            after = rules.play(position, action)
            budget.spend(1)
            if result_for(rules, after, seat) == 1:
                return (action,)
            if level == _SEES_WINS or not self._can_lose_at_once(after, seat, budget):
                safe.append(action)
        return safe or rules.legal_actions(position)

    def _can_lose_at_once(self, position: P, seat: Seat, budget: Budget) -> bool:
        rules = self.rules
        if rules.to_move(position) in (None, seat):
            return result_for(rules, position, seat) == -1
        for action in () if budget.is_over else rules.legal_actions(position):
            budget.spend(1)
            if result_for(rules, rules.play(position, action), seat) == -1:
                return True
        return False

    def judge_turn(
        self, position: P, actions: tuple[A, ...], is_stopped: IsStopped = never_stopped
    ) -> TurnOpinion:
        seat = self.rules.to_move(position) or 0
        best = self.choose_turn(position, 4, 0, is_stopped)
        after_best = self._opinion(self.rules.play_turn(position, best), seat, is_stopped)
        after = self._opinion(self.rules.play_turn(position, actions), seat, is_stopped)
        before = max(after_best, after, key=lambda opinion: opinion.value).before_turn()
        kept = best == actions or before.value - after.value < _CLEARLY
        text = self.rules.format_turn(position, best)
        return TurnOpinion(before=before, after=after, kept=kept, best=text)

    def _opinion(self, position: P, seat: Seat, is_stopped: IsStopped) -> Opinion:
        """Return what a position is worth for a seat, whoever is to act."""
        rules = self.rules
        result = result_for(rules, position, seat)
        if result is not None:
            return Opinion(value=float(result), is_exact=True, distance=0)
        chance = random.Random(0)  # noqa: S311  (the same opinion each time)
        budget = Budget(_POSITIONS[4], is_stopped=is_stopped)
        root = RandomGames(rules, chance).search(position, budget, seat=seat)
        depth = length_of_best_line(root)
        return Opinion(value=2 * root.reward / root.visits - 1, is_exact=False, depth=depth)
