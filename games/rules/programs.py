"""The contract of a program that plays one game: five levels, and an opinion on a turn.

A rules app declares its program with `RulesApp.program_class`, the name of a class in its
`program.py`; a game without one is played by `games.rules.search.SearchProgram`, which needs only
the rules. Programs are pure: position, level and seed decide the turn; no clock but the CPU's is
read, and only to stop.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, Generic

from games.rules.base import A, P, Rules, Seat, TranslatableText

IsStopped = Callable[[], bool]
"""Asked every few dozen positions; True ends the search with the best turn so far."""


def never_stopped() -> bool:
    """Let a search go on until its level's own limit."""
    return False


@dataclass(frozen=True, slots=True)
class Level:
    """One strength of a program.

    `number` is 1 for the weakest. `name` says what the level does ("Sees one turn ahead"), and
    `summary` says it in a sentence; both are marked with `N_`. `seconds` is the CPU time that
    hardly a turn exceeds on the machine it was measured on.
    """

    number: int
    name: str
    summary: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a position is worth for the side to act.

    `value` is from -1 (lost) over 0 (drawn) to 1 (won). With `is_exact` it is one of these three,
    known for certain, and `distance` is the number of turns until the end if both sides play
    their best. Otherwise `depth` is the number of actions that the search looked ahead.
    """

    value: float
    is_exact: bool
    distance: int | None = None
    depth: int | None = None

    def before_turn(self) -> Opinion:
        """Return the opinion before the turn that led here, which is one of the best."""
        return self if self.distance is None else replace(self, distance=self.distance + 1)


@dataclass(frozen=True, slots=True)
class TurnOpinion:
    """What a turn did to the result, seen by the player who played it.

    `kept` tells whether the result (won, drawn, lost) is as good as before; without exact values,
    whether the best turn found is not clearly better. `holding` is how many of the `choices` legal
    turns would have kept it, None where they were not all looked at. `best` is one best turn.
    """

    before: Opinion
    after: Opinion
    kept: bool
    best: str
    holding: int | None = None
    choices: int | None = None


def result_for(rules: Rules[P, A], position: P, seat: Seat) -> int | None:
    """Return how the game ended for a seat: 1, 0 or -1; None while it goes on."""
    outcome = rules.outcome(position)
    if outcome is None:
        return None
    return 0 if outcome.is_draw else 1 if seat in outcome.winners else -1


class Program(ABC, Generic[P, A]):
    """Plays one game. Holds nothing between two calls that could change an answer."""

    levels: ClassVar[tuple[Level, ...]]
    """Weakest first; each is to beat the one below in seven games of ten. docs/programs.md has what
    was measured."""

    opening_turns: ClassVar[int] = 2
    """So many turns of a game between two programs are played at random first, so that games
    differ; 0 where the levels play differently with each seed."""

    def __init__(self, rules: Rules[P, A]) -> None:
        self.rules = rules

    @abstractmethod
    def choose_turn(
        self, position: P, level: int, seed: int, is_stopped: IsStopped = never_stopped
    ) -> tuple[A, ...]:
        """Return the actions of one whole legal turn.

        The same position, level and seed give the same turn, unless the search was stopped.
        """

    @abstractmethod
    def judge_turn(
        self, position: P, actions: tuple[A, ...], is_stopped: IsStopped = never_stopped
    ) -> TurnOpinion:
        """Return what this legal turn did to the result of the game."""

    def explain(self, opinion: Opinion) -> TranslatableText | None:
        """Return what is special about an opinion of this game, in words; usually nothing."""
        return None
