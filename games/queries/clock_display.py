"""The time of each player of a running game, and why its clock is stopped: for pages and mails."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from accounts.models import Vacation
from games.clock.clock import Grace, StopReason
from games.clock.durations import largest_unit_in_words, span_in_words
from games.clock.spans import NOTHING, Span, merge_spans
from games.models import Game, Outage, Seat
from games.services.clock.game_clock import interruptions_of
from games.services.clock.interruptions import Interruptions


@dataclass(frozen=True)
class StoppedClock:
    """Why no time runs: `why` is a `StopReason`, or a key of `SENTENCES` for time off.

    `until` is None if that is not known. `name` is the player to move, empty if there is none.
    """

    why: str
    until: datetime | None
    name: str

    @property
    def sentence(self) -> str:
        """The reason in the active language."""
        return SENTENCES[self.why]() % {"name": self.name}


SENTENCES = {
    StopReason.PAUSED: lambda: _("The players agreed on a pause."),
    StopReason.UNDELIVERED: lambda: _(
        "No mail reaches %(name)s. Their time resumes when they visit; they have at least a day "
        "then."
    ),
    StopReason.SUBSTITUTE: lambda: _("A seat waits for somebody to take it over."),
    StopReason.MODERATOR: lambda: _("A moderator looks into this game."),
    "vacation": lambda: _("%(name)s is on vacation."),
    "vacation-and-days-off": lambda: _(
        "%(name)s has a vacation, and days off or quiet hours before or after it."
    ),
    "day-off": lambda: _("%(name)s has a day off or quiet hours."),
    "outage": lambda: _("This service is down, or closed for maintenance."),
}


@dataclass(frozen=True)
class SeatTime:
    """A seat and what is left of its turn, or what it has for its next one."""

    seat: Seat
    left: timedelta
    to_move: bool

    @property
    def is_over(self) -> bool:
        """Whether there is none: "no time left" is no length of time in every language."""
        return self.left <= NOTHING

    @property
    def words(self) -> str:
        """The time in words, in the active language."""
        return span_in_words(self.left)

    @property
    def largest_unit(self) -> str:
        """The time in its largest unit, rounded down, in the active language."""
        return largest_unit_in_words(self.left)


@dataclass(frozen=True)
class ClockView:
    """The times of all players, in the order of the seats, and whether the clock is stopped.

    `will_stop`: it will be stopped before the deadline, which is later than the time that is left.
    `grace` is set if the deadline is later because the clock was started a short while ago.
    `is_stretched`: days off and quiet hours have doubled the time, so that the deadline comes
    before the time that is left runs out.
    """

    seats: tuple[SeatTime, ...]
    deadline: datetime | None
    stopped: StoppedClock | None
    will_stop: bool
    grace: Grace | None = None
    is_stretched: bool = False

    @property
    def remark(self) -> str:
        """Why the deadline is later than what is left, in the active language."""
        if self.grace is not None:
            return _(
                "After a vacation, an outage or a stop that somebody else ended, a player has some "
                "time before the deadline, whatever was left."
            )
        if self.is_stretched:
            return _("Days off and quiet hours let a turn last at most twice its time.")
        if not self.will_stop:
            return ""
        return _(
            "The clock will stop at times before the deadline: days off, quiet hours or a vacation."
        )


def clock_view(
    game: Game, *, now: datetime, interruptions: Interruptions | None = None
) -> ClockView | None:
    """Return the times of a running game whose seats and players are loaded; None for any other.

    The number of queries does not depend on the number of seats. `interruptions` of the game are
    read if they are not given.
    """
    if game.status != Game.Status.ACTIVE:
        return None
    clock = game.clock
    seats = game.all_seats
    mover = next(seat for seat in seats if seat.number == clock.seat_to_move)
    name = str(mover.player or "")
    if clock.started_at is None:
        left, grace = clock.time_left, None
        stopped: StoppedClock | None = StoppedClock(clock.stop_reason, clock.stopped_until, name)
    else:
        player = mover.player
        interruptions = interruptions or interruptions_of(game, player, now=now)
        availability = interruptions.availability_of(game, player, now)
        left, grace = clock.remaining(availability, now=now), clock.grace(availability)
        absence = next((span for span in clock.time_off(availability) if span.end >= now), None)
        stopped = None
        if absence is not None and absence.start <= now < absence.end:
            why = _reason_for_absence(game, mover, absence.end, now)
            stopped = StoppedClock(why, absence.end, name)
        # An outage that is still going on was counted up to now; anything else has just ended.
        elif (
            absence is not None
            and absence.end == now
            and Outage.objects.filter(ended_at=None, began_at__lte=now).exists()
        ):
            stopped = StoppedClock("outage", None, name)
    runs_from = stopped.until if stopped else now
    will_stop = False
    if clock.deadline is not None and runs_from is not None:
        will_stop = (grace.without if grace else clock.deadline) - runs_from > left
    is_stretched = bool(clock.deadline and clock.deadline - now < left)
    times = tuple(
        SeatTime(seat, left if seat is mover else seat.time_left, seat is mover)
        for seat in seats
        if seat.left_at is None or seat.played_by_partner is not None
    )
    return ClockView(times, clock.deadline, stopped, will_stop, grace, is_stretched)


def _reason_for_absence(game: Game, seat: Seat, until: datetime, now: datetime) -> str:
    """Return a key of SENTENCES: why the time of a player who is away does not run until then."""
    day_off = next(iter(game.clock.weekly_schedule.spans(now)), None)
    vacations = Vacation.objects.filter(user=seat.player, begins_at__lt=until, ends_at__gt=now)
    found = vacations.values_list("begins_at", "ends_at") if game.allows_vacations else []
    times = sorted(Span(*time) for time in found)
    if not times:
        return "day-off" if day_off is not None and day_off.start <= now else "outage"
    whole = next(merge_spans(times))
    return "vacation" if whole.start <= now and whole.end >= until else "vacation-and-days-off"
