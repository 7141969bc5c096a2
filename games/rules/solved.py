"""Games that are solved: a table of every position, computed from the rules, and its program.

The table is computed by `manage.py programs tables`, backwards from the ends (retrograde analysis:
K. Thompson, "Retrograde Analysis of Certain Endgames", 1986), and kept in a small file. Its
distances count turns, which are single actions in these games; play without end is a draw.
"""

from __future__ import annotations

import lzma
import random
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import ClassVar, NamedTuple

from games.rules.base import A, P
from games.rules.programs import (
    IsStopped,
    Opinion,
    Program,
    TurnOpinion,
    never_stopped,
    result_for,
)


class SolvedValue(NamedTuple):
    """What best play leads to, for the side to act: `result` is 1, 0 or -1.

    `distance` is the number of turns until the end, 0 in a draw that never ends.
    """

    result: int
    distance: int


DRAWN = SolvedValue(0, 0)

_LOST = 0x40
"""In a file, a verdict is one byte: its distance, and this for a lost position."""


class SolvedProgram(Program[P, A]):
    """Plays by the table; a lower level sees only what happens within some turns.

    It chooses the shortest win and the longest resistance, and what leaves the opponent the
    smallest part of replies that hold a draw. What a level does not see is drawn to it, and one is
    as good as another.
    """

    opening_turns = 0
    table_file: ClassVar[Path]
    sights: ClassVar[tuple[int, ...]]
    """How many turns ahead each level sees."""

    # What a game says of itself ------------------------------------------------------------------

    @abstractmethod
    def bare(self, position: P) -> P:
        """Return the position without the history that play can do without."""

    @abstractmethod
    def key(self, position: P) -> int:
        """Return a number for the position, the same for what is only turned or mirrored."""

    def is_certain(self, position: P, verdict: SolvedValue) -> bool:
        """Tell whether the table's verdict holds, whatever has happened in the game."""
        return True

    # The table -----------------------------------------------------------------------------------

    @cached_property
    def table(self) -> Mapping[int, SolvedValue]:
        """The verdict of every won or lost position by its key; all others are drawn."""
        return read_table(self.table_file)

    def solve(self) -> dict[int, SolvedValue]:
        """Return the table, computed from the rules."""
        positions = [self.bare(self.rules.initial({}))]
        numbers = {self.key(positions[0]): 0}
        leading: list[list[int]] = [[]]
        choices: list[int] = []
        for here, position in enumerate(positions):
            actions = self.rules.legal_actions(position)
            choices.append(len(actions))
            for action in actions:
                after = self.bare(self.rules.play(position, action))
                there = numbers.setdefault(self.key(after), len(positions))
                if there == len(positions):
                    positions.append(after)
                    leading.append([])
                leading[there].append(here)
        ends = {}
        for number, position in enumerate(positions):
            result = result_for(self.rules, position, self.rules.turn(position) & 1)
            if result:
                ends[number] = SolvedValue(result, 0)
        verdicts = _work_back(ends, leading, choices)
        return {key: verdicts[n] for key, n in numbers.items() if n in verdicts and choices[n]}

    def verdict(self, position: P) -> SolvedValue:
        """Return the verdict of a position, of an end too, for the side whose turn it would be."""
        ended = result_for(self.rules, position, self.rules.turn(position) & 1)
        if ended is not None:
            return SolvedValue(ended, 0)
        return self.table.get(self.key(position), DRAWN)

    # Playing -------------------------------------------------------------------------------------

    def choose_turn(
        self, position: P, level: int, seed: int, is_stopped: IsStopped = never_stopped
    ) -> tuple[A, ...]:
        chance = random.Random(seed)  # noqa: S311  (the same turn each time)
        sight = self.sights[level - 1]
        actions = list(self.rules.legal_actions(position))
        chance.shuffle(actions)
        return (
            max(
                actions,
                key=lambda action: (
                    self._rank(position, action, sight),
                    self.preference(position, action, level),
                ),
            ),
        )

    def preference(self, position: P, action: A, level: int) -> float:
        """Return which of the actions that seem equally good a level prefers; the higher."""
        return 0

    def _rank(self, position: P, action: A, sight: int) -> tuple[float, float]:
        """Return how good an action is, as far as it is seen."""
        after = self.rules.play(position, action)
        result, distance = self.verdict(after)
        if distance >= sight:
            result = 0
        if result:
            # A win for the opponent is the better the later it comes.
            return (-result, distance if result > 0 else -distance)
        replies = self.rules.legal_actions(after)
        if sight < max(self.sights) or not replies:
            return (0, 0)
        return (0, -self.holding(after, replies, 0) / len(replies))

    def holding(self, position: P, actions: Sequence[A], result: int) -> int:
        """Return how many of these actions lead to this result or a better one."""
        play, verdict = self.rules.play, self.verdict
        return sum(-verdict(play(position, action)).result >= result for action in actions)

    # Judging -------------------------------------------------------------------------------------

    def judge_turn(
        self, position: P, actions: tuple[A, ...], is_stopped: IsStopped = never_stopped
    ) -> TurnOpinion:
        legal = self.rules.legal_actions(position)
        best = max(legal, key=lambda action: self._rank(position, action, max(self.sights)))
        before, after = self._reached(position, best), self._reached(position, actions[0])
        return TurnOpinion(
            before=self._opinion(position, before, turns_gone=1),
            after=self._opinion(self.rules.play(position, actions[0]), after, turns_gone=0),
            kept=after.result == before.result,
            best=self.rules.format(position, best),
            holding=self.holding(position, legal, before.result),
            choices=len(legal),
        )

    def _reached(self, position: P, action: A) -> SolvedValue:
        """Return the verdict after an action, for the side that acts."""
        result, distance = self.verdict(self.rules.play(position, action))
        return SolvedValue(-result, distance)

    def _opinion(self, position: P, verdict: SolvedValue, turns_gone: int) -> Opinion:
        result, distance = verdict
        ended = self.rules.outcome(position) is not None
        known = SolvedValue(result, distance + turns_gone)
        is_exact = ended or self.is_certain(position, known)
        return Opinion(
            value=float(result),
            is_exact=is_exact,
            distance=known.distance if result or ended else None,
            depth=None if is_exact else known.distance,
        )


# Solving -----------------------------------------------------------------------------------------


def _work_back(
    verdicts: dict[int, SolvedValue], leading: list[list[int]], choices: list[int]
) -> dict[int, SolvedValue]:
    """Add what follows from the ends, one turn further each round; what is left out is drawn.

    `leading` holds for each position those that lead to it, `choices` its number of actions.
    """
    front, distance, escapes = list(verdicts), 0, list(choices)
    while front:
        found, distance = [], distance + 1
        for there in front:
            lost_there = verdicts[there].result < 0
            for here in leading[there]:
                escapes[here] -= not lost_there
                if here not in verdicts and (lost_there or escapes[here] == 0):
                    verdicts[here] = SolvedValue(1 if lost_there else -1, distance)
                    found.append(here)
        front = found
    return verdicts


# Files -------------------------------------------------------------------------------------------


def write_table(path: Path, table: Mapping[int, SolvedValue]) -> None:
    """Write a table: the keys in order, each as its distance from the one before, and verdicts."""
    keys = sorted(table)
    steps = [key - before for before, key in zip([0, *keys], keys, strict=False)]
    width = (max(steps).bit_length() + 7) // 8
    columns = [bytes(step >> 8 * part & 0xFF for step in steps) for part in range(width)]
    verdicts = bytes(table[key].distance | (_LOST if table[key].result < 0 else 0) for key in keys)
    data = len(keys).to_bytes(4, "big") + verdicts + b"".join(columns)
    path.write_bytes(lzma.compress(data, preset=9 | lzma.PRESET_EXTREME))


def read_table(path: Path) -> dict[int, SolvedValue]:
    """Return the table that `write_table` wrote."""
    data = lzma.decompress(path.read_bytes())
    count = int.from_bytes(data[:4], "big")
    verdicts, steps = data[4 : 4 + count], data[4 + count :]
    table, key = {}, 0
    for number, verdict in enumerate(verdicts):
        for part, column in enumerate(range(number, len(steps), count)):
            key += steps[column] << 8 * part
        table[key] = SolvedValue(-1 if verdict & _LOST else 1, verdict & ~_LOST)
    return table
