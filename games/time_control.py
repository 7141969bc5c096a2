"""Time arithmetic of a turn: pure, no database, no reading of the time.

All times are aware and in UTC, all durations real time. A player's time runs except in the
spans in which they are away (days off, vacations, times when this service was down). Whatever is
computed here depends only on what it is given: computing it again, in parts or in another order
of the spans, gives the same.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from heapq import merge

NOTHING = timedelta()
ONE_DAY = timedelta(days=1)
SHORTEST_ALLOWANCE = timedelta(minutes=1)
LONGEST_ALLOWANCE = timedelta(days=366)


@dataclass(frozen=True, order=True)
class Span:
    """A stretch of time from `start` until just before `end`."""

    start: datetime
    end: datetime


def joined(*sources: Iterable[Span]) -> Iterator[Span]:
    """Yield the union of all spans, in order and apart from each other.

    Each source must be in order of `start`; it is read only as far as it is asked for.
    """
    standing: Span | None = None
    for span in merge(*sources):
        if span.end <= span.start:
            continue
        if standing is None:
            standing = span
        elif span.start <= standing.end:
            standing = Span(standing.start, max(standing.end, span.end))
        else:
            yield standing
            standing = span
    if standing is not None:
        yield standing


def running_between(start: datetime, end: datetime, away: Iterable[Span]) -> timedelta:
    """Return how much time runs from `start` to `end`, which is not before it.

    `away` is in order and apart, as `joined` yields.
    """
    left = end - start
    for span in away:
        if span.start >= end:
            break
        left -= max(NOTHING, min(span.end, end) - max(span.start, start))
    return left


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


def remaining(time: timedelta, since: datetime, now: datetime, away: Iterable[Span]) -> timedelta:
    """Return what is left at `now` of the `time` that has run since then: never negative."""
    if now <= since:
        return time
    return max(NOTHING, time - running_between(since, now, away))


def is_late(deadline: datetime, now: datetime) -> bool:
    """Tell whether the deadline has passed; the deadline itself is still in time."""
    return now > deadline


class PaceKind(StrEnum):
    """How time is given: anew each turn, from a bank that grows, or once for the whole game."""

    TURN = "turn"
    FISCHER = "fischer"
    TOTAL = "total"


@dataclass(frozen=True)
class TimeControl:
    """How much time a seat has.

    TURN: `allowance` for each turn. FISCHER: `bank` at the start, `allowance` more after each
    turn, never growing above `cap`. TOTAL: `bank` for the whole game. What a kind does not use
    is nothing.
    """

    kind: PaceKind
    allowance: timedelta = NOTHING
    bank: timedelta = NOTHING
    cap: timedelta = NOTHING

    @property
    def first(self) -> timedelta:
        """What a seat has when the game begins."""
        return self.allowance if self.kind == PaceKind.TURN else self.bank

    def after_turn(self, left: timedelta) -> timedelta:
        """Return what a seat has for its next turn when `left` remained at the end of this one.

        The cap stops growth only: who was given more than that keeps it.
        """
        if self.kind == PaceKind.TURN:
            return self.allowance
        if self.kind == PaceKind.TOTAL:
            return left
        return max(left, min(self.cap, left + self.allowance))

    @property
    def for_another(self) -> timedelta:
        """What somebody has who takes a seat over from a player without time: a turn's worth.

        That is the allowance; from a bank at least a day, or all of a bank that is shorter.
        """
        if self.kind == PaceKind.TURN:
            return self.allowance
        return max(self.allowance, min(self.bank, ONE_DAY))

    @property
    def is_possible(self) -> bool:
        """Whether a game could be played so: all times in bounds, and none that is not used."""
        if self.kind == PaceKind.TURN:
            return _fits(self.allowance) and self.bank == self.cap == NOTHING
        if self.kind == PaceKind.TOTAL:
            return _fits(self.bank) and self.allowance == self.cap == NOTHING
        grows = NOTHING < self.allowance <= self.cap
        return _fits(self.bank) and _fits(self.cap) and grows and self.bank <= self.cap


def _fits(time: timedelta) -> bool:
    return SHORTEST_ALLOWANCE <= time <= LONGEST_ALLOWANCE


def per_turn(allowance: timedelta) -> TimeControl:
    """Return the pace that gives so much time for each turn."""
    return TimeControl(PaceKind.TURN, allowance=allowance)


def utc(moment: datetime) -> datetime:
    """Return the same instant in UTC: sums and differences there are of real time."""
    return moment.astimezone(UTC)
