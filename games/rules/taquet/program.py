"""A program for Taquet, which is solved: it knows every position.

There are 267,577 positions with the slide that is not allowed back; turned and mirrored ones are
the same to the table. The weaker levels see a few turns ahead, and without error.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from games.rules.base import N_
from games.rules.programs import Level
from games.rules.solved import SolvedProgram, SolvedValue
from games.rules.taquet.rules import Action, Position
from games.rules.three_by_three import FULL, SYMMETRIES

_REPEATED = 2
"""The third time that a position occurs, the game is drawn."""


def _number(own: int, other: int, taquet: int, back: int) -> int:
    """Return the smallest number of what is the same position turned or mirrored."""
    return min(
        ((sets[own] << 9 | sets[other]) << 4 | way[taquet]) << 4 | way[back]
        for way, sets in SYMMETRIES
    )


class TaquetProgram(SolvedProgram[Position, Action]):
    """Knows every position of Taquet."""

    table_file = Path(__file__).with_name("solution.xz")
    sights = (1, 2, 3, 5, 99)
    levels: ClassVar[tuple[Level, ...]] = (
        Level(
            1,
            N_("Takes a line it sees"),
            N_("Completes its line, and looks no further."),
            0.1,
        ),
        Level(
            2,
            N_("Stops your line"),
            N_("Sees its own turn and your next one."),
            0.1,
        ),
        Level(
            3,
            N_("Sees three turns ahead"),
            N_("Sees its turn, yours and its next one, and sets double threats."),
            0.1,
        ),
        Level(
            4,
            N_("Sees five turns ahead"),
            N_("Sees five turns ahead without any error."),
            0.1,
        ),
        Level(
            5,
            N_("Knows every position"),
            N_("Never gives a won or drawn game away, and resists as long as it can when lost."),
            0.5,
        ),
    )

    def bare(self, position: Position) -> Position:
        return position._replace(turn=position.turn & 1, since=(), played=())

    def key(self, position: Position) -> int:
        return _number(position.own, position.other, position.taquet, position.back)

    def is_certain(self, position: Position, verdict: SolvedValue) -> bool:
        """Tell whether nothing that occurred twice can come again on the way to the end.

        Whoever wins comes nearer to the end with each turn, so only positions that are nearer to
        it than this one can come again. A draw stays one: whoever can hold it, still can.
        """
        if not verdict.result:
            return True
        for key in position.since:
            if position.since.count(key) >= _REPEATED:
                own, other, taquet = key >> 14, key >> 5 & FULL, key >> 1 & 0xF
                # `since` does not tell which slide is not allowed back.
                for back in range(10):
                    known = self.table.get(_number(own, other, taquet, back))
                    if known is not None and known.distance < verdict.distance:
                        return False
        return True
