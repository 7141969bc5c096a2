"""The clock of one turn, as a value: every change returns a new clock."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import accumulate, pairwise, takewhile
from typing import Self

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from games.clock.reminders import Countdown, ReminderMark, next_reminder
from games.clock.spans import (
    NOTHING,
    Span,
    instant_after,
    is_late,
    merge_spans,
    remaining_time,
    running_time,
)
from games.clock.time_control import TimeControl
from games.clock.weekly_schedule import WeeklySchedule

MOST_STRETCH = 2
"""A turn lasts at most this many times its allowance, days off and quiet hours included."""

LEAST_WAKING_TIME = timedelta(hours=12)
"""What a player has at least, their nights left out, after an outage or after their clock was
started by anything but their own act."""

LEAST_AFTER_STOP = timedelta(days=1)
"""What a player has at least after a vacation, and after a stop that somebody else ended."""


class StopReason(TextChoices):
    """Why the clock of a running game is stopped."""

    PAUSED = "paused", _("the players agreed on a pause")
    UNDELIVERED = "undelivered", _("the player to move could not be reached")
    SUBSTITUTE = "substitute", _("a seat waits for somebody to take it over")
    MODERATOR = "moderator", _("a moderator stopped it")


@dataclass(frozen=True)
class ReminderSettings:
    """The reminders that a player chose (see `reminders.time_left_at`).

    `night` has the hours without reminders as its quiet hours, None if there are no such hours.
    """

    marks: tuple[str, ...]
    night: WeeklySchedule | None = None


@dataclass(frozen=True)
class Availability:
    """What a clock depends on besides itself, as it is known at one moment.

    `vacations` and `outages` are sorted and have all that ended after the clock was started or
    stopped; an outage that is still going on ends at that moment. `nights` has the player's nights
    as its quiet hours. Without a player, and for a bot, `reminders` and `nights` are None.
    """

    vacations: tuple[Span, ...] = ()
    outages: tuple[Span, ...] = ()
    reminders: ReminderSettings | None = None
    nights: WeeklySchedule | None = None

    def without_week(self) -> Iterator[Span]:
        """Yield vacations and outages, joined."""
        return merge_spans(self.vacations, self.outages)


@dataclass(frozen=True)
class Grace:
    """A deadline that is later than the time that is left, and when what it is for had ended.

    `without` is the deadline that there would be without it.
    """

    since: datetime
    deadline: datetime
    without: datetime
    is_after_vacation: bool


@dataclass(frozen=True)
class Clock:
    """The clock of the turn that is being played in a running game.

    While it runs, `time_left` is what the player had at `started_at`; `deadline` and `reminder_at`
    are computed from that, and `weekly_schedule` is the player's as it was when the turn began.
    `protected_at` is `started_at` if something else than the player's own act started it. Then, and
    after an outage or a vacation, the deadline is not soon (`grace`), whatever is left.
    Reminders for `reminded` or more left are done, as long as the deadline does not move.

    While it is stopped (`stop_reason`), `time_left` is what remains, and there is no deadline. At
    `stopped_at` there was `wait_remaining` to wait, until `stopped_until` (None: until somebody
    resumes it). A moderator's hold keeps the stop that it interrupts in `stopped_before_hold`, and
    what was left to wait in `wait_remaining`.
    """

    seat_to_move: int
    time_left: timedelta
    weekly_schedule: WeeklySchedule
    turn_began_at: datetime | None = None

    started_at: datetime | None = None
    protected_at: datetime | None = None
    deadline: datetime | None = None
    deadline_set_at: datetime | None = None
    reminder_at: datetime | None = None
    reminded: timedelta | None = None
    snoozed_until: datetime | None = None

    stop_reason: str = ""
    stopped_at: datetime | None = None
    stopped_until: datetime | None = None
    wait_remaining: timedelta | None = None
    stopped_before_hold: str = ""

    # The turn ------------------------------------------------------------------------------------

    @classmethod
    def for_turn(
        cls,
        seat_number: int,
        time: timedelta,
        weekly_schedule: WeeklySchedule,
        availability: Availability,
        *,
        now: datetime,
    ) -> Self:
        """Return the clock of a turn that begins now with `time`."""
        clock = cls(seat_number, time, weekly_schedule, turn_began_at=now)
        return clock.resumed(availability, now=now)

    def time_after_turn(
        self, pace: TimeControl, availability: Availability, *, now: datetime
    ) -> timedelta:
        """Return the seat's time for its next turn if this turn ends now."""
        return pace.after_turn(self.remaining(availability, now=now))

    def remaining(self, availability: Availability, *, now: datetime) -> timedelta:
        """Return what is left of the turn's time, never negative."""
        if self.started_at is None:
            return self.time_left
        return remaining_time(self.time_left, self.started_at, now, self.time_off(availability))

    def is_late(self, now: datetime) -> bool:
        """Tell whether the deadline, as last computed, has passed."""
        return self.deadline is not None and is_late(self.deadline, now)

    def time_off(self, availability: Availability) -> Iterator[Span]:
        """Yield the spans, since the clock was started, in which it does not run."""
        if self.started_at is None:
            return iter(())
        week = self.weekly_schedule.spans(self.started_at)
        return merge_spans(week, availability.vacations, availability.outages)

    # The deadline --------------------------------------------------------------------------------

    def instant_with(self, left: timedelta, availability: Availability) -> datetime:
        """Return the latest instant at which a running clock still has `left`.

        It comes earlier where days off and quiet hours would more than double the time until then.
        """
        assert self.started_at is not None  # noqa: S101  (else it has no such instant)
        time = self.time_left - left
        instant = instant_after(self.started_at, time, self.time_off(availability))
        if self.weekly_schedule.is_empty:
            return instant
        away = availability.without_week()
        return min(instant, instant_after(self.started_at, MOST_STRETCH * time, away))

    def grace(self, availability: Availability) -> Grace | None:
        """Return the deadline that is later than the time that is left; None if it is not.

        It is at least LEAST_WAKING_TIME after each outage that ended during the turn, and
        LEAST_AFTER_STOP, with so much waking time in it, after each vacation and after
        `protected_at`. One that began after the deadline changes nothing.
        """
        without = deadline = self.instant_with(NOTHING, availability)
        found = None
        vacations = list(merge_spans(availability.vacations))
        stops = [(span, LEAST_AFTER_STOP) for span in vacations]
        stops += [(span, NOTHING) for span in availability.outages]
        if self.protected_at is not None:
            stops.append((Span(self.protected_at, self.protected_at), LEAST_AFTER_STOP))
        for stop, least in sorted(stops):
            if stop.start > deadline:
                break
            nights = self.nights_after(stop.end, availability)
            away = (availability.vacations, availability.outages)
            waking = instant_after(stop.end, LEAST_WAKING_TIME, merge_spans(nights, *away))
            earliest = max(waking, instant_after(stop.end, least, merge_spans(*away)))
            if earliest > deadline:
                deadline = earliest
                found = Grace(stop.end, deadline, without, stop in vacations)
        return found

    def deadline_with(self, availability: Availability) -> datetime:
        """Return the deadline of a running clock as it is computed now."""
        grace = self.grace(availability)
        return grace.deadline if grace else self.instant_with(NOTHING, availability)

    def nights_after(self, moment: datetime, availability: Availability) -> Iterator[Span]:
        """Yield the player's nights that end after `moment`, without end."""
        return availability.nights.spans(moment) if availability.nights else iter(())

    # Changes of a clock that runs ----------------------------------------------------------------

    def with_more_time(self, more: timedelta, availability: Availability, *, now: datetime) -> Self:
        """Add time to this turn; a stopped clock remains stopped."""
        return replace(self, time_left=self.time_left + more).recomputed(availability, now=now)

    def recomputed(self, availability: Availability, *, now: datetime) -> Self:
        """Compute the deadline and the next reminder again; nothing changes in a stopped clock.

        The result depends only on the arguments, so computing it twice does no harm.
        """
        if self.started_at is None:
            return self
        clock = self
        deadline = self.deadline_with(availability)
        if deadline != self.deadline:
            clock = replace(self, deadline=deadline, deadline_set_at=now)
            if self.reminder_at is None or self.reminder_at > now:  # else one is still to be sent
                # What is left now needs no reminder any more, unless one for more than that waits
                # for the end of a night.
                done = clock.left_for_reminders(availability, now=now)
                waiting = self.next_reminder(availability, now=now) if self.reminder_at else None
                if waiting is not None:
                    done = max(done, waiting.left + timedelta.resolution)
                clock = replace(clock, reminded=done)
        reminder = clock.next_reminder(availability, now=now)
        return replace(clock, reminder_at=reminder.at if reminder else None)

    def after_outage(
        self, began_at: datetime, availability: Availability, *, now: datetime
    ) -> Self:
        """Recompute after an outage; a reminder that was due before it began is still due."""
        clock = self.recomputed(availability, now=now)
        reminders = availability.reminders
        if self.reminder_at is None or self.reminder_at > now or reminders is None:
            return clock
        # A reminder that waited for the end of a night is rather sent early than never.
        if self.reminder_at <= began_at or reminders.night is not None:
            return replace(clock, reminder_at=self.reminder_at)
        return clock

    # Reminders -----------------------------------------------------------------------------------

    def next_reminder(self, availability: Availability, *, now: datetime) -> ReminderMark | None:
        """Return the next reminder, which may be due; None if there is none before the deadline."""
        deadline, reminders = self.deadline, availability.reminders
        if self.started_at is None or deadline is None or reminders is None:
            return None
        if self.snoozed_until is not None and self.snoozed_until < deadline:
            left = self.remaining(availability, now=self.snoozed_until)
            return ReminderMark(self.snoozed_until, left)

        grace = self.grace(availability)

        def instant_with(left: timedelta) -> datetime:
            if grace is not None and deadline - left >= grace.since:
                return deadline - left
            return self.instant_with(left, availability)

        done = self.reminded
        if done is None:
            done = self.left_for_reminders(availability, now=now)
        coming = Countdown(self.time_left, done, now, self.reminder_at, deadline, instant_with)
        nights = reminders.night.spans(self.started_at) if reminders.night else ()
        # No other mail tells a player who is back from a vacation what still waits for them.
        unasked = []
        if grace is not None and grace.is_after_vacation:
            unasked = [deadline - grace.since - timedelta.resolution]
        return next_reminder(coming, reminders.marks, nights, unasked)

    def left_for_reminders(self, availability: Availability, *, now: datetime) -> timedelta:
        """Return what is left until the deadline: of the turn's time, or of the grace."""
        left = self.remaining(availability, now=now)
        grace = self.grace(availability) if self.started_at is not None else None
        return max(left, grace.deadline - max(now, grace.since)) if grace else left

    def after_reminder(
        self, sent: ReminderMark, availability: Availability, *, now: datetime
    ) -> Self:
        """Return the clock after a reminder was sent, with the next one."""
        clock = replace(self, reminded=sent.left, reminder_at=None, snoozed_until=None)
        return clock.recomputed(availability, now=now)

    def snoozed(self, until: datetime, availability: Availability, *, now: datetime) -> Self:
        """Put the next reminder off; those that would come before it are dropped."""
        return replace(self, snoozed_until=until).recomputed(availability, now=now)

    # Stops ---------------------------------------------------------------------------------------

    def stopped(
        self, reason: str, *, wait: timedelta | None, availability: Availability, now: datetime
    ) -> Self:
        """Stop the clock and keep what is left; `wait=None` stops it until somebody resumes it.

        What was stretched by days off and quiet hours cannot be stretched again after a stop.
        """
        left = self.remaining(availability, now=now)
        if self.started_at is not None and now > self.started_at:
            elapsed = running_time(self.started_at, now, availability.without_week())
            left = min(left, max(NOTHING, self.time_left - elapsed / MOST_STRETCH))
        return replace(
            self,
            time_left=left,
            started_at=None,
            protected_at=None,
            deadline=None,
            reminder_at=None,
            stop_reason=reason,
            stopped_at=now,
            stopped_until=None if wait is None else now + wait,
            wait_remaining=wait,
            stopped_before_hold="",
        )

    def resumed(
        self,
        availability: Availability,
        *,
        now: datetime,
        time: timedelta | None = None,
        protected: bool = False,
    ) -> Self:
        """Let the clock run from now on with `time`, or with what was left (None).

        `protected`: not by an act of the player to move, so that the deadline is not soon.
        """
        clock = replace(
            self,
            time_left=self.time_left if time is None else time,
            started_at=now,
            protected_at=now if protected else None,
            deadline=None,
            reminder_at=None,
            snoozed_until=None,
            stop_reason="",
            stopped_at=None,
            stopped_until=None,
            wait_remaining=None,
            stopped_before_hold="",
        )
        return clock.recomputed(availability, now=now)

    def held(self, availability: Availability, *, now: datetime) -> Self:
        """Stop the clock until a moderator resumes it, and remember an earlier stop."""
        clock = self.stopped(StopReason.MODERATOR, wait=None, availability=availability, now=now)
        wait = self.wait_left(availability.outages, now=now)
        return replace(clock, stopped_before_hold=self.stop_reason, wait_remaining=wait)

    def released(self, *, now: datetime) -> Self:
        """Let the stop that a moderator's hold interrupted go on for as long as was left."""
        return self.stopped(
            self.stopped_before_hold,
            wait=self.wait_remaining,
            availability=Availability(),
            now=now,
        )

    def wait_left(self, outages: Iterable[Span], *, now: datetime) -> timedelta | None:
        """Return how long the clock remains stopped; None if that has no end, or if it runs."""
        if self.stopped_at is None or self.stopped_until is None or self.wait_remaining is None:
            return None
        if self.stop_reason == StopReason.PAUSED:  # no outage lengthens what was agreed on
            return max(NOTHING, self.stopped_until - now)
        return remaining_time(self.wait_remaining, self.stopped_at, now, outages)

    def with_wait_recomputed(self, outages: Iterable[Span]) -> Self:
        """Let a stop last longer by the outages since it began."""
        if self.stopped_at is None or self.wait_remaining is None:
            return self
        until = instant_after(self.stopped_at, self.wait_remaining, outages)
        return replace(self, stopped_until=until)


@lru_cache(maxsize=4096)
def longest_turn(time: timedelta, schedule: WeeklySchedule, year: int) -> timedelta:
    """Return the longest duration of a turn with `time` that begins in `year` (UTC).

    Vacations, outages and what players agree on come on top. A turn lasts longest if it begins
    together with a day off or quiet hours, so only these beginnings are tried: all of the year,
    because an hour more or less counts when the clocks are changed.
    """
    most = MOST_STRETCH * time
    begin, end = datetime(year, 1, 1, tzinfo=UTC), datetime(year + 1, 1, 1, tzinfo=UTC)
    all_spans = merge_spans(schedule.spans(begin))
    spans = list(takewhile(lambda span: span.start < end + most, all_spans))
    gaps = (after.start - before.end for before, after in pairwise(spans))
    run = list(accumulate(gaps, initial=NOTHING))  # since the first span, until each begins
    longest = time
    for first, span in enumerate(spans):
        if span.start >= end or longest >= most:
            break
        last = bisect_right(run, run[first] + time) - 1
        deadline = spans[last].end + time - (run[last] - run[first])
        longest = max(longest, min(deadline - span.start, most))
    return longest
