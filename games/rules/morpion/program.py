"""A program for Morpion, which is solved: it knows every position, and never loses."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from games.rules.base import N_
from games.rules.morpion.rules import Action, Position
from games.rules.programs import Level
from games.rules.solved import SolvedProgram
from games.rules.three_by_three import FULL, HAS_LINE, SYMMETRIES, THREE

_WEIGHS_CELLS = (2, 3)
"""The levels that prefer cells with open lines; the others see more, or nothing."""

_LINES = tuple(cells for cells in range(FULL + 1) if HAS_LINE[cells] and cells.bit_count() == THREE)
"""The eight lines as sets of cells."""


class MorpionProgram(SolvedProgram[Position, Action]):
    """Knows every position of Morpion."""

    table_file = Path(__file__).with_name("solution.xz")
    sights = (0, 0, 1, 2, 9)
    levels: ClassVar[tuple[Level, ...]] = (
        Level(1, N_("Knows the rules"), N_("Marks any empty cell."), 0.1),
        Level(
            2,
            N_("Knows the good cells"),
            N_("Marks the cell in which the most lines are still open to it."),
            0.1,
        ),
        Level(
            3,
            N_("Takes a line it sees"),
            N_("Completes its line; otherwise it marks the cell with the most open lines."),
            0.1,
        ),
        Level(4, N_("Stops your line"), N_("Sees its own turn and your next one."), 0.1),
        Level(
            5,
            N_("Knows every position"),
            N_("Never loses, and leaves you as many ways to go wrong as there are."),
            0.1,
        ),
    )

    def preference(self, position: Position, action: Action, level: int) -> float:
        if level not in _WEIGHS_CELLS:
            return 0
        crosses, noughts, _ = position
        other = crosses if (crosses | noughts).bit_count() & 1 else noughts
        return sum(line >> action & 1 and not line & other for line in _LINES)

    def bare(self, position: Position) -> Position:
        return position

    def key(self, position: Position) -> int:
        return min(sets[position.crosses] << 9 | sets[position.noughts] for _, sets in SYMMETRIES)
