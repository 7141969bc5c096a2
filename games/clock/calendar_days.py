"""Lengths in days of the local calendar: how much of a year's vacation days a vacation takes."""

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

SHORTEST_VACATION = timedelta(days=1)


def local_time(moment: datetime, zone: str) -> datetime:
    """Return the local date and time, without a zone: so every day has 24 hours."""
    return moment.astimezone(ZoneInfo(zone)).replace(tzinfo=None)


def local_length(begins_at: datetime, ends_at: datetime, zone: str) -> timedelta:
    """Return how long a vacation is by the local clock."""
    return local_time(ends_at, zone) - local_time(begins_at, zone)


def days_later(moment: datetime, days: int, zone: str) -> datetime:
    """Return the instant at which local clocks show the same time, so many days later."""
    later = moment.astimezone(ZoneInfo(zone)) + timedelta(days=days)
    return later.astimezone(moment.tzinfo)


def days_by_year(begins_at: datetime, ends_at: datetime, zone: str) -> dict[int, timedelta]:
    """Return what a vacation takes from each calendar year: in all at least one day.

    `zone` is the name of the player's zone when the vacation was announced.
    """
    first = local_time(begins_at, zone)
    last = max(local_time(ends_at, zone), first + SHORTEST_VACATION)
    return {
        year: part
        for year in range(first.year, last.year + 1)
        if (part := min(last, datetime(year + 1, 1, 1)) - max(first, datetime(year, 1, 1)))
    }


def is_whole_days(begins_at: datetime, ends_at: datetime, zone: str) -> bool:
    """Tell whether a vacation is from midnight to midnight by the local clock."""
    shown = local_time(begins_at, zone), local_time(ends_at, zone)
    return all(moment.time() == time.min for moment in shown) and begins_at < ends_at
