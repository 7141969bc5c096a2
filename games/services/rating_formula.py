"""How a result changes strengths: Plackett-Luce by `openskill`, without a database.

The scale is Elo's: 400 points more win ten games of eleven between strengths that are certain.
docs/ratings.md says why each number is what it is, and what it was measured against.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from itertools import product

from openskill.models import PlackettLuce

START_MU, START_SIGMA = 1500.0, 250.0
BETA = 400 / (math.log(10) * math.sqrt(2))
"""How much a player's performance differs from game to game: 400 points are odds of ten to one."""

TAU = 6.0
"""How much a strength may drift between two games of its player."""

FULL_GAMES, COUNTED_FOR = 3, timedelta(days=30)
"""So many games of the same people within this time count in full."""


@cache
def model_for(sides: int) -> PlackettLuce:
    """Return the model for so many sides.

    Plackett-Luce divides strengths by the spread of all sides together: with less of it a side, a
    difference means between two of four sides what it means in a duel. Uncertainty shrinks as the
    likelihood says (gamma 1); openskill slows that down, and predicts worse (docs/ratings.md).
    """
    beta = BETA * math.sqrt(2 / sides)
    return PlackettLuce(START_MU, START_SIGMA, beta=beta, gamma=lambda *_facts: 1.0, tau=TAU)


@dataclass(frozen=True)
class Player:
    """A player of a game: their strength before it, and what of the change counts.

    `share` is the part of the seat's turns that they played. Who left gains nothing: see
    `ratings.strengths_after` for the place that they are given.
    """

    mu: float
    sigma: float
    share: float = 1.0
    has_left: bool = False


def weight_of(earlier: int) -> float:
    """Return how much a game counts after so many of the same people within `COUNTED_FOR`."""
    return min(1.0, FULL_GAMES / (earlier + 1))


def win_probability(one: tuple[float, float], other: tuple[float, float]) -> float:
    """Return how likely the first of two strengths, each mu and sigma, wins."""
    spread = math.sqrt(2 * BETA**2 + one[1] ** 2 + other[1] ** 2)
    return 1 / (1 + math.exp((other[0] - one[0]) / spread))


def rate_game(
    sides: Sequence[Sequence[Player]], places: Sequence[int], weight: float
) -> list[list[tuple[float, float]]]:
    """Return mu and sigma of each player of each side after a game with these places.

    Sides with the same place are as often before as behind each other: the change is the mean over
    these orders. (`openskill` itself gives sides that tie the mean of their changes, which is none
    at all for two sides whatever their strength.)
    """
    model = model_for(len(sides))
    before = [[model.rating(one.mu, one.sigma) for one in side] for side in sides]
    orders = orders_of(places)
    outcomes = [model.rate(before, ranks=list(order)) for order in orders]
    after = []
    for index, side in enumerate(sides):
        changed = []
        for number, player in enumerate(side):
            results = [outcome[index][number] for outcome in outcomes]
            mu = sum(one.mu for one in results) / len(orders)
            variance = sum(one.sigma**2 for one in results) / len(orders)
            counts = weight * player.share
            gained = counts * (mu - player.mu)
            if player.has_left:
                gained = min(gained, 0.0)
            variance = player.sigma**2 + counts * (variance - player.sigma**2)
            changed.append((player.mu + gained, min(math.sqrt(variance), START_SIGMA)))
        after.append(changed)
    return after


def orders_of(places: Sequence[int]) -> list[tuple[float, ...]]:
    """Return strict orders that stand for places: of sides that tie, each as often before another.

    These are the rotations of the sides that tie, forwards and backwards.
    """
    tied = [
        [index for index, other in enumerate(places) if other == place]
        for place in sorted(set(places))
    ]
    choices = []
    for group in tied:
        rotations = [group[shift:] + group[:shift] for shift in range(len(group))]
        if len(group) > 2:  # noqa: PLR2004  (two are in both orders already)
            rotations += [rotation[::-1] for rotation in rotations]
        choices.append(rotations)
    orders = []
    for chosen in product(*choices):
        row = [index for group in chosen for index in group]
        ranks = [0.0] * len(places)
        for rank, index in enumerate(row, start=1):
            ranks[index] = float(rank)
        orders.append(tuple(ranks))
    return orders
