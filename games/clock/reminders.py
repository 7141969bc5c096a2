"""When a player is reminded of a turn."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import takewhile

from games.clock.spans import Span

MOST_MARKS = 5
QUARTER = "quarter"
HOURS = (1, 3, 6, 12, 24, 48, 72)
"""The hours before the deadline that a player may choose from."""

BEFORE_NIGHT = timedelta(minutes=15)
"""How long before a night the reminders come that would fall into it."""


@dataclass(frozen=True)
class Countdown:
    """A turn's time: `allotted` in all, running out at `deadline`.

    Reminders for `done` or more left are done. `coming` is the next one as it was computed before,
    overdue if it is not after `now`. `moment_with(time)` is the instant at which so much time is
    left.
    """

    allotted: timedelta
    done: timedelta
    now: datetime
    coming: datetime | None
    deadline: datetime
    moment_with: Callable[[timedelta], datetime]

    @property
    def unsent(self) -> datetime:
        """The moment before which every reminder was sent."""
        return min(self.now, self.coming or self.now)


@dataclass(frozen=True, order=True)
class ReminderMark:
    """The moment of a reminder; once it is sent, all reminders for `left` or more are done."""

    at: datetime
    left: timedelta


def time_left_at(mark: str, allotted: timedelta) -> timedelta:
    """Return how much time is left at a mark: "quarter" of `allotted`, or "24h".

    Raises ValueError for any other mark.
    """
    if mark == QUARTER:
        return allotted / 4
    if not mark.endswith("h") or int(mark[:-1]) not in HOURS:
        raise ValueError(mark)
    return timedelta(hours=int(mark[:-1]))


def next_reminder(
    countdown: Countdown,
    marks: Iterable[str],
    nights: Iterable[Span] = (),
    unasked: Iterable[timedelta] = (),
) -> ReminderMark | None:
    """Return the next reminder, None if there is none; it is due if it is not after now.

    `unasked` are lengths of time left at which there is one that the player did not choose.

    A mark that falls into a night, or just before it, is moved before it, or behind it if that is
    past. There is none at the deadline or later, and never one in a night. A mark that is past when
    it is first chosen is no reminder. Of marks that come together the lowest counts: it is one.
    """
    now, deadline, unsent = countdown.now, countdown.deadline, countdown.unsent
    nights = list(takewhile(lambda night: night.start <= max(deadline, now), nights))

    def outside_of_nights(moment: datetime) -> datetime:
        for night in nights:
            early = night.start - BEFORE_NIGHT
            if early < moment < night.end:
                if early >= unsent:
                    return early
                return moment if moment < night.start else night.end
        return moment

    times = {time_left_at(mark, countdown.allotted) for mark in marks} | set(unasked)
    coming = [
        ReminderMark(outside_of_nights(countdown.moment_with(time)), time)
        for time in times
        if time < countdown.done
    ]
    if not any(night.end == countdown.coming for night in nights):
        # Otherwise a reminder waits for the end of a night: it is overdue, not past.
        coming = [reminder for reminder in coming if reminder.at >= unsent]
    if not coming:
        return None
    at = min(coming).at
    if at <= now:  # overdue: if it is night, it comes when the night is over
        at = next((night.end for night in nights if night.start <= now < night.end), at)
    if at >= deadline:
        return None
    together = max(at, now)
    return ReminderMark(at, min(reminder.left for reminder in coming if reminder.at <= together))
