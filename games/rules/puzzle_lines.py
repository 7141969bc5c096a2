"""The steps of a puzzle that is won: which turns are right, what resists longest, when it is over.

Whoever solves it plays for the side that wins. After each right turn the table answers for the
other side, and the next turn is asked.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from games.rules.solved import SolvedProgram

AnySolvedProgram = SolvedProgram[Any, Any]

MOST_STEPS = 4
"""So many turns are asked at most: nobody has to play a long win to its end."""


def is_quickest(program: AnySolvedProgram, position: Any, actions: tuple[Any, ...]) -> bool:
    """Tell whether a turn wins, and as soon as best play does. The position is won."""
    judged = program.judge_turn(position, actions)
    return judged.after.value > 0 and judged.after.distance == (judged.before.distance or 0) - 1


def quickest_turn(program: AnySolvedProgram, position: Any) -> str:
    """Return the turn that wins soonest; of several the first in the order of their notation."""
    rules = program.rules
    return min(
        rules.format(position, action).replace(" ", "")
        for action in rules.legal_actions(position)
        if is_quickest(program, position, (action,))
    )


def longest_resistance(program: AnySolvedProgram, position: Any) -> str:
    """Return with which turn the side to move, which loses, lasts longest.

    Of several it is the first in the order of their notation, so it is always the same one.
    """
    rules = program.rules
    lasting = [
        (
            -program.verdict(rules.play(position, action)).distance,
            rules.format(position, action).replace(" ", ""),
        )
        for action in rules.legal_actions(position)
    ]
    return min(lasting)[1]


def is_line_over(program: AnySolvedProgram, position: Any, steps: int) -> bool:
    """Tell whether nothing more is asked after so many right turns of the side that wins.

    That is when the game is decided, after MOST_STEPS turns, or when every turn that the side to
    move has now would win. The position is the one after the other side's answer, if it has one.
    """
    rules = program.rules
    if rules.outcome(position) is not None or steps >= MOST_STEPS:
        return True
    legal = rules.legal_actions(position)
    return program.holding(position, legal, 1) == len(legal)


def keys_near(program: AnySolvedProgram, texts: Iterable[str]) -> set[int]:
    """Return the table's keys of stored positions, and of those that a turn leads to from them."""
    rules, keys = program.rules, set[int]()
    for text in set(texts):
        position = rules.load(text)
        keys.add(program.key(position))
        keys |= {
            program.key(rules.play(position, action)) for action in rules.legal_actions(position)
        }
    return keys
