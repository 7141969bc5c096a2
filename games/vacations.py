"""What a vacation costs of a year's days. Pure."""

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

SHORTEST = timedelta(days=1)


def wall(moment: datetime, zone: str) -> datetime:
    """Return what the clock on the wall shows, without a zone: there every day has 24 hours."""
    return moment.astimezone(ZoneInfo(zone)).replace(tzinfo=None)


def length(begins_at: datetime, ends_at: datetime, zone: str) -> timedelta:
    """Return how long a vacation is by the clock on the wall."""
    return wall(ends_at, zone) - wall(begins_at, zone)


def days_later(moment: datetime, days: int, zone: str) -> datetime:
    """Return the instant at which the same hour is shown so many days later."""
    shown = moment.astimezone(ZoneInfo(zone)) + timedelta(days=days)
    return shown.astimezone(moment.tzinfo)


def cost(begins_at: datetime, ends_at: datetime, zone: str) -> dict[int, timedelta]:
    """Return what a vacation takes of each calendar year: a day at least in all.

    `zone` is the name of the player's zone when it was announced.
    """
    first = wall(begins_at, zone)
    last = max(wall(ends_at, zone), first + SHORTEST)
    return {
        year: part
        for year in range(first.year, last.year + 1)
        if (part := min(last, datetime(year + 1, 1, 1)) - max(first, datetime(year, 1, 1)))
    }


def is_whole_days(begins_at: datetime, ends_at: datetime, zone: str) -> bool:
    """Tell whether it is from midnight to midnight by the clock on the wall."""
    shown = wall(begins_at, zone), wall(ends_at, zone)
    return all(moment.time() == time.min for moment in shown) and begins_at < ends_at
