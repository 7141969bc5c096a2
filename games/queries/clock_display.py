"""What time each player of a running game has, and why the clock stands: for pages and mails."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from accounts.models import User, Vacation
from games.clock.durations import span_in_words
from games.clock.spans import NOTHING, Span, merge_spans, remaining_time
from games.clock.weekly_schedule import WeeklySchedule
from games.models import Game, Outage, Seat
from games.services.clock.time_off import absence_at


@dataclass(frozen=True)
class StoppedClock:
    """Why nobody's time runs: a `Game.Stop`, or "vacation", "day-off", both, or "outage".

    `until` is None where nobody knows; `name` is who is to move, empty while nobody is.
    """

    why: str
    until: datetime | None
    name: str

    @property
    def sentence(self) -> str:
        """Why, in the active language."""
        return _WHY[self.why]() % {"name": self.name}


_WHY = {
    Game.Stop.PAUSED: lambda: _("The players agreed on a pause."),
    Game.Stop.UNDELIVERED: lambda: _(
        "No mail reaches %(name)s. All of the turn’s time begins anew when they come by."
    ),
    Game.Stop.SUBSTITUTE: lambda: _("A seat waits for somebody to take it over."),
    Game.Stop.MODERATOR: lambda: _("A moderator looks into this game."),
    "vacation": lambda: _("%(name)s is on vacation."),
    "vacation-and-days-off": lambda: _(
        "%(name)s has a vacation, and days off or quiet hours before or after it."
    ),
    "day-off": lambda: _("%(name)s has a day off or quiet hours."),
    "outage": lambda: _("This service is down, or closed for maintenance."),
}


@dataclass(frozen=True)
class SeatTime:
    """What a seat has: what is left of its turn, or what it begins its next one with."""

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


@dataclass(frozen=True)
class ClockView:
    """The times of all who play, in the order of the seats, and whether the clock stands.

    `stands_ahead`: it will before the deadline, which is further away than the time that is left.
    """

    seats: tuple[SeatTime, ...]
    deadline: datetime | None
    standing: StoppedClock | None
    stands_ahead: bool

    @property
    def remark(self) -> str:
        """Why the deadline is further away than what is left, in the active language."""
        if not self.stands_ahead:
            return ""
        return _(
            "The clock will stop at times before the deadline: days off, quiet hours or a vacation."
        )


def times_of(game: Game, *, now: datetime) -> ClockView | None:
    """Return the times of a running game whose people are loaded; None for any other.

    Asks the database the same few questions whatever the number of seats.
    """
    if game.status != Game.Status.ACTIVE:
        return None
    seats = list(game.seats.all())
    mover = next(seat for seat in seats if seat.number == game.seat_to_move)
    left, standing = _of_mover(game, mover.player, now)
    times = tuple(
        SeatTime(seat, left if seat is mover else seat.time_left, seat is mover)
        for seat in seats
        if seat.left_at is None or seat.stand_in is not None
    )
    return ClockView(times, game.deadline, standing, _stands_ahead(game, left, standing, now))


def _stands_ahead(
    game: Game, left: timedelta, standing: StoppedClock | None, now: datetime
) -> bool:
    runs_from = standing.until if standing else now
    if game.deadline is None or runs_from is None:
        return False
    return game.deadline - runs_from > left


def _of_mover(
    game: Game, player: User | None, now: datetime
) -> tuple[timedelta, StoppedClock | None]:
    """Return what the seat to move has left, and why its time does not run now."""
    name = str(player or "")
    time = game.time_left or NOTHING
    if game.clock_since is None:
        return time, StoppedClock(game.stopped_for, game.stopped_until, name)
    away = absence_at(game, player, now)
    left = remaining_time(time, game.clock_since, now, away())
    here = next((span for span in away() if span.end >= now), None)
    if here is None or here.start > now:
        return left, None
    if here.end > now:
        return left, StoppedClock(_why_away(game, player, here.end, now), here.end, name)
    # What lasts still was counted up to now; it may have ended just now, too.
    lasts = Outage.objects.filter(ended_at=None, began_at__lte=now).exists()
    return left, StoppedClock("outage", None, name) if lasts else None


def _why_away(game: Game, player: User | None, until: datetime, now: datetime) -> str:
    """Return why the time of somebody who is away now does not run until then."""
    off = next(iter(WeeklySchedule.from_data(game.rhythm).spans(now)), None)
    is_off = off is not None and off.start <= now
    vacations = Vacation.objects.filter(user=player, begins_at__lt=until, ends_at__gt=now)
    found = vacations.values_list("begins_at", "ends_at") if game.allows_vacations else []
    times = [Span(*time) for time in found]
    if not times:
        return "day-off" if is_off else "outage"
    whole = next(merge_spans(sorted(times)))
    return "vacation" if whole.start <= now and whole.end >= until else "vacation-and-days-off"
