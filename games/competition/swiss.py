"""Swiss pairings: nobody meets twice, and players of equal points meet, after FIDE Handbook C.04.

The whole round is one choice: of all complete pairings the best is taken. How good one is, is said
by what comes first here:

1. the fewest points of who is free (nobody is twice), and of equal points the last in the order;
2. as few pairs as possible in which both had the same side in the last two games, or twice more;
3. the least sum of the squares of the differences of points;
4. as few pairs as possible in which both have had the same side more often, or had it last;
5. in each group of equal points the upper half meets the lower half, in this order.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from games.competition.pairings import Pair, is_heads
from games.competition.weighted_matching import heaviest_pairs

TIER = 10**7
"""More than the costs of a lower kind can add up to in a round."""

TWICE_MORE = 2


@dataclass(frozen=True)
class SwissPlayer:
    """A player of the next round. `number` is their place in the starting order.

    `firsts` says of each game so far whether they had the first turn; `was_free` counts a round
    without a game.
    """

    number: int
    points: int = 0
    firsts: Sequence[bool] = ()
    met: frozenset[int] = frozenset()
    was_free: bool = False

    @property
    def balance(self) -> int:
        """How much more often they had the first turn than the second."""
        return 2 * sum(self.firsts) - len(self.firsts)

    @property
    def wish(self) -> int:
        """1: they should have the first turn, -1: the second, 0: no game yet."""
        if self.balance:
            return -1 if self.balance > 0 else 1
        if not self.firsts:
            return 0
        return -1 if self.firsts[-1] else 1

    @property
    def must(self) -> bool:
        """Whether they must get the other side now.

        That is so after two games in a row with one side, or two games more with it in all.
        """
        last = self.firsts[-TWICE_MORE:]
        same = len(last) == TWICE_MORE and len(set(last)) == 1
        return same or abs(self.balance) >= TWICE_MORE


def most_rounds(players: int) -> int:
    """Return in how many rounds everybody surely finds a new opponent, or is free once.

    So many are half of the players: each has then met less than half of the others (Dirac).
    """
    return (players + 1) // 2


def swiss_round(
    players: Sequence[SwissPlayer], seed: str, number: int
) -> tuple[list[Pair], int | None] | None:
    """Return the pairs of round `number`, as players' numbers, and who has no game in it.

    The one named first has the first turn. None: there is no complete pairing any more.
    """
    order = sorted(players, key=lambda one: (-one.points, one.number))
    count = len(order)
    ranks = _ranks(order)
    base = TIER**6
    weights = {}
    for one, upper in enumerate(order, 1):
        for two in range(one + 1, count + 1):
            lower = order[two - 1]
            if lower.number not in upper.met:
                weights[one, two] = base - _cost(upper, lower, ranks)
        if count % 2 and not upper.was_free:
            weights[one, count + 1] = base - (upper.points * TIER + count - one) * TIER**4
    partner = heaviest_pairs(count + count % 2, weights)
    if len(partner) < count + count % 2:
        return None
    pairs: list[Pair] = []
    free = None
    for one, upper in enumerate(order, 1):
        two = partner[one]
        if two > count:
            free = upper.number
        elif one < two:
            pairs.append(_with_sides(upper, order[two - 1], seed, number, len(pairs)))
    return pairs, free


def _ranks(order: Sequence[SwissPlayer]) -> dict[int, tuple[int, int]]:
    """Return each player's place from 0 among those of equal points, and how many those are."""
    groups: dict[int, list[int]] = {}
    for one in order:
        groups.setdefault(one.points, []).append(one.number)
    return {
        number: (place, len(group))
        for group in groups.values()
        for place, number in enumerate(group)
    }


def _cost(upper: SwissPlayer, lower: SwissPlayer, ranks: dict[int, tuple[int, int]]) -> int:
    """Return how bad a pair is, by the rules 2 to 5."""
    same = upper.wish == lower.wish != 0
    apart = (upper.points - lower.points) ** 2
    (high, size), (low, _) = ranks[upper.number], ranks[lower.number]
    order = (size - 1 - high) ** 2 + low**2 if apart else (low - high - size // 2) ** 2
    both_must = same and upper.must and lower.must
    return ((int(both_must) * TIER + apart) * TIER + int(same)) * TIER + order


def _with_sides(upper: SwissPlayer, lower: SwissPlayer, seed: str, number: int, board: int) -> Pair:
    """Return the two players of a pair, the one with the first turn before the other.

    With equal wishes that is who had it less often, then the opposite of the upper one's last side;
    in the first games every other one, beginning by lot.
    """
    if upper.balance != lower.balance:
        upper_first = upper.balance < lower.balance
    elif upper.wish != lower.wish:
        upper_first = upper.wish > lower.wish
    elif upper.wish:
        upper_first = upper.wish > 0
    else:
        upper_first = is_heads(seed, number) == (board % 2 == 0)
    one, two = upper.number, lower.number
    return (one, two) if upper_first else (two, one)
