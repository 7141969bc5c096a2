"""A program for Morpiae: alpha-beta over circles coloured and circles that can be coloured next.

The idea: the players take turns with the lines that are there, each the one that colours most:
what the best line of the player to act colours, less what the next best one does, and so on. This
is the sum of an alternating sequence, as in the theory of sums of "hot" games, in which the largest
move comes first (E. Berlekamp, J. Conway and R. Guy, "Winning Ways", 1982, chapter 6). A circle is
counted once, for whoever takes it first. A position is worth the lead and half of this sum.

Careful players draw: they pass early, or use up all lines before anything is coloured. The program
wants more than a draw: to it a draw is a small loss ("contempt"), so that it passes last or with a
lead. An even position with few lines left is likely to be drawn, and is worth less accordingly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from games.rules.alpha_beta import WIN, SearchedGame
from games.rules.base import N_
from games.rules.looking_ahead import ANY, LookingAhead, Sight
from games.rules.morpiae.position import Position, draw_line, pass_turn
from games.rules.morpiae.sheet import DIRECTIONS, FIVE, MASKS, NEW, PASS, Action
from games.rules.programs import Level

CIRCLE = 100
"""What a coloured circle is worth."""

NEXT = 50
"""What a circle is worth that a line can colour now. A logistic regression on 6,000 positions of
games of the program against itself gave 0.47 of a coloured circle."""

CONTEMPT = 150
"""By how much a draw is worse than an even position."""

DRAW_RISK = (1.0, 0.7, 0.6, 0.4, 0.3, 0.2, 0.1)
"""By the number of lines left: how much more likely an even position is to be drawn than one with
many lines. Smoothed from the same games."""

NO_DRAW = 100_000
"""The contempt of the weaker levels: they never pass into a draw, and games with them go on."""

_PLAYED = ((((), (0,))), ((0, PASS), (PASS,)))
"""What the search keeps of the actions played: who is to act, and whether the last one passed."""


def state_of(position: Position) -> Position:
    """Return the position without what the search need not tell apart: the order of the lines."""
    played = position.played
    passed = bool(played) and played[-1] == PASS
    return position._replace(played=_PLAYED[passed][len(played) & 1])


class SearchedMorpiae(SearchedGame[Position, Action]):
    """Morpiae as the search sees it, for one seat."""

    def __init__(self, seat: int, contempt: int = CONTEMPT) -> None:
        self._seat = seat
        self._contempt = contempt
        self._even = tuple(-round(risk * min(contempt, CONTEMPT)) for risk in DRAW_RISK)

    def is_ours(self, state: Position) -> bool:
        return len(state[4]) & 1 == self._seat

    def actions(self, state: Position) -> Sequence[Action]:
        return state[3]

    def play(self, state: Position, action: Action) -> Position:
        after = pass_turn(state) if action == PASS else draw_line(state, action)
        circles, crossed, coloured, legal, _, target, hints, result = after
        kept = _PLAYED[action == PASS][len(state[4]) & 1 ^ 1]
        return Position(circles, crossed, coloured, legal, kept, target, hints, result)

    def end(self, state: Position) -> int | None:
        result = state[7]
        if result is None:
            return None
        if result.is_draw:
            return -self._contempt
        return WIN if self._seat in result.winners else -WIN

    def value(self, state: Position) -> int:
        first, second = state[2]
        next_ones = NEXT * alternating_gains(state)
        total = CIRCLE * (first.bit_count() - second.bit_count())
        total += -next_ones if len(state[4]) & 1 else next_ones
        if not total:
            lines = len(state[3]) - 1
            return self._even[lines] if lines < len(self._even) else 0
        return -total if self._seat else total

    def last_ply(self, state: Position, beta: int, alpha: int = -WIN) -> tuple[int, int]:
        # What a line colours now is the most that it is worth: what the opponent gains by the
        # answer only takes from it. So most lines need not be tried.
        _, _, coloured, legal, played, target, _, _ = state
        if target is not None:
            return super().last_ply(state, beta)
        others = _crossed_by_others(state)
        gains = []
        for action in legal[:-1]:
            number = action // FIVE
            gains.append(((MASKS[number] & others[DIRECTIONS[number]]).bit_count(), action))
        gains.sort(reverse=True)
        gains.append((0, PASS))
        seat = len(played) & 1
        lead = coloured[seat].bit_count() - coloured[1 - seat].bit_count()
        sign = 1 if seat == self._seat else -1
        # To the opponent a likely draw is worth more than nothing.
        most_even = 0 if sign > 0 else -self._even[0]
        best, tried = -WIN, 1
        for gain, action in gains:
            most = CIRCLE * (lead + gain)
            if 0 <= most < most_even:
                most = most_even
            if most <= best or most <= alpha:
                goes_on = played[-1:] != (PASS,) if action == PASS else leaves_a_line(legal, action)
                if goes_on:
                    best = max(best, most)
                    continue
            after = self.play(state, action)
            found = self.end(after)
            if found is None:
                found = self.value(after)
            tried += 1
            best = max(best, sign * found)
            if best >= beta:
                break
        return best, tried


def alternating_gains(state: Position) -> int:
    """Return what the player to act gains if both colour as much as they can with each line.

    Lines that only become possible on the way are left out. It is never below 0: who would lose by
    it colours nothing.
    """
    others = _crossed_by_others(state)
    gains = []
    for action in state[3][:-1]:
        number = action // FIVE
        gained = MASKS[number] & others[DIRECTIONS[number]]
        if gained:
            gains.append(gained)
    gains.sort(key=int.bit_count, reverse=True)
    total, sign, taken = 0, 1, 0
    for gained in gains:
        left = gained & ~taken
        if left:
            total += sign * left.bit_count()
            taken |= left
            sign = -sign
    return max(0, total)


def _crossed_by_others(state: Position) -> tuple[int, int, int, int]:
    """Return for each direction the circles that lie on lines of all the other ones."""
    rows, columns, rising, falling = state[1]
    straight, slanting = rows & columns, rising & falling
    return (columns & slanting, rows & slanting, straight & falling, straight & rising)


def leaves_a_line(legal: Sequence[Action], action: Action) -> bool:
    """Tell whether another legal line stays legal after this one, so that the game goes on."""
    number, new = action // FIVE, NEW[action]
    for other in legal:
        if other != PASS and NEW[other] != new and abs(other // FIVE - number) >= FIVE:
            return True
    return False


class AnyLine(SearchedMorpiae):
    """Morpiae as somebody sees it who only knows the rules: lines, one as good as another."""

    def value(self, state: Position) -> int:
        return -CIRCLE if state.played[-1:] == (PASS,) else 0

    def last_ply(self, state: Position, beta: int, alpha: int = -WIN) -> tuple[int, int]:
        return SearchedGame.last_ply(self, state, beta, alpha)


class CirclesColoured(SearchedMorpiae):
    """Morpiae as beginners see it: circles coloured, and nothing else."""

    def value(self, state: Position) -> int:
        ours, theirs = state.coloured[self._seat], state.coloured[1 - self._seat]
        return CIRCLE * (ours.bit_count() - theirs.bit_count())


class MorpiaeProgram(LookingAhead[Position, Action]):
    """Plays Morpiae by alpha-beta search."""

    even = 3 * CIRCLE
    sights = (
        Sight(1, 1_000),
        Sight(1, 1_000),
        Sight(2, 10_000),
        Sight(4, 10_000),
        Sight(ANY, 400_000),
    )
    levels: ClassVar[tuple[Level, ...]] = (
        Level(1, N_("Draws any line"), N_("Finds the lines, and draws one of them."), 0.1),
        Level(
            2,
            N_("Colours what it can"),
            N_("Draws the line that colours most circles, and looks no further."),
            0.1,
        ),
        Level(
            3,
            N_("Sees what you can colour"),
            N_("Looks at your next turn, and leaves you no circle that it need not leave."),
            0.1,
        ),
        Level(
            4,
            N_("Counts what is left to colour"),
            N_("Looks four turns ahead, and counts what both can still colour."),
            0.2,
        ),
        Level(
            5,
            N_("Looks as far as it can"),
            N_("Looks at four hundred thousand positions, with the same count."),
            15.0,
        ),
    )

    def searched(
        self, position: Position, seat: int, level: int
    ) -> tuple[SearchedMorpiae, Position]:
        kinds = (AnyLine, CirclesColoured, CirclesColoured, SearchedMorpiae, SearchedMorpiae)
        contempt = CONTEMPT if level == len(kinds) else NO_DRAW
        return kinds[level - 1](seat, contempt), state_of(position)
