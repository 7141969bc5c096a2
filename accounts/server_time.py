"""The database's clock, which all machines share.

Heartbeats, deadlines and the times of turns are compared with each other whichever process wrote
them, so no process may trust its own clock. Each new database connection asks for the database's
time (`measure_clock`). `server_now` adds the time since then, from a clock that nobody can set, so
that a machine whose clock is set meanwhile changes nothing. SQLite has no clock of its own: there
every process runs on one machine.
"""

import logging
import time
from datetime import datetime, timedelta

from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils import timezone

log = logging.getLogger(__name__)

MOST_SKEW = timedelta(seconds=5)
"""A process whose clock is further off runs no periodic tasks: its machine needs repair."""

_measured: tuple[datetime, float] | None = None
"""The database's time, and the machine's uptime in seconds at that moment."""

_was_right = True
"""Whether the clock was right at the last measurement."""


def server_now() -> datetime:
    """Return the present time of the database's clock."""
    if _measured is None:
        return timezone.now()
    told, uptime = _measured
    return told + timedelta(seconds=_uptime() - uptime)


def clock_skew() -> timedelta:
    """Return this process's clock minus the database's."""
    return timezone.now() - server_now()


def is_clock_right() -> bool:
    """Tell whether this process may run periodic tasks: its clock is off by MOST_SKEW at most."""
    return abs(clock_skew()) <= MOST_SKEW


def forget_clock() -> None:
    """Trust this process's own clock until it is measured again."""
    global _measured  # noqa: PLW0603  (a process has one clock)
    _measured = None


def _uptime() -> float:
    """Return seconds on a clock that cannot be set; Linux' counts while a machine sleeps, too."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


def measure_clock(connection: BaseDatabaseWrapper) -> None:
    """Compare this process's clock with the database's (PostgreSQL only).

    A difference that is no longer than the query itself counts as none.
    """
    global _measured, _was_right  # noqa: PLW0603  (a process has one clock)
    if connection.vendor != "postgresql":
        return
    asked_at = timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        told: datetime = cursor.fetchone()[0]
    answered_at = timezone.now()
    took = answered_at - asked_at
    offset = told - (asked_at + took / 2)
    _measured = (answered_at if abs(offset) <= took else answered_at + offset, _uptime())
    if not is_clock_right():
        log.error(
            "the clock of this machine is %+.1f s off the database's: it runs no periodic "
            "tasks until that is repaired",
            -offset.total_seconds(),
        )
    elif not _was_right:
        log.info("the clock of this machine is right again")
    _was_right = is_clock_right()
