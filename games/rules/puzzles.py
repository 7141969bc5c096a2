"""Puzzles of solved games: positions in which a single turn keeps the result, from the table alone.

A seed makes the puzzle: programs that see a few turns ahead play a game, and one of its positions
is taken. No game of anybody is read.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

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
        judged = program.judge_turn(position, actions)
        fits = (
            len(moves) >= FEWEST_TURNS
            and judged.before.value == difficulty.result
            and judged.before.is_exact
            and judged.holding == 1
            and (judged.choices or 0) >= difficulty.least_choices
        )
        if fits and difficulty.result:
            fits = difficulty.shortest <= (judged.before.distance or 0) <= difficulty.longest
        if fits:
            solution = _best_line(program, position, drawn=not difficulty.result)
            choices = judged.choices or 0
            found.append(PuzzlePosition(tuple(moves), solution, difficulty.result, choices))
        moves.append(rules.format_turn(position, actions).replace(" ", ""))
        position = rules.play_turn(position, actions)
    return found


def _best_line(program: AnySolvedProgram, position: Any, *, drawn: bool) -> tuple[str, ...]:
    """Return best play of both sides, to the end of the game or for some turns of a draw."""
    line = list[str]()
    rules = program.rules
    while rules.outcome(position) is None and not (drawn and len(line) == DRAWN_LINE):
        best = program.judge_turn(position, tuple(rules.legal_actions(position)[:1])).best
        line.append(best.replace(" ", ""))
        position = rules.play_turn(position, rules.parse_turn(position, best))
    return tuple(line)
