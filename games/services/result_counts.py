"""Counts of players' results: written when a game ends, compared with the games and repaired.

A rated game whose end is counted, or no longer counts, is also marked to be rated
(`games.services.ratings`).

A player has one row for each kind of game, and one for each opponent in games of two. Games count
that are finished and in which no bot plays. With 10,000 games a page reads as little as with ten.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction
from django.db.models import Max

from accounts.models import User
from games import wakeups

BATCH = 1000
"""How many numbers of users are recounted in one transaction."""

_COUNTS = """
game.status = 'finished' AND NOT EXISTS (
  SELECT 1 FROM games_seat AS taken JOIN accounts_user AS bot ON bot.id = taken.user_id
  WHERE taken.game_id = game.id AND bot.is_program
)"""

_SOMEBODY_LOST = """
EXISTS (SELECT 1 FROM games_seat AS behind WHERE behind.game_id = game.id AND behind.place > 1)"""

_BY_KIND = f"""
SELECT own.user_id AS player_id, game.rules_slug AS rules_slug, COUNT(*) AS played,
  SUM(CASE WHEN own.place = 1 AND {_SOMEBODY_LOST} THEN 1 ELSE 0 END) AS won,
  SUM(CASE WHEN {_SOMEBODY_LOST} THEN 0 ELSE 1 END) AS drawn,
  SUM(CASE WHEN own.left_because = 'timeout' OR (game.ending = 'timeout' AND own.place > 1)
    THEN 1 ELSE 0 END) AS out_of_time
FROM games_game AS game JOIN games_seat AS own ON own.game_id = game.id
WHERE {{which}} AND {_COUNTS}
GROUP BY own.user_id, game.rules_slug
"""  # noqa: S608

_BY_OPPONENT = f"""
SELECT own.user_id AS player_id, other.user_id AS opponent_id, COUNT(*) AS played,
  SUM(CASE WHEN own.place < other.place THEN 1 ELSE 0 END) AS won,
  SUM(CASE WHEN own.place = other.place THEN 1 ELSE 0 END) AS drawn
FROM games_game AS game
JOIN games_seat AS own ON own.game_id = game.id
JOIN games_seat AS other ON other.game_id = game.id AND other.number <> own.number
WHERE {{which}} AND {_COUNTS} AND NOT EXISTS (
  SELECT 1 FROM games_seat AS third WHERE third.game_id = game.id AND third.number > 1
)
GROUP BY own.user_id, other.user_id
"""  # noqa: S608


@dataclass(frozen=True)
class _Counted:
    """A table of counts: the columns of its key, those that are counted, and what selects them."""

    table: str
    key: tuple[str, str]
    counts: tuple[str, ...]
    selected: str

    def rows(self, which: str, values: Sequence[int]) -> list[tuple[Any, ...]]:
        """Return the key and the counts that the games which match `which` make."""
        return _fetch(self.selected.format(which=which), values)

    def kept(self, first: int, last: int) -> list[tuple[Any, ...]]:
        """Return the key and the counts of these users' rows."""
        columns = ", ".join(self.key + self.counts)
        statement = f"SELECT {columns} FROM {self.table} WHERE player_id BETWEEN %s AND %s"  # noqa: S608
        return _fetch(f"{statement} AND played > 0", (first, last))

    def add(self, which: str, values: Sequence[int]) -> None:
        """Add the games which match `which`."""
        key, columns = ", ".join(self.key), ", ".join(self.key + self.counts)
        added = ", ".join(f"{one} = {self.table}.{one} + excluded.{one}" for one in self.counts)
        # In one order for everybody, so that two games that end never wait for each other.
        _execute(
            f"INSERT INTO {self.table} ({columns}) {self.selected.format(which=which)} "
            f"ORDER BY 1, 2 ON CONFLICT ({key}) DO UPDATE SET {added}",
            values,
        )

    def subtract(self, which: str, values: Sequence[int]) -> None:
        """Take away the games which match `which`, which were added before."""
        less = ", ".join(f"{one} = {self.table}.{one} - gone.{one}" for one in self.counts)
        same = " AND ".join(f"{self.table}.{one} = gone.{one}" for one in self.key)
        gone = self.selected.format(which=which)
        _execute(f"UPDATE {self.table} SET {less} FROM ({gone}) AS gone WHERE {same}", values)  # noqa: S608


_TABLES = (
    _Counted(
        "games_kindresults",
        ("player_id", "rules_slug"),
        ("played", "won", "drawn", "out_of_time"),
        _BY_KIND,
    ),
    _Counted(
        "games_opponentresults",
        ("player_id", "opponent_id"),
        ("played", "won", "drawn"),
        _BY_OPPONENT,
    ),
)


def add_results(game_ids: Sequence[int]) -> None:
    """Count games that have just ended, in the transaction that ends them."""
    marks = ", ".join(["%s"] * len(game_ids))
    for counted in _TABLES:
        counted.add(f"game.id IN ({marks})", game_ids)
    _execute(f"{_MARK} ({marks})", game_ids)
    wakeups.notify_workers("ratings")


def subtract_results(game_id: int) -> None:
    """Count a game no more that is about to be reopened. One without a result changes nothing."""
    for counted in _TABLES:
        counted.subtract("game.id = %s", [game_id])
    _execute(f"{_MARK} (%s)", [game_id])
    wakeups.notify_workers("ratings")


_MARK = """
INSERT INTO games_ratingmark (game_id, rules_slug, ended_at)
SELECT id, rules_slug, ended_at FROM games_game
WHERE is_rated AND status = 'finished' AND id IN"""


@dataclass(frozen=True)
class WrongCount:
    """A row of counts that is not what the games say; empty counts stand for no row."""

    player_id: int
    what: str | int
    kept: tuple[int, ...]
    counted: tuple[int, ...]


def wrong_counts(*, repair: bool = False) -> Iterable[WrongCount]:
    """Yield what differs between the counts and the games; with `repair` it is then put right.

    Each thousand users are read in a transaction of their own: no more players than these wait for
    it with the end of a game.
    """
    newest = User.objects.aggregate(newest=Max("pk"))["newest"] or 0
    for first in range(1, newest + 1, BATCH):
        span = (first, first + BATCH - 1)
        with transaction.atomic():
            if connection.vendor == "postgresql":  # SQLite locks all of the database
                names = ", ".join(counted.table for counted in _TABLES)
                _execute(f"LOCK TABLE {names} IN SHARE ROW EXCLUSIVE MODE")
            found = [one for counted in _TABLES for one in _compare(counted, *span)]
            for counted in _TABLES if repair and found else ():
                _execute(f"DELETE FROM {counted.table} WHERE player_id BETWEEN %s AND %s", span)  # noqa: S608
                counted.add("own.user_id BETWEEN %s AND %s", span)
        yield from found


def _compare(counted: _Counted, first: int, last: int) -> Iterable[WrongCount]:
    """Yield the rows of these users that differ from what their games make."""
    of_games = counted.rows("own.user_id BETWEEN %s AND %s", (first, last))
    right = {(row[0], row[1]): tuple(map(int, row[2:])) for row in of_games}
    kept = {(row[0], row[1]): tuple(row[2:]) for row in counted.kept(first, last)}
    for key in sorted(right.keys() | kept.keys()):
        if kept.get(key) != right.get(key):
            yield WrongCount(*key, kept.get(key, ()), right.get(key, ()))


def _execute(statement: str, values: Sequence[int] = ()) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def _fetch(statement: str, values: Sequence[int]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return list(cursor.fetchall())
