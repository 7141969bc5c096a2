"""Taquet is solved: the rules, followed to every position, give the published answer.

Published: 267,577 positions can arise (counting the slide that is not allowed back, infinite play
as a draw); seat 0 wins at the 15th action by placing a man anywhere; every first slide loses.
"""

from dataclasses import dataclass
from typing import NamedTuple

import pytest

from games.rules.taquet.rules import Position, Taquet

pytestmark = [pytest.mark.timeout(300), pytest.mark.slow]

TAQUET = Taquet()


def bare(position: Position) -> Position:
    """Return the position without its history: the board, and the slide that is not allowed."""
    return position._replace(turn=position.turn & 1, since=(), played=())


class SolvedValue(NamedTuple):
    """What best play leads to, for the seat whose turn it is or would be."""

    wins: bool
    actions: int


@dataclass
class Solution:
    number: dict[Position, int]
    verdicts: dict[int, SolvedValue]

    def after(self, text: str) -> SolvedValue | None:
        start = TAQUET.initial({})
        position = TAQUET.play(start, TAQUET.parse(start, text))
        return self.verdicts.get(self.number[bare(position)])


@pytest.fixture(scope="module")
def solution() -> Solution:
    start = bare(TAQUET.initial({}))
    number, positions, following = {start: 0}, [start], []
    for position in positions:
        row = []
        for action in TAQUET.legal_actions(position):
            after = bare(TAQUET.play(position, action))
            if after not in number:
                number[after] = len(positions)
                positions.append(after)
            row.append(number[after])
        following.append(row)
    return Solution(number, solved(positions, following))


def solved(positions: list[Position], following: list[list[int]]) -> dict[int, SolvedValue]:
    """Work back from the ends, one action further each round; what is left out is a draw."""
    leading: list[list[int]] = [[] for _ in positions]
    for here, row in enumerate(following):
        for there in row:
            leading[there].append(here)
    escapes = [len(row) for row in following]
    verdicts = ended(positions)
    front, actions = list(verdicts), 0
    while front:
        found, actions = [], actions + 1
        for there, here in ((after, before) for after in front for before in leading[after]):
            escapes[here] -= verdicts[there].wins
            if here not in verdicts and (not verdicts[there].wins or escapes[here] == 0):
                verdicts[here] = SolvedValue(not verdicts[there].wins, actions)
                found.append(here)
        front = found
    return verdicts


def ended(positions: list[Position]) -> dict[int, SolvedValue]:
    return {
        here: SolvedValue(position.result.winners == (position.turn & 1,), 0)
        for here, position in enumerate(positions)
        if position.result is not None and not position.result.is_draw
    }


def test_as_many_positions_can_arise_as_published(solution):
    assert len(solution.number) == 267_577


def test_the_beginner_wins_at_the_fifteenth_action(solution):
    assert solution.verdicts[0] == SolvedValue(wins=True, actions=15)


@pytest.mark.parametrize("square", ["a1", "a2", "a3", "b1", "b3", "c1", "c2", "c3"])
def test_placing_a_man_anywhere_wins_as_fast(solution, square):
    assert solution.after(square) == SolvedValue(wins=False, actions=14)


@pytest.mark.parametrize("slide", ["Ta2", "Tb1", "Tb3", "Tc2"])
def test_every_first_slide_loses(solution, slide):
    assert solution.after(slide).wins
