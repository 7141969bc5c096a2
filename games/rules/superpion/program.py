"""A program for Superpion: it looks ahead action by action, and estimates what it sees.

A turn has two actions of each colour, some seventy pairs on average and more than a thousand at
worst, so single actions are searched, not whole turns. The estimate is in `estimate.py`.

With more than two sides, the others are not one opponent: what one of them takes, it mostly takes
from another. So all levels but the first grow a tree in which each side does what is best for
itself, and judge its leaves by random games that are broken off after a round or two and estimated
(R. Lorentz, "Amazons Discover Monte-Carlo", 2008): captures are forced, so random games show well
which pieces are in danger.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import exp
from typing import Any, ClassVar

from games.rules.alpha_beta import WIN, Found, SearchedGame
from games.rules.base import N_, Seat
from games.rules.budget import Budget
from games.rules.looking_ahead import ANY, LookingAhead, Sight, TurnSearch
from games.rules.playouts import RandomGames, best_child, length_of_best_line
from games.rules.programs import Level
from games.rules.superpion.estimate import estimate_for
from games.rules.superpion.moves import likely_actions
from games.rules.superpion.position import Action, Position
from games.rules.superpion.rules import Superpion
from games.rules.superpion.transitions import play_action

POINT = 100
"""The value of a point of the lead."""

EVEN = 10 * POINT
"""The value of a position that is as good as half won."""

PIECES = 60
"""How many pieces there are at the start."""

IN_GAMES = {2: 40, 3: 600, 4: 3_000, 5: 100_000}
"""By level: the positions of random games that it looks at for each action, against several."""

SHORT = 12
"""A random game is broken off after so many actions."""

LATE_SUPERPION = 5.0
"""What a superpion is worth besides when hardly any other piece is left, among more than two sides.
Found by games against random-rollout searches."""

AHEAD = 4.0
"""With a lead of so many points it is e times as likely to end ahead as to end behind."""

EXPLORATION = 0.3
"""How much the tree prefers actions that it has seldom tried."""

MOST_NODES = 12_000
"""So many nodes the tree has (some 20 MB)."""

NEVER_SURE = 0.01
"""Random games prove nothing: no opinion is nearer to a sure win or loss than this."""

OPINION = 50_000
"""The positions that an opinion looks at, against several: a second or two."""


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


class QuickRules(Superpion):
    """The rules, but captures only as far as they are found quickly."""

    def legal_actions(self, position: Position) -> Sequence[Action]:
        return likely_actions(position)


QUICK_RULES = QuickRules()


class ShortGames:
    """Searches for a seat by a tree and short random games, against several sides."""

    def __init__(self, seat: Seat, chance: random.Random) -> None:
        self._seat = seat
        self._games = RandomGames(
            QUICK_RULES,
            chance,
            longest=SHORT,
            estimate=parts_behind,
            exploration=EXPLORATION,
            most_nodes=MOST_NODES,
        )

    def search(
        self, state: Position, actions: Sequence[Action], most_depth: int, budget: Budget
    ) -> Found[Action]:
        """Return the action that was tried most often; its depth is how far that goes on.

        The value is that of the position, such that an opinion on it goes from -1 (behind all of
        the others for certain) to 1.
        """
        root = self._games.search(state, budget, actions, self._seat)
        ahead = 2 * root.reward / root.visits - 1
        value = round(EVEN * ahead / max(1 - abs(ahead), NEVER_SURE))
        return Found(best_child(root).action or actions[0], value, length_of_best_line(root))


def parts_behind(position: Position) -> tuple[float, ...]:
    """Return for each seat what part of the other sides its own will probably leave behind."""
    late = LATE_SUPERPION * (1 - position.occupied.bit_count() / PIECES)
    worth = estimate_for(position.seating).sides(position, late)
    parts = {}
    for side, own in worth.items():
        leads = [own - other for rival, other in worth.items() if rival != side]
        parts[side] = sum(1 / (1 + exp(-lead / AHEAD)) for lead in leads) / max(1, len(leads))
    return tuple(parts.get(side, 0.0) for side in position.seating.sides)


class SuperpionProgram(LookingAhead[Position, Action]):
    """Plays Superpion: by alpha-beta search, and against several sides by random games."""

    even = EVEN
    counts_turns = False
    sights = (
        Sight(1, 1_000),
        Sight(1, 1_000),
        Sight(3, 300),
        Sight(ANY, 6_000),
        Sight(ANY, 100_000),
    )
    levels: ClassVar[tuple[Level, ...]] = (
        Level(1, N_("Knows the rules"), N_("Finds what is legal, and takes any of it."), 0.1),
        Level(
            2,
            N_("Pushes for promotion"),
            N_(
                "Looks no further than its action, and pushes its pawns towards a crown. "
                "Among three or four players it chooses by three short random games."
            ),
            0.1,
        ),
        Level(
            3,
            N_("Sees its turn"),
            N_(
                "Looks at three hundred positions for each action, three actions ahead. "
                "Among three or four players it chooses by forty short games."
            ),
            0.5,
        ),
        Level(
            4,
            N_("Sees your answer"),
            N_(
                "Looks at six thousand positions for each action: its turn, and yours. "
                "Among three or four players it chooses by two hundred short games."
            ),
            1.0,
        ),
        Level(
            5,
            N_("Looks as far as it can"),
            N_(
                "Looks at a hundred thousand positions for each action. "
                "Among three or four players it chooses by some five thousand short games."
            ),
            20.0,
        ),
    )

    def sight(self, position: Position, level: int) -> Sight:
        if level in IN_GAMES and _are_several(position):
            return Sight(ANY, IN_GAMES[level])
        return super().sight(position, level)

    def searched(
        self, position: Position, seat: int, level: int
    ) -> tuple[SearchedSuperpion, Position]:
        kind = AnyAction if level == 1 else SearchedSuperpion
        return kind(position.seating.sides[seat]), position

    def search_for(
        self,
        position: Position,
        game: SearchedGame[Any, Action],
        seat: Seat,
        level: int,
        chance: random.Random,
    ) -> TurnSearch[Action]:
        if level in IN_GAMES and _are_several(position):
            return ShortGames(seat, chance)
        return super().search_for(position, game, seat, level, chance)

    def positions_of_opinion(self, position: Position) -> int:
        return OPINION if _are_several(position) else super().positions_of_opinion(position)


def _are_several(position: Position) -> bool:
    """Tell whether more than two sides play."""
    return len(set(position.seating.sides)) > 2  # noqa: PLR2004
