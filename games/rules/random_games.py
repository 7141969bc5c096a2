"""Games that nobody plays: at random, for checks, bots and demonstrations; all of them, counted."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from games.rules.base import A, AnyRules, Option, Options, P, Rules

MOST_ACTIONS = 5_000
"""A random game must be over after this many actions."""


@dataclass(frozen=True, slots=True)
class RandomGame:
    """A whole game of random actions: `positions` has one more entry than `actions`."""

    seed: int
    options: Options
    positions: list[Any]
    actions: list[Any]


class EndlessGame(Exception):
    """A random game is not over after MOST_ACTIONS actions."""


def random_game(rules: AnyRules, seed: int) -> RandomGame:
    """Return a whole random game with random options; the same seed gives the same game.

    Raises EndlessGame, and what the rules raise.
    """
    chance = random.Random(f"{rules.slug} {seed}")  # noqa: S311  (the same games each time)
    # Every second option is left at its default.
    options = rules.check_options(
        {
            option.key: chance.choice(option_values(option))
            for option in rules.options()
            if chance.random() < 0.5  # noqa: PLR2004
        }
    )
    positions: list[Any] = [rules.initial(options)]
    actions: list[Any] = []
    while legal := rules.legal_actions(positions[-1]):
        if len(actions) == MOST_ACTIONS:
            raise EndlessGame(f"The game goes on after {MOST_ACTIONS} random actions.")
        actions.append(chance.choice(legal))
        positions.append(rules.play(positions[-1], actions[-1]))
    return RandomGame(seed, options, positions, actions)


def option_values(option: Option) -> list[Any]:
    """Return every value that an option takes."""
    if option.choices:
        return [value for value, _ in option.choices]
    if isinstance(option.default, bool):
        return [True, False]
    numbers: list[Any] = list(range(option.minimum or 0, (option.maximum or 0) + 1))
    return [*numbers, None] if option.default is None else numbers


def random_notations(rules: AnyRules, game: RandomGame) -> set[str]:
    """Return the notation of every action that was legal somewhere in the game."""
    return {
        rules.format(position, action)
        for position in game.positions
        for action in rules.legal_actions(position)
    }


def random_record(rules: AnyRules, game: RandomGame) -> list[str]:
    """Return the game's turns, each as the text that a record keeps."""
    turns: list[tuple[Any, list[Any]]] = []
    number = None
    for position, action in zip(game.positions, game.actions, strict=False):
        if rules.turn(position) != number:
            turns.append((position, []))
            number = rules.turn(position)
        turns[-1][1].append(action)
    return [rules.format_turn(position, actions) for position, actions in turns]


def random_turn(rules: Rules[P, A], position: P, chance: random.Random) -> tuple[str, P]:
    """Return a random whole turn in its canonical text, and the position after it."""
    number, actions, after = rules.turn(position), list[A](), position
    while rules.turn(after) == number and rules.to_move(after) is not None:
        actions.append(chance.choice(rules.legal_actions(after)))
        after = rules.play(after, actions[-1])
    return rules.format_turn(position, actions), after


def perft(rules: Rules[P, A], position: P, depth: int) -> int:
    """Return the number of sequences of exactly `depth` legal actions; `depth` is 1 or more.

    A sequence that ends earlier does not count.
    """
    actions = rules.legal_actions(position)
    if depth == 1:
        return len(actions)
    play = rules.play
    return sum(perft(rules, play(position, action), depth - 1) for action in actions)
