"""The database's clock, which all machines share.

Heartbeats, deadlines and the times of turns are compared with each other whichever process wrote
them, so no process may trust its own clock. Each new database connection measures how far this
process's clock is off (`measure_clock`), and `server_now` corrects it. SQLite has no clock of its
own: there every process runs on one machine.
"""

import logging
from datetime import datetime, timedelta

from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils import timezone

log = logging.getLogger(__name__)

MOST_SKEW = timedelta(seconds=5)
"""A process whose clock is further off runs no periodic tasks: its machine needs repair."""

_offset = timedelta(0)


def server_now() -> datetime:
    """Return the present time of the database's clock."""
    return timezone.now() + _offset


def clock_skew() -> timedelta:
    """Return this process's clock minus the database's, as last measured."""
    return -_offset


def is_clock_right() -> bool:
    """Tell whether this process may run periodic tasks: its clock is off by MOST_SKEW at most."""
    return abs(_offset) <= MOST_SKEW


def measure_clock(connection: BaseDatabaseWrapper) -> None:
    """Compare this process's clock with the database's (PostgreSQL only).

    A difference that is no longer than the query itself counts as none.
    """
    global _offset  # noqa: PLW0603  (a process has one clock)
    if connection.vendor != "postgresql":
        return
    asked_at = timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        told: datetime = cursor.fetchone()[0]
    answered_at = timezone.now()
    took = answered_at - asked_at
    offset = told - (asked_at + took / 2)
    was_right = is_clock_right()
    _offset = timedelta(0) if abs(offset) <= took else offset
    if not is_clock_right():
        log.error(
            "the clock of this machine is %+.1f s off the database's: it runs no periodic "
            "tasks until that is repaired",
            -offset.total_seconds(),
        )
    elif not was_right:
        log.info("the clock of this machine is right again")
