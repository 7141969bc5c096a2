"""Very many running games in a PostgreSQL database, copied by SQL from one that was played."""

from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import Game, Seat, Turn

SPREAD = timedelta(days=14)
"""Deadlines that are not due yet lie within this time."""


def fill(pattern: Game, count: int, *, now: datetime) -> None:
    """Copy a running game, its seats and turns, `count` times; none of the copies is due."""
    first = Game.objects.order_by("-pk").values_list("pk", flat=True)[0] + 1
    every = "generate_series(0, %(count)s - 1) AS copy"
    later = "%(now)s + interval '1 hour' + copy * (%(spread)s / %(count)s)"
    values = {
        "pattern": pattern.pk,
        "first": first,
        "count": count,
        "now": now,
        "spread": SPREAD,
    }
    with connection.cursor() as cursor:
        for model, changed in (
            (
                Game,
                {
                    "id": "%(first)s + copy",
                    "deadline": later,
                    "reminder_at": later,
                    "clock_since": f"{later} - time_left",
                },
            ),
            (Seat, {"game_id": "%(first)s + copy"}),
            (Turn, {"game_id": "%(first)s + copy"}),
        ):
            owner = "id" if model is Game else "game_id"
            columns = [f.column for f in model._meta.concrete_fields]
            if model is not Game:
                columns.remove("id")
            chosen = ", ".join(changed.get(column, f"it.{column}") for column in columns)
            table = model._meta.db_table
            cursor.execute(
                f"INSERT INTO {table} ({', '.join(columns)}) SELECT {chosen} "  # noqa: S608
                f"FROM {table} AS it, {every} WHERE it.{owner} = %(pattern)s",
                values,
            )
        cursor.execute("ANALYZE")


def make_due(count: int, *, now: datetime, offset: int = 0) -> None:
    """Let so many of the games, from all over the table, be due since a moment ago.

    Another `offset` chooses other games.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT max(id), max(id) - min(id) FROM games_game")
        newest, span = cursor.fetchone()
        cursor.execute(
            "UPDATE games_game SET deadline = %(now)s - place * interval '1 second', "
            "clock_since = %(now)s - place * interval '1 second' - time_left "
            "FROM generate_series(1, %(count)s) AS place "
            "WHERE id = %(newest)s - %(offset)s - (place - 1) * %(step)s AND status = 'active'",
            {
                "now": now,
                "count": count,
                "newest": newest,
                "offset": offset,
                "step": span // count,
            },
        )
        assert cursor.rowcount == count


def plan_of(sweep: Callable[..., int], *, now: datetime, batch: int = 0) -> str:
    """Return how PostgreSQL finds what a sweep takes up, at first or in a later batch."""
    with CaptureQueriesContext(connection) as asked:
        sweep(now=now)
    batches = [q["sql"] for q in asked.captured_queries if _takes_up(q["sql"])]
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {batches[batch]}")
        return "\n".join(line for (line,) in cursor.fetchall())


def _takes_up(sql: str) -> bool:
    """Tell whether a question is what is due, and not for one game in order to lock it."""
    return 'FROM "games_game"' in sql and "LIMIT" in sql and "FOR UPDATE" not in sql
