"""When a player is reminded of a turn. Pure."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

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

    Reminders for `done` or more left are done with. `coming` is the next one as it was computed
    before, overdue if it is not after `now`. `moment_with(time)` is the instant at which so much
    time is left.
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
    """The moment to remind somebody; with it all reminders for `left` or more are done with."""

    at: datetime
    left: timedelta


def time_left_at(mark: str, allotted: timedelta) -> timedelta:
    """Return how much time is left at a mark: "quarter" of what there was, or "24h". ValueError."""
    if mark == QUARTER:
        return allotted / 4
    if not mark.endswith("h") or int(mark[:-1]) not in HOURS:
        raise ValueError(mark)
    return timedelta(hours=int(mark[:-1]))


def next_reminder(
    countdown: Countdown, marks: Iterable[str], nights: Iterable[Span] = ()
) -> ReminderMark | None:
    """Return the next reminder, None when there is none; it is due when it is not after now.

    A mark that falls into a night, or just before it, is moved before it, or where that is past
    behind it. There is none at the deadline or later, and never one in a night. What is past when
    it is first chosen is no reminder. Of marks that come together the lowest counts: it is one.
    """
    quiet = _until(max(countdown.deadline, countdown.now), nights)
    times = {time_left_at(mark, countdown.allotted) for mark in marks}
    coming = [
        ReminderMark(_awake(countdown.moment_with(time), countdown.unsent, quiet), time)
        for time in times
        if time < countdown.done
    ]
    if not any(night.end == countdown.coming for night in quiet):  # what waits there is overdue
        coming = [reminder for reminder in coming if reminder.at >= countdown.unsent]
    if not coming:
        return None
    at = _made_up(min(coming).at, countdown.now, quiet)
    if at >= countdown.deadline:
        return None
    together = max(at, countdown.now)
    return ReminderMark(at, min(reminder.left for reminder in coming if reminder.at <= together))


def _made_up(moment: datetime, now: datetime, nights: Sequence[Span]) -> datetime:
    """Return the moment, or where it is overdue in a night when that is over."""
    if moment > now:
        return moment
    return next((night.end for night in nights if night.start <= now < night.end), moment)


def _until(end: datetime, spans: Iterable[Span]) -> Sequence[Span]:
    found = []
    for span in spans:
        if span.start > end:
            break
        found.append(span)
    return found


def _awake(moment: datetime, since: datetime, nights: Sequence[Span]) -> datetime:
    for night in nights:
        if night.start - BEFORE_NIGHT < moment < night.end:
            early = night.start - BEFORE_NIGHT
            if early >= since:
                return early
            return moment if moment < night.start else night.end
    return moment
