"""Why a deadline is when it is: what it consists of, one part after the other."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import takewhile

from games.clock.clock import Availability, Clock
from games.clock.spans import NOTHING, Span, merge_spans, running_time


class Why(StrEnum):
    """What one part of the time until a deadline is for."""

    TIME = "time"
    GIVEN = "given"
    OUTAGE = "outage"
    VACATION = "vacation"
    DAYS_OFF = "days-off"
    QUIET_HOURS = "quiet-hours"
    LIMIT = "limit"
    GRACE = "grace"


@dataclass(frozen=True)
class AddedTime:
    """Time that somebody gave for the turn that is being played."""

    at: datetime
    time: timedelta
    by: str


@dataclass(frozen=True)
class ClockPart:
    """A part of the time from when a clock was started until its deadline.

    Only LIMIT is negative. `span` is all of an outage or a vacation, of which `time` is what counts
    here; of a GRACE it begins with the end of what it is for, and ends with the deadline. `by` is
    who gave time.
    """

    why: Why
    time: timedelta
    span: Span | None = None
    by: str = ""


def explain(
    clock: Clock, availability: Availability, gifts: Iterable[AddedTime] = ()
) -> list[ClockPart]:
    """Return what a running clock's deadline consists of: `started_at` and all parts make it up.

    What is two things at once (a day off in a vacation) is counted once. Of the gifts, those count
    that came after the clock was started: others are in the time that it was started with.
    """
    start = clock.started_at
    assert start is not None  # noqa: S101  (else it has no deadline)
    later = [gift for gift in gifts if gift.at > start]
    given = sum((gift.time for gift in later), NOTHING)
    parts = [ClockPart(Why.TIME, clock.time_left - given)]
    parts += [ClockPart(Why.GIVEN, gift.time, by=gift.by) for gift in later]
    end = clock.instant_with(NOTHING, availability)
    found: list[Span] = []
    running = end - start
    for why, span, spans in _absences(clock, availability, end):
        found += spans
        less = running_time(start, end, merge_spans(sorted(found)))
        parts.append(ClockPart(why, running - less, span))
        running = less
    parts.append(ClockPart(Why.LIMIT, running - clock.time_left))
    grace = clock.grace(availability)
    if grace is not None:
        whole = Span(grace.since, grace.deadline)
        parts.append(ClockPart(Why.GRACE, grace.deadline - grace.without, whole))
    return [part for part in parts if part.time or part.why == Why.TIME]


def _absences(
    clock: Clock, availability: Availability, end: datetime
) -> Iterator[tuple[Why, Span | None, list[Span]]]:
    """Yield each outage and vacation, then all days off, then all quiet hours until `end`."""
    for span in availability.outages:
        yield Why.OUTAGE, span, [span]
    for span in availability.vacations:
        yield Why.VACATION, span, [span]
    assert clock.started_at is not None  # noqa: S101
    week = clock.weekly_schedule
    days = replace(week, quiet_from=None, quiet_until=None)
    for why, schedule in ((Why.DAYS_OFF, days), (Why.QUIET_HOURS, week)):
        spans = takewhile(lambda span: span.start < end, schedule.spans(clock.started_at))
        yield why, None, list(spans)
