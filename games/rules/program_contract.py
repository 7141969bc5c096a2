"""The promises of `programs.py` as checks that any game's program can be put through.

As in `contract.py`, a check takes a program and a random game, and yields a sentence for each
fault.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import thread_time
from typing import Any

from games.rules.base import MoveError
from games.rules.contract import ContractFault, error_in_words, when
from games.rules.programs import Program
from games.rules.random_games import RandomGame, random_game

AnyProgram = Program[Any, Any]
ProgramCheck = Callable[[AnyProgram, RandomGame], Iterator[str]]

GAMES = 3
"""In so many random games `check_program` looks at a program unless it is given another number."""

LEVELS = 5

QUICK = 2.0
"""Levels that take at most so many CPU seconds are tried without being stopped."""

STOPPED = 5.0
"""After so many CPU seconds a program that was told to stop at once must have played."""


def check_program(program: AnyProgram, *, seed: int = 0, games: int = GAMES) -> list[ContractFault]:
    """Return the first fault that each check finds in `games` random games; none: all is well."""
    faults: dict[str, ContractFault] = {}
    for number in range(seed, seed + games):
        game = random_game(program.rules, number)
        for one in CHECKS:
            name = one.__name__
            if name not in faults:
                try:
                    sentence = next(one(program, game), None)
                except Exception as error:
                    sentence = error_in_words(error)
                if sentence is not None:
                    faults[name] = ContractFault(name, sentence, number)
    return list(faults.values())


def levels_are_numbered_and_named(program: AnyProgram, game: RandomGame) -> Iterator[str]:
    """Check that there are five levels with a name and a sentence each."""
    numbers = [level.number for level in program.levels]
    if numbers != list(range(1, LEVELS + 1)):
        yield f"The levels are numbered {numbers}, not from 1 to {LEVELS}."
    if len({level.name for level in program.levels}) != len(numbers):
        yield "Two levels have the same name."
    for level in program.levels:
        if not level.summary.endswith("."):
            yield f"The summary of level {level.number} is no sentence that ends with a full stop."


def turns_are_whole_and_legal(program: AnyProgram, game: RandomGame) -> Iterator[str]:
    """Check that every quick level plays a whole legal turn, and the same one each time."""
    for number, position in _turns(program, game):
        for level in program.levels:
            if level.seconds > QUICK:
                continue
            turn = program.choose_turn(position, level.number, number)
            yield from _wrong_turn(program, position, turn, f"level {level.number}", number)
            if program.choose_turn(position, level.number, number) != turn:
                yield (f"Level {level.number} plays differently the second time, {when(number)}.")


def a_stopped_program_plays_at_once(program: AnyProgram, game: RandomGame) -> Iterator[str]:
    """Check that the best level, told to stop, plays a whole legal turn in little time."""
    best = program.levels[-1].number
    for number, position in _turns(program, game):
        began = thread_time()
        turn = program.choose_turn(position, best, 0, lambda: True)
        if thread_time() - began > STOPPED:
            yield f"Level {best} thinks on when it is told to stop, {when(number)}."
        yield from _wrong_turn(program, position, turn, f"level {best}, stopped,", number)


def opinions_fit_together(program: AnyProgram, game: RandomGame) -> Iterator[str]:
    """Check what is said of a turn: values in range, a legal best turn, counts that fit."""
    for number, position in _turns(program, game):
        turn = program.choose_turn(position, 1, number)
        found = program.judge_turn(position, turn, lambda: True)
        for opinion in (found.before, found.after):
            if not -1 <= opinion.value <= 1:
                yield f"The value {opinion.value} is not from -1 to 1, {when(number)}."
            if opinion.is_exact and opinion.value not in (-1, 0, 1):
                yield f"The value {opinion.value} is called exact, {when(number)}."
        if found.before.distance == 0:
            yield f"Before a turn the end is no turn away, {when(number)}."
        if found.after.value > found.before.value:
            yield f"A turn makes more of the position than its best, {when(number)}."
        try:
            program.rules.parse_turn(position, found.best)
        except MoveError as error:
            yield f"The best turn “{found.best}”, {when(number)}, is refused: {error}"
        if found.holding is not None and not 1 <= found.holding <= (found.choices or 0):
            yield f"{found.holding} of {found.choices} turns hold, {when(number)}."


CHECKS: tuple[ProgramCheck, ...] = (
    levels_are_numbered_and_named,
    turns_are_whole_and_legal,
    a_stopped_program_plays_at_once,
    opinions_fit_together,
)
"""Every check, in the order in which an author should see the faults."""


def _turns(program: AnyProgram, game: RandomGame) -> list[tuple[int, Any]]:
    """Return some positions of the game in which a turn begins, each with its actions so far."""
    rules, begins = program.rules, []
    turn = -1
    for number, position in enumerate(game.positions[:-1]):
        if rules.turn(position) != turn:
            turn = rules.turn(position)
            begins.append((number, position))
    return [begins[0], begins[len(begins) // 2], begins[-1]]


def _wrong_turn(
    program: AnyProgram, position: Any, turn: Any, who: str, number: int
) -> Iterator[str]:
    rules, here = program.rules, position
    for action in turn:
        if rules.turn(here) != rules.turn(position) or action not in rules.legal_actions(here):
            yield f"The turn of {who} {turn} is not legal, {when(number)}."
            return
        here = rules.play(here, action)
    if rules.turn(here) == rules.turn(position) and rules.to_move(here) is not None:
        yield f"The turn of {who} {turn} is not whole, {when(number)}."
