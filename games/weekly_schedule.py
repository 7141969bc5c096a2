"""A player's week: the days off and the quiet hours, in their own time zone. Pure."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from games.time_control import Span, utc

MOST_DAYS_OFF = 3
LONGEST_QUIET = timedelta(hours=12)
ONE_DAY = timedelta(days=1)


@dataclass(frozen=True)
class WeeklySchedule:
    """When somebody's time never runs: whole days of the week, and hours of every day.

    `days_off` counts from Monday, 0. Quiet hours end the day after when `quiet_until` is not
    later than `quiet_from`; both are empty when there are none. Raises ValueError where more is
    wanted than MOST_DAYS_OFF or LONGEST_QUIET, or for a zone that does not exist.
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

    def spans(self, since: datetime) -> Iterator[Span]:
        """Yield the days off and quiet hours that end after `since`, in order, without end.

        Yields nothing at all for somebody who has neither.
        """
        if not self.days_off and self.quiet_from is None:
            return
        day = since.astimezone(ZoneInfo(self.zone)).date() - 2 * ONE_DAY
        while True:
            for span in sorted(self._of_day(day)):
                if span.end > since:
                    yield span
            day += ONE_DAY

    def nights(self, since: datetime) -> Iterator[Span]:
        """Yield the quiet hours alone, as `spans` does."""
        yield from WeeklySchedule(self.zone, frozenset(), self.quiet_from, self.quiet_until).spans(
            since
        )

    def _of_day(self, day: date) -> Iterator[Span]:
        if day.weekday() in self.days_off:
            yield from self._unless_skipped(day, time.min, day + ONE_DAY, time.min)
        if self.quiet_from is not None and self.quiet_until is not None:
            ends = day if self.quiet_from < self.quiet_until else day + ONE_DAY
            yield from self._unless_skipped(day, self.quiet_from, ends, self.quiet_until)

    def _unless_skipped(self, day: date, hour: time, last: date, until: time) -> Iterator[Span]:
        """Yield the span, unless the clocks on the wall jump over all of it."""
        start, end = self._at(day, hour), self._at(last, until)
        if start < end:
            yield Span(start, end)

    def _at(self, day: date, hour: time) -> datetime:
        return utc(datetime.combine(day, hour, tzinfo=ZoneInfo(self.zone)))

    def as_data(self) -> dict[str, Any]:
        """Return what `weekly_schedule_of` reads, fit for JSON; empty where no time is ever off."""
        if not self.days_off and self.quiet_from is None:
            return {}
        quiet = [f"{hour:%H:%M}" for hour in (self.quiet_from, self.quiet_until) if hour]
        return {"zone": self.zone, "days_off": sorted(self.days_off), "quiet": quiet}


def weekly_schedule_of(data: Mapping[str, Any]) -> WeeklySchedule:
    """Return the rhythm that `as_data` wrote."""
    if not data:
        return WeeklySchedule()
    start, end = map(time.fromisoformat, data["quiet"]) if data["quiet"] else (None, None)
    return WeeklySchedule(data["zone"], frozenset(data["days_off"]), start, end)


def quiet_length(quiet_from: time | None, quiet_until: time | None) -> timedelta:
    """Return how long quiet hours are by the clock on the wall; from 8 until 8 is all day."""
    if quiet_from is None or quiet_until is None:
        return timedelta()
    return _wall(quiet_until, quiet_from) or ONE_DAY


def _wall(later: time, earlier: time) -> timedelta:
    minutes = (later.hour - earlier.hour) * 60 + later.minute - earlier.minute
    return timedelta(minutes=minutes % (24 * 60))
