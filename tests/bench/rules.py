"""How fast the rules are, as ratios to well-known engines measured in the same run.

`make bench-rules` runs it. Each round measures every pair side by side; the table shows the
medians of all rounds, so that what else the machine does weighs on both sides alike. The random
numbers that choose actions are drawn beforehand: they are no part of an engine.
"""

import itertools
import random
import sys
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from statistics import median

import chess
import pyspiel

ROUNDS = 7
SECONDS = 1.0
"""How long each side works in a round, at least."""

NUMBERS = 2_003
"""So many random numbers are drawn for each side of a round, and used again when they are spent.
Games begin at any of them. There are few, so that they stay in the processor's cache."""

Work = Callable[[Iterator[int]], int]
"""Does a piece of work with random numbers and returns how much it was."""


def rules(name: str, kind: str, **options):
    """Return a game's rules and its start."""
    found = getattr(import_module(f"games.rules.{name}.rules"), kind)()
    return found, found.initial(found.check_options(options))


def whole_games(name: str, kind: str, *, count_games: bool = False, **options) -> Work:
    """Play a random game through the contract; count its actions, or games."""
    game, start = rules(name, kind, **options)

    def work(numbers: Iterator[int]) -> int:
        position, actions = start, 0
        while game.outcome(position) is None:
            legal = game.legal_actions(position)
            position = game.play(position, legal[next(numbers) % len(legal)])
            actions += 1
        return 1 if count_games else actions

    return work


def openspiel_games(name: str, *, count_games: bool = False) -> Work:
    """Play a random game of OpenSpiel through Python; count its actions, or games."""
    game = pyspiel.load_game(name)

    def work(numbers: Iterator[int]) -> int:
        state, actions = game.new_initial_state(), 0
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[next(numbers) % len(legal)])
            actions += 1
        return 1 if count_games else actions

    return work


def chess_games(numbers: Iterator[int]) -> int:
    """Play a random game of chess with python-chess; count its moves."""
    board, moves = chess.Board(), 0
    while not board.is_game_over():
        legal = list(board.legal_moves)
        board.push(legal[next(numbers) % len(legal)])
        moves += 1
    return moves


def perft(name: str, kind: str, depth: int) -> Work:
    """Visit every node to a depth, leaves too; count them."""
    game, start = rules(name, kind)

    def visit(position, left: int) -> int:
        if left == 0:
            return 1
        return 1 + sum(
            visit(game.play(position, action), left - 1) for action in game.legal_actions(position)
        )

    return lambda numbers: visit(start, depth)


def chess_perft(depth: int) -> Work:
    """Visit every chess position to a depth, leaves too; count them."""

    def visit(board: chess.Board, left: int) -> int:
        if left == 0:
            return 1
        nodes = 1
        for move in board.legal_moves:
            board.push(move)
            nodes += visit(board, left - 1)
            board.pop()
        return nodes

    return lambda numbers: visit(chess.Board(), depth)


def speed(work: Work, seed: int) -> float:
    """Return how much of a work is done a second."""
    chance = random.Random(seed)
    numbers = itertools.cycle([chance.getrandbits(30) for _ in range(NUMBERS)])
    done, began = 0, time.perf_counter()
    while (spent := time.perf_counter() - began) < SECONDS:
        done += work(numbers)
    return done / spent


PAIRS: list[tuple[str, Work, str, Work, float]] = [
    (
        "Super Morpion, games a second",
        whole_games("supermorpion", "SuperMorpion", count_games=True),
        "OpenSpiel ultimate_tic_tac_toe",
        openspiel_games("ultimate_tic_tac_toe", count_games=True),
        1.5,
    ),
    (
        "Super Morpion, perft 5, nodes a second",
        perft("supermorpion", "SuperMorpion", 5),
        "python-chess, perft 4",
        chess_perft(4),
        3.0,
    ),
    (
        "Superpion four, actions a second",
        whole_games("superpion", "Superpion", variant="four"),
        "python-chess, moves a second",
        chess_games,
        3.0,
    ),
    (
        "Morpiae, actions a second",
        whole_games("morpiae", "Morpiae"),
        "OpenSpiel morpion_solitaire",
        openspiel_games("morpion_solitaire"),
        2.0,
    ),
    (
        "Taquet, actions a second",
        whole_games("taquet", "Taquet"),
        "python-chess, moves a second",
        chess_games,
        3.0,
    ),
]


PARSED = 100
"""So many random games of each variant."""
MOST_TO_PARSE = 5.0
"""How many ms it may take, the legal actions being known."""
VARIANTS = ("four", "teams", "three", "two", "superduel")


def parsing(chance: random.Random, variant: str) -> float:
    """Return how many ms it takes to parse an action of the longest list of a random game."""
    game, position = rules("superpion", "Superpion", variant=variant)
    longest = position
    while game.outcome(position) is None:
        actions = game.legal_actions(position)
        longest = max(longest, position, key=lambda one: len(game.legal_actions(one)))
        position = game.play(position, chance.choice(actions))
    text = game.format(longest, game.legal_actions(longest)[-1])
    return min(timed(lambda: game.parse(longest, text)) for _ in range(3))


def timed(work: Callable[[], object]) -> float:
    """Return how many ms a piece of work takes."""
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def parsing_table() -> bool:
    """Print how long it takes to parse in each variant; tell whether all is below the goal."""
    below = True
    for variant in VARIANTS:
        times = [parsing(random.Random(number), variant) for number in range(PARSED)]
        slowest = max(times)
        below = below and slowest < MOST_TO_PARSE
        print(
            f"Superpion {variant}, parse beside the longest list of {PARSED} games: "
            f"median {median(times):.2f} ms, slowest {slowest:.2f} ms, goal {MOST_TO_PARSE:.0f} ms"
        )
    return below


def main() -> int:
    """Print the tables; fail when something misses its goal."""
    short = 0
    print(f"{'work':40} {'ours':>12} {'peer':34} {'theirs':>12} {'ratio':>7} {'goal':>5}")
    for title, ours, peer, theirs, goal in PAIRS:
        rows = [(speed(ours, seed), speed(theirs, seed)) for seed in range(ROUNDS)]
        ratio = median(mine / other for mine, other in rows)
        mine, other = median(row[0] for row in rows), median(row[1] for row in rows)
        short += ratio < goal
        print(f"{title:40} {mine:12,.0f} {peer:34} {other:12,.0f} {ratio:7.2f} {goal:5.1f}")
    print(f"medians of {ROUNDS} rounds of {SECONDS} s for each side")
    return 0 if parsing_table() and not short else 1


if __name__ == "__main__":
    sys.exit(main())
