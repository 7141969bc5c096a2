"""How long a process waits for the database, by what the process is for.

Without limits one held row lock stops every thread and every worker that asks for the same row.
PostgreSQL gets its own settings for each connection (lock_timeout, statement_timeout and
idle_in_transaction_session_timeout, see "Client Connection Defaults" in its manual). SQLite has
one lock for the whole database, and its busy timeout.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Any

from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

from accounts.server_time import forget_clock, measure_clock


@dataclass(frozen=True)
class Limits:
    """Milliseconds; 0 means no limit."""

    lock: int
    statement: int
    idle_in_transaction: int


class ProcessRole(Enum):
    """What a process is for.

    A web server has 8 threads: with one second for a lock, twenty people who click at one blocked
    game all have their answer within five. Commands such as `migrate` and `backup` may work for
    hours, but must not queue behind a lock, because all others then queue behind them.
    """

    WEB = Limits(lock=1_000, statement=10_000, idle_in_transaction=10_000)
    CHORES = Limits(lock=3_000, statement=120_000, idle_in_transaction=60_000)
    COMMAND = Limits(lock=30_000, statement=0, idle_in_transaction=600_000)


CHORE_COMMANDS = frozenset({"drain", "listen", "receive_mail"})
"""Commands of `manage.py` that run for as long as the service does, or for one mail."""

_role = ProcessRole.COMMAND


def set_process_role(role: ProcessRole) -> None:
    """Set what this process is for; it applies to every connection from now on."""
    global _role  # noqa: PLW0603  (a process has one role)
    _role = role
    connections.close_all()
    forget_clock()


def limit_connection(sender: object, connection: BaseDatabaseWrapper, **more: Any) -> None:
    """Set the limits of a new connection (receiver of `connection_created`).

    Processes that serve or run periodic tasks also compare their clock with the database's.
    Connections live for five minutes (CONN_MAX_AGE), so this costs no page a query.
    """
    limits = _role.value
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT set_config('lock_timeout', %s, false),"
                " set_config('statement_timeout', %s, false),"
                " set_config('idle_in_transaction_session_timeout', %s, false)",
                [str(limits.lock), str(limits.statement), str(limits.idle_in_transaction)],
            )
        else:
            cursor.execute(f"PRAGMA busy_timeout = {limits.lock}")
    if _role is not ProcessRole.COMMAND:
        measure_clock(connection)
