"""The table of a competition: points, and how equal points are ordered."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

WIN, DRAW, LOSS = 2, 1, 0
"""The points for a game."""


@dataclass(frozen=True)
class PairingResult:
    """A game of two players by their keys. `points` are those of the first; None: not over.

    A game without a result, which counts for nobody, is not a `PairingResult`.
    """

    first: int
    second: int
    points: int | None = None

    def points_of(self, player: int) -> int | None:
        """Return the points of one of the two; None if the game is not over."""
        if self.points is None or player == self.first:
            return self.points
        return WIN - self.points


@dataclass(frozen=True)
class Standing:
    """A row of the table: `most` is how many points the player can still reach.

    `sonneborn_berger` is the points of everybody whom the player beat, and half of the points of
    everybody with whom they drew, once for each game. `direct` is the points of the games among
    those who are equal in both.
    """

    player: int
    place: int
    points: int
    most: int
    won: int
    drawn: int
    lost: int
    sonneborn_berger: float
    direct: int

    @property
    def played(self) -> int:
        """How many games are over."""
        return self.won + self.drawn + self.lost


def standings(
    players: Sequence[int],
    results: Iterable[PairingResult],
    free: Mapping[int, int] | None = None,
) -> list[Standing]:
    """Return the table, first place first: no two players share a place.

    `free` are the points that players have without a game, because nobody was left to play them.

    The order is: points, Sonneborn-Berger, direct result, games won, and at last the order in which
    `players` are given. Results of anybody else are left out.
    """
    known = set(players)
    of: dict[int, list[tuple[int, int | None]]] = {player: [] for player in players}
    for result in results:
        if result.first in known and result.second in known:
            of[result.first].append((result.second, result.points_of(result.first)))
            of[result.second].append((result.first, result.points_of(result.second)))
    given = free or {}
    points = {
        player: sum(won or 0 for _, won in games) + given.get(player, 0)
        for player, games in of.items()
    }
    berger = {
        player: sum((won or 0) * points[other] for other, won in games) / WIN
        for player, games in of.items()
    }
    equal: dict[tuple[int, float], set[int]] = defaultdict(set)
    for player in players:
        equal[points[player], berger[player]].add(player)
    direct = {
        player: sum(won or 0 for other, won in of[player] if other in group)
        for group in equal.values()
        for player in group
    }
    counts = {player: [won for _, won in games] for player, games in of.items()}

    def key(player: int) -> tuple[float, ...]:
        wins = counts[player].count(WIN)
        return (-points[player], -berger[player], -direct[player], -wins)

    ordered = sorted(players, key=key)  # a stable sort: the given order is the last rule
    return [
        Standing(
            player=player,
            place=place,
            points=points[player],
            most=points[player] + WIN * counts[player].count(None),
            won=counts[player].count(WIN),
            drawn=counts[player].count(DRAW),
            lost=counts[player].count(LOSS),
            sonneborn_berger=berger[player],
            direct=direct[player],
        )
        for place, player in enumerate(ordered, 1)
    ]


def sure_of_first(table: Sequence[Standing], places: int) -> set[int]:
    """Return the players who are certain to end among the first `places`.

    Somebody who can still reach as many points counts as somebody who may pass them, so that this
    never says too much while games are being played. When all are over, the table says it.
    """
    if all(row.points == row.most for row in table):
        return {row.player for row in table[:places]}
    return {
        row.player
        for row in table
        if sum(other.most >= row.points for other in table if other is not row) < places
    }


def sure_of_last(table: Sequence[Standing], places: int) -> set[int]:
    """Return the players who are certain to end among the last `places`."""
    if all(row.points == row.most for row in table):
        return {row.player for row in table[len(table) - places :]}
    return {
        row.player
        for row in table
        if sum(other.points > row.most for other in table) >= len(table) - places
    }
