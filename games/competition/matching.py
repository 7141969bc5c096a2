"""Choose pairs among the players who seek an opponent for the same game at the same pace.

`pair_seekers` is a pure function. A pair has a cost, in points:

- rating: 1 point for each 100 points of difference, 10 at most;
- pace: half a point for each doubling between their usual answering times. Less than an hour counts
  as an hour, more than 30 days as 30 days; an unknown time costs nothing;
- reliability: 10 points times the difference of the shares of games that they lost on time, so that
  reliable players meet reliable ones;
- again: 8 points if they have just begun a game with each other, less and less over 90 days.

Two players may be paired while the cost is at most 2 points, and 4 points more for each day that
the one of them who has waited longer has waited. So good pairs are made at once, and after
`LONGEST_WAIT` everybody takes whoever is there. Rating ranges, blocks, and a game that both are
playing already are never relaxed.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import combinations
from math import log2

HOUR, DAY = timedelta(hours=1), timedelta(days=1)

RATING_POINTS = 100.0
MOST_FOR_RATING = 10.0
FOR_DOUBLE_TIME = 0.5
SHORTEST_TIME, LONGEST_TIME = HOUR, 30 * DAY
FOR_RELIABILITY = 10.0
FOR_AGAIN = 8.0
AGAIN_WITHIN = 90 * DAY

AT_ONCE = 2.0
"""The highest cost of a pair that may be made at once, before anybody has waited."""

A_DAY = 4.0
"""How much higher it may be for each day that one of them has waited."""

MOST_COST = (
    MOST_FOR_RATING
    + FOR_DOUBLE_TIME * log2(LONGEST_TIME / SHORTEST_TIME)
    + FOR_RELIABILITY
    + FOR_AGAIN
)

LONGEST_WAIT = (MOST_COST - AT_ONCE) / A_DAY * DAY
"""After this long no cost is too high: about eight days."""


@dataclass(frozen=True)
class Seeker:
    """A player who looks for an opponent. No two seekers have the same `wish`.

    `lowest` and `highest` bound the opponent's rating. `usual` is their usual answering time, None
    if it is unknown; `lost_on_time` a share from 0 to 1. `avoids` has the players (`user`) whom
    they are never paired with, `played` how long ago they began a game with others.
    """

    wish: int
    user: int
    rating: float
    waited: timedelta = timedelta()
    lowest: float | None = None
    highest: float | None = None
    usual: timedelta | None = None
    lost_on_time: float = 0.0
    avoids: frozenset[int] = frozenset()
    played: Mapping[int, timedelta] = field(default_factory=dict)


def pair_seekers(seekers: Iterable[Seeker]) -> list[tuple[int, int]]:
    """Return pairs of wishes, the smaller number first; each wish is in one pair at most.

    The pair with the lowest cost is taken first, where waiting makes a pair cheaper, then the next
    one of those who are left. No two of those who are left over may be paired. The order of
    `seekers` does not matter. The time it takes grows with the square of their number.
    """
    in_order = sorted(seekers, key=lambda one: one.wish)
    ranked = []
    for one, other in combinations(in_order, 2):
        if may_be_paired(one, other):
            waited = A_DAY * (one.waited + other.waited) / DAY
            ranked.append((cost_of(one, other) - waited, one.wish, other.wish))
    pairs: list[tuple[int, int]] = []
    taken: set[int] = set()
    for _cost, first, second in sorted(ranked):
        if first not in taken and second not in taken:
            pairs.append((first, second))
            taken |= {first, second}
    return pairs


def may_be_paired(one: Seeker, other: Seeker) -> bool:
    """Return whether nothing forbids the pair, and its cost is not too high for now."""
    if one.user == other.user or other.user in one.avoids or one.user in other.avoids:
        return False
    if not (_admits(one, other) and _admits(other, one)):
        return False
    waited = max(one.waited, other.waited)
    return waited >= LONGEST_WAIT or cost_of(one, other) <= AT_ONCE + A_DAY * waited / DAY


def _admits(one: Seeker, other: Seeker) -> bool:
    """Return whether the other's rating, as it is shown, is in the range of `one`."""
    shown = round(other.rating)
    return (one.lowest is None or one.lowest <= shown) and (
        one.highest is None or shown <= one.highest
    )


def cost_of(one: Seeker, other: Seeker) -> float:
    """Return how badly two players fit each other, in points, as the module says."""
    cost = min(MOST_FOR_RATING, abs(one.rating - other.rating) / RATING_POINTS)
    if one.usual is not None and other.usual is not None:
        times = [min(LONGEST_TIME, max(SHORTEST_TIME, usual)) for usual in (one.usual, other.usual)]
        cost += FOR_DOUBLE_TIME * abs(log2(times[0] / times[1]))
    cost += FOR_RELIABILITY * abs(one.lost_on_time - other.lost_on_time)
    ago = min(one.played.get(other.user, AGAIN_WITHIN), other.played.get(one.user, AGAIN_WITHIN))
    return cost + FOR_AGAIN * max(0.0, 1 - ago / AGAIN_WITHIN)
