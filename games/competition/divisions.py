"""The sizes of divisions, and promotion and relegation between two seasons."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

SMALLEST_TO_MOVE_TWO = 6
"""From this size on two players of a division move up and two down; of smaller ones, one does."""

FEWEST = 3
"""With fewer players no season is played."""

Place = tuple[int, int]
"""What a player has earned: a level (1 is the highest), and a rank among those of that level."""


def division_sizes(players: int, most: int) -> list[int]:
    """Return how many players each division has, the highest division first.

    All have `most`, except the last two: they share the other players as evenly as possible.
    """
    full, rest = divmod(players, most)
    if not full:
        return [rest] if rest else []
    if not rest:
        return [most] * full
    shared = most + rest
    return [most] * (full - 1) + [shared - shared // 2, shared // 2]


def exchanged(sizes: Sequence[int]) -> list[int]:
    """Return how many players move down from each division, and as many up to it from below.

    The last division has none: nobody moves down from it.
    """
    moved = [2 if min(pair) >= SMALLEST_TO_MOVE_TWO else 1 for pair in pairwise(sizes)]
    return [*moved, 0] if sizes else []


def next_places(divisions: Sequence[Sequence[int]]) -> dict[int, Place]:
    """Return what everybody has earned for the next season.

    `divisions` are the players in the order of the tables. On each level come first those who
    moved down, then the better half of those who stay, those who moved up, and the others who stay:
    who has just moved up is not the first to be moved down again where a level is too large.
    """
    down = exchanged([len(players) for players in divisions])
    earned: dict[int, Place] = {}
    for index, players in enumerate(divisions):
        up = down[index - 1] if index else 0
        stay = list(players[up : len(players) - down[index]])
        half = len(stay) - len(stay) // 2
        above = divisions[index - 1] if index else []
        below = divisions[index + 1] if down[index] else []
        order = [*above[len(above) - up :], *stay[:half], *below[: down[index]], *stay[half:]]
        earned |= {player: (index + 1, rank) for rank, player in enumerate(order, 1)}
    return earned


def form_divisions(
    earned: Mapping[int, Place], newcomers: Sequence[int], most: int
) -> list[list[int]]:
    """Return the players of each division of a season that begins.

    They stand in the order of what they have earned, newcomers last in the given order, and fill
    the divisions from the highest one on. Of two with the same place the smaller key is first.
    """
    order = [*sorted(earned, key=lambda player: (earned[player], player)), *newcomers]
    divisions, start = [], 0
    for size in division_sizes(len(order), most):
        divisions.append(order[start : start + size])
        start += size
    return divisions
