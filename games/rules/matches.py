"""Matches between programs: the same openings from every side, and what the score proves."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import sqrt
from time import process_time
from typing import Any

from games.rules.base import AnyRules, Options, Outcome
from games.rules.programs import Program

_NINETY_FIVE = 1.959964
"""The standard deviations around the mean that hold 95 % of a normal distribution."""


@dataclass(slots=True)
class Contestant:
    """Somebody who plays: `choose` returns a whole turn for a position and a seed.

    `seconds` is the CPU time of all its turns in this process, `turns` their number, `slowest` the
    longest one.
    """

    name: str
    choose: Callable[[Any, int], Sequence[Any]]
    seconds: float = 0.0
    turns: int = 0
    slowest: float = 0.0

    def take_turn(self, position: Any, seed: int) -> Sequence[Any]:
        """Return its turn, and count its time."""
        began = process_time()
        actions = self.choose(position, seed)
        spent = process_time() - began
        self.seconds, self.turns = self.seconds + spent, self.turns + 1
        self.slowest = max(self.slowest, spent)
        return actions


def level_of(program: Program[Any, Any], level: int) -> Contestant:
    """Return a level of a program as a contestant."""
    name = f"level {level} ({program.levels[level - 1].name})"
    return Contestant(name, lambda position, seed: program.choose_turn(position, level, seed))


@dataclass(slots=True)
class Score:
    """What the first contestant got: a game won alone counts one, a shared win its share.

    `ahead` sums the part of the opponents that it left behind in each game, a tie half: the points
    against one opponent. Against several, who plays like them gets a half.
    """

    points: float = 0.0
    ahead: float = 0.0
    games: int = 0
    wins: int = 0
    losses: int = 0
    outcomes: list[Outcome] = field(default_factory=list)

    def add(self, outcome: Outcome, seats: Sequence[int]) -> None:
        """Count a game in which the first contestant had these seats."""
        won = sum(seat in seats for seat in outcome.winners) / len(outcome.winners)
        place = outcome.places[seats[0]]
        others = [one for seat, one in enumerate(outcome.places) if seat not in seats]
        self.points += won
        self.ahead += (sum(map(place.__lt__, others)) + others.count(place) / 2) / len(others)
        self.games += 1
        self.wins += won == 1
        self.losses += won == 0
        self.outcomes.append(outcome)

    @property
    def interval(self) -> tuple[float, float]:
        """The Wilson interval, 95 %, of the share of points."""
        return wilson(self.points, self.games)

    def __str__(self) -> str:
        draws = self.games - self.wins - self.losses
        text = f"{_percent(self.points, self.games)} of {self.games} games: "
        text += f"{self.wins} won, {draws} drawn, {self.losses} lost"
        if round(self.ahead - self.points, 6):
            text += f"; ahead of {_percent(self.ahead, self.games)} of the others"
        return text


def _percent(points: float, games: int) -> str:
    low, high = wilson(points, games)
    return f"{100 * points / games:.0f} % [{100 * low:.0f}-{100 * high:.0f}]"


def wilson(points: float, games: int) -> tuple[float, float]:
    """Return the interval that holds the true share with 95 % confidence.

    Source: E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference"
    (1927). A draw counts a half, which makes the interval a little too wide.
    """
    share, z = points / games, _NINETY_FIVE
    middle = share + z * z / (2 * games)
    reach = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    whole = 1 + z * z / games
    return max(0.0, (middle - reach) / whole), min(1.0, (middle + reach) / whole)


def play_match(
    rules: AnyRules,
    options: Options,
    first: Contestant,
    second: Contestant,
    games: int,
    *,
    seed: int = 0,
    opening_turns: int = 2,
) -> Iterator[Score]:
    """Yield the first contestant's score after each game.

    The first `opening_turns` turns are random. It has one side, the second contestant all others.
    Each opening is played from every side before the next one, so the games should be a multiple of
    the number of sides.
    """
    sides = rules.sides(options)
    score = Score()
    for number in range(games):
        opening, side = divmod(number, len(set(sides)))
        ours = [seat for seat, its_side in enumerate(sides) if its_side == side]
        # The same openings each time; no opening ends the game.
        chance = random.Random(f"{rules.slug} {seed + opening}")  # noqa: S311
        position = rules.initial(options)
        while rules.turn(position) < opening_turns:
            after = rules.play(position, chance.choice(rules.legal_actions(position)))
            if rules.outcome(after) is not None:
                break
            position = after
        turn = 0
        while (seat := rules.to_move(position)) is not None:
            player = first if seat in ours else second
            actions = player.take_turn(position, seed + 1_000 * opening + turn)
            position = rules.play_turn(position, actions)
            turn += 1
        outcome = rules.outcome(position)
        if outcome is None:
            raise ValueError("The game is over without an outcome.")
        score.add(outcome, ours)
        yield score
