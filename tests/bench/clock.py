"""What a sweep over running games costs: what is due, not what exists.

`make bench-clock` runs it on a PostgreSQL server of its own. Two databases hold many and few
running games, of which equally many are due each round; both take turns with each part of a
round, so that what else the machine does weighs on both alike.
"""

import os
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from statistics import median

from tests.servers import postgresql

FEW, MANY = 10_000, 1_000_000
DUE = 1_000
BATCH = 200
"""How many games a sweep takes up at once."""

ROUNDS = 3
GOAL = 2.0
"""A pass over many may take this many times as long as over few."""

INDEX = "game_due"
NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)


@contextmanager
def database(name: str) -> Iterator[None]:
    """Work on one database of the server."""
    from django.db import connection

    connection.close()
    connection.settings_dict["NAME"] = name
    try:
        yield
    finally:
        connection.close()


def prepare(name: str, count: int) -> None:
    """Make a database with so many running games in which the first turn has been played."""
    from django.core.management import call_command
    from django.db import connection

    from tests.bench.bulk_games import fill
    from tests.factories import PersonFactory
    from tests.games.play import begin, fresh, play

    with database("postgres"), connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {name}")
    began = time.perf_counter()
    with database(name):
        call_command("migrate", verbosity=0)
        ann, bob = PersonFactory(username="ann"), PersonFactory(username="bob")
        game = begin(ann, bob, now=NOW)
        play(game, ann, "5", now=NOW)
        fill(fresh(game), count, now=NOW)
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")
    print(f"{count:9,d} running games made in {time.perf_counter() - began:.0f} s", flush=True)


def one_round(names: Iterable[str], number: int, now: datetime) -> list[list[float]]:
    """Return for each database the seconds of a pass over what is due, and of finding it.

    The databases take turns with each part of the pass.
    """
    from tests.bench.bulk_games import make_due

    spent = {name: [0.0, 0.0] for name in names}
    for name in spent:
        with database(name):
            make_due(DUE, now=now, offset=number)
    for _ in range(DUE // BATCH):
        for name, seconds in spent.items():
            with database(name):
                for place, part in enumerate(one_part(now)):
                    seconds[place] += part
    return list(spent.values())


def one_part(now: datetime) -> tuple[float, float]:
    """Return the seconds of ending a batch of what is due, and of finding it alone."""
    from django.db import connection

    from games.services.deadlines import time_out_due

    connection.ensure_connection()
    finding = time.perf_counter()
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id FROM games_game WHERE deadline < %s ORDER BY deadline, id LIMIT %s",
            [now, BATCH],
        )
        cursor.fetchall()
    began = time.perf_counter()
    ended = time_out_due(now=now)
    assert ended == BATCH, f"{ended} games ended"
    return time.perf_counter() - began, began - finding


def plan(name: str, now: datetime) -> str:
    """Return how the sweep of a database finds what is due."""
    from games.services.deadlines import time_out_due
    from tests.bench.bulk_games import plan_of

    with database(name):
        return plan_of(time_out_due, now=now)


def measure() -> int:
    """Print the table; return how many goals are missed."""
    names = {"few": FEW, "many": MANY}
    for name, count in names.items():
        prepare(name, count + (ROUNDS + 1) * DUE)
    # A little later each round, and still before the others' deadlines.
    moments = [NOW + timedelta(minutes=number) for number in range(ROUNDS + 1)]
    rows = [one_round(names, number, moment) for number, moment in enumerate(moments)][1:]
    missed = 0
    print(f"{'':28} {f'{FEW:,}':>12} {f'{MANY:,}':>12} {'ratio':>7} {'goal':>5}")
    for title, part, goal in (
        (f"a pass over {DUE:,} due, s", 0, GOAL),
        ("finding them, s", 1, 0),
    ):
        few, many = ([row[place][part] for row in rows] for place in (0, 1))
        ratio = median(m / f for f, m in zip(few, many, strict=True))
        said = f"{goal:5.1f}" if goal else ""
        print(f"{title:28} {median(few):12.4f} {median(many):12.4f} {ratio:7.2f} {said}")
        missed += goal > 0 and ratio > goal
    for name, count in names.items():
        found = plan(name, moments[-1])
        print(f"\n{count:,}:\n{found}")
        missed += INDEX not in found or "Seq Scan" in found
    print(f"\nmedians of {ROUNDS} rounds; the plan must use the partial index {INDEX}")
    return missed


def main() -> int:
    """Bring the server, measure, and take it away again."""
    with postgresql() as address:
        os.environ |= {
            "DATABASE_URL": address,
            "DJANGO_SETTINGS_MODULE": "config.settings.test",
        }
        import django

        django.setup()
        return 1 if measure() else 0


if __name__ == "__main__":
    sys.exit(main())
