"""Time arithmetic of a turn: pure, no database, no reading of the time.

All times are aware and in UTC, all durations real time.
"""

from datetime import datetime, timedelta

SHORTEST_ALLOWANCE = timedelta(minutes=1)
LONGEST_ALLOWANCE = timedelta(days=366)


def deadline_of(began: datetime, allowance: timedelta) -> datetime:
    """Return the last instant at which a turn that began then is in time."""
    return began + allowance


def reminder_of(began: datetime, allowance: timedelta) -> datetime:
    """Return when a quarter of the turn's time is left."""
    return deadline_of(began, allowance) - allowance / 4


def is_late(deadline: datetime, now: datetime) -> bool:
    """Tell whether the deadline has passed; the deadline itself is still in time."""
    return now > deadline
