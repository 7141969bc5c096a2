"""Puzzles of solved games: positions in which a single turn keeps the result, by the table.

They are found in games: in one that programs play, which a seed decides, or in one that is given.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.rules.entries import positions
from games.rules.solved import SolvedProgram

AnySolvedProgram = SolvedProgram[Any, Any]

PLAYED_TURNS = 40
"""The games that are looked through for positions are no longer."""

FEWEST_TURNS = 4
"""So many turns at least lead to the position of a puzzle: the board is not empty any more."""

DRAWN_LINE = 5
"""So many turns are shown of a solution that holds a draw."""

MOST_GAMES = 2000
"""After so many games without a fitting position something is wrong with the difficulty."""


@dataclass(frozen=True)
class Difficulty:
    """Which positions make a puzzle: how many turns best play lasts, and how many there are."""

    result: int
    """What the side to move can reach: 1 is a win, 0 a draw."""
    shortest: int
    """Of a win: at least so many turns until the end, both sides' turns counted."""
    longest: int
    least_choices: int = 4


WEEK: tuple[tuple[str, Difficulty], ...] = (
    ("morpion", Difficulty(result=0, shortest=0, longest=0)),
    ("taquet", Difficulty(result=1, shortest=3, longest=4)),
    ("taquet", Difficulty(result=0, shortest=0, longest=0)),
    ("taquet", Difficulty(result=1, shortest=5, longest=6)),
    ("taquet", Difficulty(result=1, shortest=5, longest=8)),
    ("taquet", Difficulty(result=1, shortest=7, longest=8)),
    ("taquet", Difficulty(result=1, shortest=9, longest=10)),
)
"""The game and the difficulty of each day of the week from Monday: Sunday has a win in five."""


PLAYED: Mapping[str, Difficulty] = {
    "morpion": Difficulty(result=1, shortest=3, longest=9),
    "taquet": Difficulty(result=1, shortest=5, longest=10),
}
"""Of which games positions that people played are asked, and how hard they are: all are wins that
take two turns at least, three at Taquet."""

PLAYED_DAYS = (2, 4)
"""On Wednesdays and Fridays the puzzle is from a finished game, if one has a fitting position."""


@dataclass(frozen=True)
class PuzzlePosition:
    """A position in which one turn keeps the result, and the best play that follows."""

    moves: tuple[str, ...]
    """The turns from the start of the game to the position."""
    solution: tuple[str, ...]
    """The only turn that keeps the result, then best play of both sides; a win to its end."""
    result: int
    choices: int
    """How many legal turns there are."""


def make_puzzle(program: AnySolvedProgram, difficulty: Difficulty, seed: int) -> PuzzlePosition:
    """Return a puzzle of this difficulty, the same for the same seed.

    Raises LookupError when none is found.
    """
    chance = random.Random(seed)  # noqa: S311  (the same puzzle each time)
    for _ in range(MOST_GAMES):
        found = _look_through(program, difficulty, chance)
        if found:
            return chance.choice(found)
    raise LookupError(difficulty)


def _look_through(
    program: AnySolvedProgram, difficulty: Difficulty, chance: random.Random
) -> list[PuzzlePosition]:
    """Return the puzzles in a new game between two levels below the best."""
    rules, moves, found = program.rules, list[str](), list[PuzzlePosition]()
    position = rules.initial({})
    levels = [chance.randint(2, 4), chance.randint(2, 4)]
    while rules.outcome(position) is None and len(moves) < PLAYED_TURNS:
        actions = program.choose_turn(position, levels[len(moves) & 1], chance.getrandbits(32))
        puzzle = puzzle_at(program, difficulty, moves, position)
        if puzzle:
            found.append(puzzle)
        moves.append(rules.format_turn(position, actions).replace(" ", ""))
        position = rules.play_turn(position, actions)
    return found


def puzzles_in(
    program: AnySolvedProgram, difficulty: Difficulty, moves: Sequence[str]
) -> list[PuzzlePosition]:
    """Return the puzzles in a game that was played, in the order of its turns."""
    before = positions(program.rules, {}, moves)[:-1]
    found = [
        puzzle_at(program, difficulty, moves[:number], position)
        for number, position in enumerate(before[:PLAYED_TURNS])
    ]
    return [puzzle for puzzle in found if puzzle]


def puzzle_at(
    program: AnySolvedProgram, difficulty: Difficulty, moves: Sequence[str], position: Any
) -> PuzzlePosition | None:
    """Return the puzzle of a position that is not the end; None if it does not fit.

    `moves` led to it.
    """
    if len(moves) < FEWEST_TURNS:
        return None
    judged = program.judge_turn(position, tuple(program.rules.legal_actions(position)[:1]))
    choices = judged.choices or 0
    fits = (
        judged.before.value == difficulty.result
        and judged.before.is_exact
        and judged.holding == 1
        and choices >= difficulty.least_choices
    )
    if fits and difficulty.result:
        fits = difficulty.shortest <= (judged.before.distance or 0) <= difficulty.longest
    if not fits:
        return None
    solution = _best_line(program, position, drawn=not difficulty.result)
    return PuzzlePosition(tuple(moves), solution, difficulty.result, choices)


def _best_line(program: AnySolvedProgram, position: Any, *, drawn: bool) -> tuple[str, ...]:
    """Return best play of both sides, to the end of the game or for some turns of a draw."""
    line = list[str]()
    rules = program.rules
    while rules.outcome(position) is None and not (drawn and len(line) == DRAWN_LINE):
        best = program.judge_turn(position, tuple(rules.legal_actions(position)[:1])).best
        line.append(best.replace(" ", ""))
        position = rules.play_turn(position, rules.parse_turn(position, best))
    return tuple(line)
