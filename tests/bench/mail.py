"""What a mail with its picture costs, against sending the same mail ready-made.

`make bench-mail` runs it on a PostgreSQL server of its own; the mail server is a process of its own
too, so that its work is not counted. Each round plays a turn in every game, writes and sends the
notices, and then sends the very same mails, composed already, over one connection of Django's SMTP
backend: what else the machine does weighs on both alike.
"""

import os
import platform
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from typing import Any
from unittest.mock import patch

from tests.servers import postgresql

MAILS = 100
"""Games, and so mails in a round."""

OPENING = 5
"""Turns played and mailed in each game before: hardly two positions are alike then, and the process
has drawn boards, as one that has worked for a while."""

ROUNDS = 3
GAMES: Mapping[str, Mapping[str, object]] = {
    "super-morpion": {},
    "superpion": {"variant": "superduel"},
}

RATIO, QUERIES, RATE = 4.0, 5.0, 100.0
"""The goals: CPU of a mail against that of a ready-made one, queries a mail, mails a second."""

NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)


@dataclass
class Spent:
    """What some work took: CPU seconds of this process and of PostgreSQL's, and seconds."""

    cpu: float = 0
    database: float = 0
    wall: float = 0
    queries: int = 0


@contextmanager
def measured() -> Iterator[Spent]:
    """Measure the work of a block."""
    from django.db import connection

    def count(execute: Callable[..., Any], *args: Any) -> Any:
        spent.queries += 1
        return execute(*args)

    spent, before = Spent(), backend_cpu()
    wall, cpu = time.perf_counter(), time.process_time()
    with connection.execute_wrapper(count):
        yield spent
    spent.cpu, spent.wall = time.process_time() - cpu, time.perf_counter() - wall
    spent.database = backend_cpu() - before


def backend_cpu() -> float:
    """Return the CPU seconds of the PostgreSQL process that serves us."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (pid,) = cursor.fetchone()
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def sink() -> Iterator[int]:
    """Run the mail server; the value is its port."""
    command = [sys.executable, "-m", "tests.bench.mail_sink"]
    with subprocess.Popen(command, stdin=-1, stdout=-1, text=True) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        yield int(server.stdout.readline())
        server.stdin.close()


class Tables:
    """MAILS games of one kind, in which turns are played at random."""

    def __init__(self, slug: str, options: Mapping[str, object]) -> None:
        from tests.factories import PersonFactory
        from tests.games.play import begin

        self.chance = random.Random(5)
        people = [PersonFactory(username=f"{slug}-{n}") for n in range(MAILS // 2)]
        self.games = []
        for number in range(MAILS):
            one, two = (people[(number + n) % len(people)] for n in (0, 1))
            self.games.append(begin(one, two, now=NOW, slug=slug, options=options))

    def play(self) -> None:
        """Play one turn in every game."""
        from django.db import transaction

        with transaction.atomic():
            for game in self.games:
                self._play_turn(game)

    def _play_turn(self, game: Any) -> None:
        from tests.games.play import play

        game.refresh_from_db()
        rules, actions = game.rules, []
        start = position = rules.load(game.position)
        mover = rules.turn(position)
        while rules.outcome(position) is None and rules.turn(position) == mover:
            actions.append(self.chance.choice(list(rules.legal_actions(position))))
            position = rules.play(position, actions[-1])
        seat = game.seats.select_related("user").get(number=game.seat_to_move)
        play(game, seat.user, rules.format_turn(start, actions), now=NOW)


def write_and_send() -> None:
    """Write and send the mails of everything that has happened."""
    from notifications.outbox.delivery import send_due
    from notifications.outbox.recipients import make_notices

    while make_notices(now=NOW):
        pass
    while send_due(now=NOW + timedelta(hours=1)):
        pass


def one_round(tables: Tables) -> tuple[Spent, Spent, float]:
    """Return what the mails of a turn took, what the same ones took ready-made, and their size."""
    from django.core.mail import get_connection

    from notifications.outbox.smtp import MailConnection

    mails: list[Any] = []
    send = MailConnection.send

    def keep(connection: MailConnection, message: Any) -> None:
        mails.append(message)
        send(connection, message)

    tables.play()
    with patch.object(MailConnection, "send", keep), measured() as ours:
        write_and_send()
    assert len(mails) == MAILS, f"{len(mails)} mails were sent"
    with measured() as ready_made, get_connection() as connection:
        for message in mails:
            connection.send_messages([message])
    return ours, ready_made, sum(len(mail.message().as_bytes()) for mail in mails) / MAILS


def measure(slug: str, options: Mapping[str, object]) -> int:
    """Print the figures of one game; return how many goals are missed."""
    tables = Tables(slug, options)
    for _ in range(OPENING):
        tables.play()
        write_and_send()
    rounds = [one_round(tables) for _ in range(ROUNDS + 1)][1:]
    size = median(size for *_, size in rounds) / 1000
    print(f"\n{slug}, {MAILS} mails of {size:.0f} kB a round")

    def ms(seconds: float) -> float:
        return seconds / MAILS * 1000

    for title, part in (("mail with its picture", 0), ("ready-made", 1)):
        spent = [parts[part] for parts in rounds]
        cpu, database, wall = (
            median(ms(getattr(one, name)) for one in spent) for name in ("cpu", "database", "wall")
        )
        print(f"{title:24} {cpu:6.2f} ms CPU {database:6.2f} ms PostgreSQL {wall:7.2f} ms")
    missed = 0
    pairs = [(ours, ready_made) for ours, ready_made, _ in rounds]
    for title, value, goal in (
        ("ratio by CPU", median(a.cpu / b.cpu for a, b in pairs), RATIO),
        ("ratio by rate", median(a.wall / b.wall for a, b in pairs), 0),
        ("queries a mail", median(a.queries / MAILS for a, _ in pairs), QUERIES),
        ("mails a second", median(MAILS / a.wall for a, _ in pairs), -RATE),
    ):
        print(f"{title:24} {value:6.1f}" + (f"   goal {abs(goal):g}" if goal else ""))
        missed += value > goal > 0 or value < -goal
    return missed


def versions() -> str:
    """Return what was measured with, in a line."""
    import django
    from django.db import connection

    connection.ensure_connection()
    server = connection.connection.info.server_version // 10_000
    return (
        f"Python {platform.python_version()}, Django {django.__version__}, PostgreSQL {server}, "
        f"{os.cpu_count()} cores; medians of {ROUNDS} rounds"
    )


def main() -> int:
    """Bring the servers, measure, and take them away again."""
    with ExitStack() as stack:
        os.environ |= {
            "DATABASE_URL": stack.enter_context(postgresql()),
            "DJANGO_SETTINGS_MODULE": "config.settings.test",
            "PLI_LOG_LEVEL": "WARNING",
        }
        port = stack.enter_context(sink())
        import django

        django.setup()
        from django.conf import settings
        from django.core.management import call_command
        from django.db import connection

        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", port
        settings.TABLES_A_DAY = MAILS * len(GAMES)
        settings.DATABASES["default"]["CONN_MAX_AGE"] = None
        call_command("migrate", verbosity=0)
        call_command("createcachetable", verbosity=0)
        print(versions(), flush=True)
        missed = sum(measure(*game) for game in GAMES.items())
        connection.close()
        return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
