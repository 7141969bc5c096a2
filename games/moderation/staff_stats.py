"""What moderators should look at in the games, counted once a day for their digest."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import F, Q

from accounts.models import User
from games.clock.clock import StopReason
from games.models import Ending, Game, Outage, Report, Seat
from games.models.report import WAITING
from games.services.site_status import is_closed

DAY = timedelta(days=1)

LONG = timedelta(days=14)
"""A clock that has been stopped for so long should be looked at."""

HOLD_WARNING = timedelta(days=3)
"""How long before a moderator's pause ends by itself the moderators are told."""

USUAL_DAYS = 30
"""The usual number of time-outs is the mean of so many days before the last one."""

TIMES_THE_USUAL, FEWEST = 3, 10
"""More time-outs in a day than so many times the usual, and at least so many, are unusual."""

MANY_OF_ONE = 5
"""So many time-outs of one person in a day are unusual."""


@dataclass(frozen=True)
class StaffStats:
    """Counts and outages for the staff digest.

    `ending_holds` are pauses that end by themselves within HOLD_WARNING. `late_games` should have
    ended their turn a day ago (0 during maintenance). `out_of_time` has user names with their
    time-outs of the last day, the most first. `usual_timeouts` is the daily mean of the days
    before.
    """

    open_reports: int
    oldest_report: datetime | None
    held_games: int
    ending_holds: int
    long_stopped_games: int
    late_games: int
    timeouts: int
    usual_timeouts: float
    out_of_time: tuple[tuple[str, int], ...]
    outages: tuple[Outage, ...]

    @property
    def is_unusual(self) -> bool:
        """Whether there were far more time-outs in the last day than usual."""
        return self.timeouts >= FEWEST and self.timeouts > TIMES_THE_USUAL * self.usual_timeouts


def staff_stats(now: datetime) -> StaffStats:
    """Count what moderators should look at. Every count uses an index."""
    waiting = Report.objects.filter(state__in=WAITING)
    made = list(waiting.order_by("made_at").values_list("made_at", flat=True))
    losers = _out_of_time(now - DAY, now)
    before = len(_out_of_time(now - DAY * (USUAL_DAYS + 1), now - DAY))
    often = {user: count for user, count in Counter(losers).items() if count >= MANY_OF_ONE}
    names = User.objects.in_bulk(often)
    out_of_time = [(names[user].username, count) for user, count in often.items()]
    recent = Q(ended_at=None) | Q(ended_at__gt=now - DAY) | Q(noted_at__gt=now - DAY)
    return StaffStats(
        open_reports=len(made),
        oldest_report=made[0] if made else None,
        held_games=Game.objects.filter(stop_reason=StopReason.MODERATOR).count(),
        ending_holds=Game.objects.held_since(now - settings.LONGEST_HOLD + HOLD_WARNING).count(),
        long_stopped_games=Game.objects.filter(stopped_at__lt=now - LONG).count(),
        late_games=0 if is_closed() else Game.objects.filter(deadline__lt=now - DAY).count(),
        timeouts=len(losers),
        usual_timeouts=before / USUAL_DAYS,
        out_of_time=tuple(sorted(out_of_time, key=lambda one: (-one[1], one[0]))),
        outages=tuple(Outage.objects.filter(recent).order_by(F("began_at").asc(), "pk")),
    )


def _out_of_time(since: datetime, until: datetime) -> list[int]:
    """Return the keys of users who ran out of time after `since` and up to `until`.

    A user is listed once for each time-out.
    """
    with_two = Seat.objects.filter(
        game__ending=Ending.TIMEOUT,
        game__status=Game.Status.FINISHED,
        game__ended_at__gt=since,
        game__ended_at__lte=until,
        place=2,
        left_at=None,
    )
    with_more = Seat.objects.filter(
        left_because=Ending.TIMEOUT, left_at__gt=since, left_at__lte=until
    )
    found = [*with_two.values_list("user", flat=True), *with_more.values_list("user", flat=True)]
    return [user for user in found if user is not None]
