"""Arithmetic with spans of time.

All times are aware and in UTC, all durations are real time. A player's time runs except in the
spans in which they are away (days off, vacations, outages).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from heapq import merge

NOTHING = timedelta()


@dataclass(frozen=True, order=True)
class Span:
    """The time from `start` until just before `end`."""

    start: datetime
    end: datetime


def merge_spans(*sources: Iterable[Span]) -> Iterator[Span]:
    """Yield the union of all spans, in order and with gaps between them.

    Each source must be sorted by `start`; it may be endless, and is read only as far as needed.
    """
    current: Span | None = None
    for span in merge(*sources):
        if span.end <= span.start:
            continue
        if current is None:
            current = span
        elif span.start <= current.end:
            current = Span(current.start, max(current.end, span.end))
        else:
            yield current
            current = span
    if current is not None:
        yield current


def running_time(start: datetime, end: datetime, away: Iterable[Span]) -> timedelta:
    """Return how much time runs from `start` to `end`, which is not before it.

    `away` is what `merge_spans` yields.
    """
    time = end - start
    for span in away:
        if span.start >= end:
            break
        time -= max(NOTHING, min(span.end, end) - max(span.start, start))
    return time


def instant_after(start: datetime, time: timedelta, away: Iterable[Span]) -> datetime:
    """Return the last instant at which no more than `time` has run since `start`.

    Where the time is used up just as an absence begins, that is the absence's end: a turn played
    in between used no more time.
    """
    for span in away:
        if span.end <= start:
            continue
        if span.start - start > time:
            break
        time -= max(NOTHING, span.start - start)
        start = span.end
    return start + time


def remaining_time(
    time: timedelta, since: datetime, now: datetime, away: Iterable[Span]
) -> timedelta:
    """Return what is left at `now` of the `time` that there was at `since`: never negative."""
    if now <= since:
        return time
    return max(NOTHING, time - running_time(since, now, away))


def is_late(deadline: datetime, now: datetime) -> bool:
    """Tell whether the deadline has passed; the deadline itself is still in time."""
    return now > deadline


def in_utc(moment: datetime) -> datetime:
    """Return the same instant in UTC, where sums and differences are real time."""
    return moment.astimezone(UTC)
