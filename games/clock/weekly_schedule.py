"""A player's days off and quiet hours, in their own time zone."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any, Self
from zoneinfo import ZoneInfo

from games.clock.spans import Span, in_utc

MOST_DAYS_OFF = 3
LONGEST_QUIET = timedelta(hours=12)
ONE_DAY = timedelta(days=1)


@dataclass(frozen=True)
class WeeklySchedule:
    """When a player's time never runs: whole days of the week, and hours of every day.

    `days_off` counts from Monday, 0. Quiet hours end on the next day if `quiet_until` is not later
    than `quiet_from`; both are None if there are none. Raises ValueError for more than
    MOST_DAYS_OFF or LONGEST_QUIET, and for an unknown zone.
    """

    zone: str = "UTC"
    days_off: frozenset[int] = frozenset()
    quiet_from: time | None = None
    quiet_until: time | None = None

    def __post_init__(self) -> None:
        try:
            ZoneInfo(self.zone)
        except (OSError, ValueError, LookupError) as error:
            raise ValueError(self.zone) from error
        if len(self.days_off) > MOST_DAYS_OFF or not self.days_off <= set(range(7)):
            raise ValueError(self.days_off)
        if (self.quiet_from is None) != (self.quiet_until is None):
            raise ValueError(self.quiet_from, self.quiet_until)
        if quiet_length(self.quiet_from, self.quiet_until) > LONGEST_QUIET:
            raise ValueError(self.quiet_from, self.quiet_until)

    @property
    def is_empty(self) -> bool:
        """Whether there are neither days off nor quiet hours."""
        return not self.days_off and self.quiet_from is None

    def spans(self, since: datetime) -> Iterator[Span]:
        """Yield the days off and quiet hours that end after `since`, in order and without end.

        Yields nothing if the player has neither.
        """
        if self.is_empty:
            return
        day = since.astimezone(ZoneInfo(self.zone)).date() - 2 * ONE_DAY
        while True:
            for span in sorted(self.spans_of_day(day)):
                if span.end > since:
                    yield span
            day += ONE_DAY

    def spans_of_day(self, day: date) -> Iterator[Span]:
        """Yield the day off and the quiet hours that begin on a day of the player's calendar."""
        zone = ZoneInfo(self.zone)
        found = []
        if day.weekday() in self.days_off:
            found.append((day, time.min, day + ONE_DAY, time.min))
        if self.quiet_from is not None and self.quiet_until is not None:
            last = day if self.quiet_from < self.quiet_until else day + ONE_DAY
            found.append((day, self.quiet_from, last, self.quiet_until))
        for first, begins, last, ends in found:
            start = in_utc(datetime.combine(first, begins, tzinfo=zone))
            end = in_utc(datetime.combine(last, ends, tzinfo=zone))
            if start < end:  # else a change of the local clocks skips all of it
                yield Span(start, end)

    def as_data(self) -> dict[str, Any]:
        """Return what `from_data` reads, fit for JSON; empty without days off and quiet hours."""
        if self.is_empty:
            return {}
        quiet = [f"{hour:%H:%M}" for hour in (self.quiet_from, self.quiet_until) if hour]
        return {"zone": self.zone, "days_off": sorted(self.days_off), "quiet": quiet}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """Return the schedule that `as_data` wrote."""
        if not data:
            return cls()
        start, end = map(time.fromisoformat, data["quiet"]) if data["quiet"] else (None, None)
        return cls(data["zone"], frozenset(data["days_off"]), start, end)


def quiet_length(quiet_from: time | None, quiet_until: time | None) -> timedelta:
    """Return how long quiet hours are by the local clock; from 8 until 8 is all day."""
    if quiet_from is None or quiet_until is None:
        return timedelta()
    hours, minutes = quiet_until.hour - quiet_from.hour, quiet_until.minute - quiet_from.minute
    return timedelta(minutes=(hours * 60 + minutes) % (24 * 60)) or ONE_DAY
