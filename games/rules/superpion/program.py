"""A program for Superpion: it looks ahead action by action, and estimates what it sees.

A turn has two actions of each colour, some seventy pairs on average and more than a thousand at
worst, so single actions are searched, not whole turns. The estimate is in `estimate.py`.

With more than two sides, the others are not one opponent: what one of them takes, it mostly takes
from another. So the search expects each of them to take the action that is best for itself at once,
and tries all actions of its own side only ("opponent-model search": H. Iida and others, "Potential
Applications of Opponent-Model Search", ICCA Journal 16, 1993).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from games.rules.alpha_beta import WIN, SearchedGame
from games.rules.base import N_
from games.rules.looking_ahead import ANY, LookingAhead, Sight
from games.rules.programs import Level
from games.rules.superpion.estimate import estimate_for
from games.rules.superpion.moves import likely_actions
from games.rules.superpion.position import Action, Position
from games.rules.superpion.transitions import play_action

POINT = 100
"""The value of a point of the lead."""

PIECES = 60
"""How many pieces there are at the start."""

LATE_SUPERPION = 9.0
"""What a superpion is worth besides when hardly any other piece is left, among more than two sides.
Found by games against random-rollout searches; a regression on 285 games gave up to 19 points."""

SEES_ANSWERS = 4
"""The first level that sees more than its own turn."""

MOST_ANSWERS = 5_000
"""So many answers of opponents are remembered at a time (5 MB); deeper searches need them again."""


class SearchedSuperpion(SearchedGame[Position, Action]):
    """Superpion as the search sees it, for one side."""

    def __init__(self, side: int | None) -> None:
        self._side = side

    def is_ours(self, state: Position) -> bool:
        return state.seating.side[state.colour] == self._side

    def actions(self, state: Position) -> Sequence[Action]:
        return likely_actions(state)

    def play(self, state: Position, action: Action) -> Position:
        return play_action(state, action)

    def end(self, state: Position) -> int | None:
        if state.result is None:
            return None
        first = {state.seating.sides[seat] for seat in state.result.winners}
        if self._side not in first:
            return -WIN
        return WIN if len(first) == 1 else 0

    def value(self, state: Position) -> int:
        return round(POINT * estimate_for(state.seating).lead(state, self._side))


class AnyAction(SearchedSuperpion):
    """Superpion as somebody sees it who only knows the rules: one action as good as another."""

    def value(self, state: Position) -> int:
        return 0


class GreedyOpponents(SearchedSuperpion):
    """Superpion for one side against several, each of which takes its best action at once.

    A superpion counts the more, the fewer pieces are left to stop it.
    """

    def __init__(self, side: int | None) -> None:
        super().__init__(side)
        self._answers: dict[Position, tuple[Action]] = {}

    def actions(self, state: Position) -> Sequence[Action]:
        legal = likely_actions(state)
        if len(legal) == 1 or self.is_ours(state):
            return legal
        answer = self._answers.get(state)
        if answer is None:
            if len(self._answers) >= MOST_ANSWERS:
                self._answers.clear()
            self.looked_at += len(legal)
            answer = self._answers[state] = (_best_at_once(state, legal),)
        return answer

    def value(self, state: Position) -> int:
        late = LATE_SUPERPION * (1 - state.occupied.bit_count() / PIECES)
        return round(POINT * estimate_for(state.seating).lead(state, self._side, late))


def _best_at_once(state: Position, legal: Sequence[Action]) -> Action:
    """Return the action after which the estimate is best for the side that acts."""
    game = SearchedSuperpion(state.seating.side[state.colour])

    def worth(action: Action) -> int:
        after = play_action(state, action)
        end = game.end(after)
        return game.value(after) if end is None else end

    return max(legal, key=worth)


class SuperpionProgram(LookingAhead[Position, Action]):
    """Plays Superpion, all variants, by alpha-beta search."""

    even = 10 * POINT
    sights = (
        Sight(1, 1_000),
        Sight(1, 1_000),
        Sight(3, 300),
        Sight(ANY, 3_000),
        Sight(ANY, 100_000),
    )
    levels: ClassVar[tuple[Level, ...]] = (
        Level(1, N_("Knows the rules"), N_("Finds what is legal, and takes any of it."), 0.1),
        Level(
            2,
            N_("Pushes for promotion"),
            N_("Looks no further than its action, and pushes its pawns towards a crown."),
            0.1,
        ),
        Level(
            3,
            N_("Sees its turn"),
            N_("Looks at three hundred positions for each action, three actions ahead."),
            0.1,
        ),
        Level(
            4,
            N_("Sees your answer"),
            N_("Looks at three thousand positions for each action: its turn, and yours."),
            1.0,
        ),
        Level(
            5,
            N_("Looks as far as it can"),
            N_("Looks at a hundred thousand positions for each action."),
            20.0,
        ),
    )

    def searched(
        self, position: Position, seat: int, level: int
    ) -> tuple[SearchedSuperpion, Position]:
        kind = AnyAction if level == 1 else SearchedSuperpion
        if level >= SEES_ANSWERS and len(set(position.seating.sides)) > 2:  # noqa: PLR2004
            kind = GreedyOpponents
        return kind(position.seating.sides[seat]), position
