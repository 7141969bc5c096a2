"""Round-robin pairings, teams of players without a partner, and lots that anybody can repeat.

A choice is made from a seed by SHA-256: who knows the seed can compute it again, in any language.
"""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256

Pair = tuple[int, int]
"""Two players by their numbers from 1; the one named first has the first turn."""


def berger_rounds(count: int) -> list[list[Pair]]:
    """Return the rounds of a tournament of `count` players, as in the Berger tables.

    FIDE Handbook C.05, annex 1. With an odd number of players one of them is free in each round,
    and each has the first turn as often as the second; with an even number the two differ by one.
    """
    even = count + count % 2
    rounds = []
    for number in range(1, even):
        pairs: list[Pair] = []
        for one in range(1, even):
            other = (number - one) % (even - 1) + 1
            if one == other:
                last = (one, even) if one <= even // 2 else (even, one)
                pairs.insert(0, last)
            elif one < other:
                pairs.append((one, other) if (one + other) % 2 else (other, one))
        rounds.append([pair for pair in pairs if max(pair) <= count])
    return rounds


def all_pairs(count: int, legs: int) -> list[tuple[int, Pair]]:
    """Return each game of a division as its leg (from 1) and its pair.

    In a second leg the players of each pair change sides.
    """
    first = [pair for pairs in berger_rounds(count) for pair in pairs]
    games = [(1, pair) for pair in first]
    return games + [(2, (two, one)) for one, two in first if legs > 1]


def put_together(
    waiting: Sequence[int], strength: Mapping[int, float]
) -> tuple[list[tuple[int, int]], int | None]:
    """Return the teams of players without a partner, and who is left over; None: nobody.

    The strongest plays with the weakest, the second with the second last, and so on. `waiting` are
    the players in the order of joining, and of an odd number the last is left over. Of two who are
    equally strong, who has joined earlier counts as the stronger one, and is named first.
    """
    left_over = waiting[-1] if len(waiting) % 2 else None
    players = list(waiting[: len(waiting) - len(waiting) % 2])
    order = sorted(players, key=lambda player: -strength[player])
    half = len(order) // 2
    return list(zip(order[:half], reversed(order[half:]), strict=True)), left_over


def draw(seed: str, *about: int) -> str:
    """Return the lot for these numbers: SHA-256 of "seed:number:number…", in hexadecimal."""
    return sha256(":".join([seed, *map(str, about)]).encode()).hexdigest()


def commitment(seed: str) -> str:
    """Return what is published of a seed before it is used: nobody can choose another one later."""
    return sha256(seed.encode()).hexdigest()


def drawn_order(seed: str, numbers: Iterable[int]) -> list[int]:
    """Return the numbers in the order of their lots, the lowest first."""
    return sorted(numbers, key=lambda number: draw(seed, number))


def is_heads(seed: str, *about: int) -> bool:
    """Return whether the lot for these numbers says yes, as it does for half of them."""
    return int(draw(seed, *about)[-1], 16) % 2 == 0
