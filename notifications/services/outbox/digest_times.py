"""When the next digest comes. Pure: no database, no reading of the time."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

_DAY = timedelta(days=1)


def next_daily(hour: int, zone: ZoneInfo, after: datetime) -> datetime:
    """Return the first instant after `after` at which clocks in `zone` strike `hour`, in UTC.

    Once for every day of the calendar there: an hour that comes twice counts the first time, one
    that is left out counts when the clocks have been put forward.
    """
    day = after.astimezone(zone).date()
    while (found := _on(day, hour, zone)) <= after:
        day += _DAY
    return found


def _on(day: date, hour: int, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(hour), tzinfo=zone).astimezone(UTC)


def next_after_hours(hours: int, due: datetime, now: datetime) -> datetime:
    """Return the first instant after `now` that is whole steps of `hours` after `due`."""
    step = timedelta(hours=hours)
    return due + step * ((now - due) // step + 1)
