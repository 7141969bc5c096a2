"""How long it takes until everybody is told after 10,000 deadlines have passed at once.

`make bench-deadlines` runs it on a PostgreSQL server of its own. The periodic tasks end the games
and write a notice to both players; a plain loop does no more than one UPDATE and two INSERTs for
each game, in a transaction, on the same tables of a copy of the database. Once through Django's
models, and once as SQL. Both work on a part in turn, so that what else the machine does weighs on
both alike.
"""

import argparse
import cProfile
import os
import pstats
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta

from tests.bench.clock import database
from tests.bench.web.sites import cpu_of, parent
from tests.servers import postgresql

GAMES = 10_000
PART = 1_000
"""How many games are due at once to one of the three until it is the others' turn."""
PAIRS = 500
"""How many pairs of players there are."""
GOAL = 2.5
NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)

PLI, MODELS, STATEMENTS = "pli", "plain_models", "plain_sql"


def prepare(count: int) -> None:
    """Fill a database with so many games in which both have played, and copy it twice."""
    from django.core.management import call_command
    from django.db import connection

    from games.models import Game
    from games.services.clock.outages import record_heartbeat
    from tests.bench.bulk_games import fill
    from tests.factories import PersonFactory
    from tests.games.play import begin, fresh, play_all

    with database("postgres"), connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {PLI}")
    with database(PLI):
        call_command("migrate", verbosity=0)
        record_heartbeat(now=NOW)
        people = [PersonFactory(username=f"player{number}").pk for number in range(2 * PAIRS)]
        ann, bob = PersonFactory(username="ann"), PersonFactory(username="bob")
        game = play_all(begin(ann, bob, now=NOW), ["5", "1"], now=NOW)
        fill(fresh(game), count, now=NOW)
        copied = Game.objects.exclude(pk=game.pk)
        values = {"people": people, "pairs": PAIRS, "first": game.pk}
        with connection.cursor() as cursor:
            # A record is append-only, for everybody else.
            cursor.execute("SET session_replication_role = replica")
            for table, column, seat in (
                ("games_seat", "user_id", "number"),
                ("games_turn", "player_id", "seat"),
            ):
                cursor.execute(
                    f"UPDATE {table} SET {column} = "  # noqa: S608
                    f"(%(people)s)[1 + 2 * (game_id %% %(pairs)s) + {seat}] "
                    "WHERE game_id <> %(first)s",
                    values,
                )
            cursor.execute("RESET session_replication_role")
            cursor.execute("UPDATE games_event SET noticed_at = now()")
        assert copied.count() == count
        tell()
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")
    with database("postgres"), connection.cursor() as cursor:
        for name in (MODELS, STATEMENTS):
            cursor.execute(f"CREATE DATABASE {name} TEMPLATE {PLI}")


def tell() -> None:
    """Write that the player to move of each running game was told of the turn."""
    from games.models import Game
    from notifications.models import Kind, Notice

    games = Game.objects.running().prefetch_related("seats__user").order_by("pk")
    told = []
    for game in games:
        user = next(seat.user for seat in game.seats.all() if seat.number == game.seat_to_move)
        notice = Notice.new(
            Kind.YOUR_TURN,
            user=user,
            language="en",
            game=game,
            turn_number=game.turn_number,
            due_at=NOW,
            now=NOW,
        )
        notice.state, notice.sent_at = Notice.State.SENT, NOW
        told.append(notice)
    Notice.objects.bulk_create(told, batch_size=1000)


def make_due(part: int, size: int, count: int, now: datetime) -> list[int]:
    """Let the deadlines of a part of the games have passed; return their keys."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE games_game SET deadline = %s - id * interval '1 millisecond', "
            "clock_since = %s - id * interval '1 millisecond' - time_left "
            "WHERE status = 'active' AND id > %s AND id <= %s RETURNING id",
            [now, now, 1 + part * size, 1 + min(count, (part + 1) * size)],
        )
        keys = sorted(key for (key,) in cursor.fetchall())
        cursor.execute("ANALYZE")
        return keys


def by_pli(keys: Iterable[int], now: datetime) -> None:
    """Run the periodic tasks until all is done."""
    from games.services.deadlines import time_out_due
    from notifications.outbox.recipients import make_notices

    while time_out_due(now=now):
        pass
    while make_notices(now=now):
        pass


def by_models(keys: Iterable[int], now: datetime) -> None:
    """Do the least of it through Django's models."""
    from django.db import transaction

    from games.models import Event, Game
    from notifications.models import Kind, Notice

    for key in keys:
        with transaction.atomic():
            Game.objects.filter(pk=key).update(
                status="finished",
                ending="timeout",
                ended_at=now,
                deadline=None,
                reminder_at=None,
                seat_to_move=None,
            )
            event = Event.objects.create(game_id=key, kind="ended", at=now, turn_number=2)
            Notice.new(
                Kind.GAME_OVER, user=None, language="en", event=event, due_at=now, now=now
            ).save()


def by_statements(keys: Iterable[int], now: datetime) -> None:
    """Do the least of it by SQL."""
    from django.db import connection, transaction

    with connection.cursor() as cursor:
        for key in keys:
            with transaction.atomic():
                cursor.execute(
                    "UPDATE games_game SET status = 'finished', ending = 'timeout', ended_at = %s, "
                    "deadline = NULL, reminder_at = NULL, seat_to_move = NULL WHERE id = %s",
                    [now, key],
                )
                cursor.execute(
                    "INSERT INTO games_event (game_id, kind, at, turn_number, details) "
                    "VALUES (%s, 'ended', %s, 2, '{}')",
                    [key, now],
                )
                cursor.execute(
                    "INSERT INTO notifications_notice (game_id, kind, address, language, content, "
                    "message_id, state, created_at, due_at, attempts, reason) "
                    "VALUES (%s, 'game-over', '', 'en', '{}', %s, 'waiting', %s, %s, 0, '')",
                    [key, f"<{key}@example.org>", now, now],
                )


WAYS: dict[str, Callable[[Iterable[int], datetime], None]] = {
    MODELS: by_models,
    STATEMENTS: by_statements,
    PLI: by_pli,
}


def check(count: int) -> None:
    """Fail unless Pli has ended every game, and written one event and two notices for each."""
    from games.models import Event, Game
    from notifications.models import Kind, Notice

    ended = Game.objects.filter(status="finished", ending="timeout")
    assert ended.count() == count, f"{ended.count()} games ended"
    assert ended.filter(seats__place=1).filter(seats__place=2).count() == count
    assert Event.objects.filter(kind="ended", noticed_at__isnull=False).count() == count
    assert Notice.objects.filter(kind=Kind.GAME_OVER, state="waiting").count() == 2 * count


def measure(count: int, *, profiled: bool) -> int:
    """Print the table; return how many goals are missed."""
    from django.db import connection

    with database("postgres"), connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        server = parent(cursor.fetchone()[0])
    spent = {name: [0.0, 0.0, 0.0] for name in WAYS}
    profile = cProfile.Profile()
    for part in range(-(-count // PART)):
        now = NOW + timedelta(seconds=part)
        for name, way in WAYS.items():
            with database(name):
                keys = make_due(part, PART, count, now)
                connection.ensure_connection()
                began = (time.perf_counter(), time.process_time(), cpu_of(server))
                with profile if profiled and name == PLI else nullcontext():
                    way(keys, now)
                ended = (time.perf_counter(), time.process_time(), cpu_of(server))
            for place in range(3):
                spent[name][place] += ended[place] - began[place]
    with database(PLI):
        check(count)
    if profiled:
        for order in ("tottime", "cumulative"):
            pstats.Stats(profile).strip_dirs().sort_stats(order).print_stats(45)
    print(f"{'':14} {'wall':>9} {'process':>9} {'PostgreSQL':>11}   ms a game, {count:,} games")
    for name, (wall, process, database_) in spent.items():
        numbers = (1000 * one / count for one in (wall, process, database_))
        print("{:14} {:9.2f} {:9.2f} {:11.2f}".format(name, *numbers))
    missed = 0
    wall, process, database_ = spent[PLI]
    for name in (MODELS, STATEMENTS):
        floor = spent[name]
        by_wall, by_cpu = wall / floor[0], (process + database_) / (floor[1] + floor[2])
        print(
            f"Pli takes {by_wall:.2f} times as long as {name}, {by_cpu:.2f} times by CPU; "
            f"goal {GOAL}"
        )
        missed += max(by_wall, by_cpu) > GOAL
    return missed


def main() -> int:
    """Bring the server, measure, and take it away again."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.deadlines", description=__doc__)
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--profile", action="store_true", help="show where the time goes")
    asked = parser.parse_args()
    with postgresql() as address:
        os.environ |= {
            "DATABASE_URL": address,
            "DJANGO_SETTINGS_MODULE": "config.settings.test",
        }
        import django

        django.setup()
        prepare(asked.games)
        return 1 if measure(asked.games, profiled=asked.profile) else 0


if __name__ == "__main__":
    sys.exit(main())
