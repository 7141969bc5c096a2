"""What of the games moderators should look at: counted once a day, for their digest."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import F, Q

from accounts.models import User
from games.clock.clock import StopReason
from games.models import Game, Outage, Report, Seat
from games.services.maintenance import is_closed

DAY = timedelta(days=1)

LONG = timedelta(days=14)
"""A clock that stands so long deserves a look."""

USUAL_DAYS = 30
"""Over how many days before the last one the usual number of time-outs is taken."""

TIMES_THE_USUAL, FEWEST = 3, 10
"""More time-outs in a day than so many times the usual, and at least so many, are unusual."""

MANY_OF_ONE = 5
"""So many time-outs of one person in a day are unusual."""


@dataclass(frozen=True)
class Upkeep:
    """How things stand.

    `late_games` should have ended their turn a day ago (none while all clocks stand).
    `usual_timeouts` is the daily mean of the days before the last one.
    """

    open_reports: int
    oldest_report: datetime | None
    held_games: int
    long_stopped_games: int
    late_games: int
    timeouts: int
    usual_timeouts: float
    out_of_time: tuple[tuple[str, int], ...]
    outages: tuple[Outage, ...]

    @property
    def is_unusual(self) -> bool:
        """Whether more ran out of time in the last day than do."""
        return self.timeouts >= FEWEST and self.timeouts > TIMES_THE_USUAL * self.usual_timeouts


def upkeep(now: datetime) -> Upkeep:
    """Return what moderators should look at; every count goes through an index."""
    waiting = Report.objects.filter(state__in=[Report.State.OPEN, Report.State.TAKEN])
    made = list(waiting.order_by("made_at").values_list("made_at", flat=True))
    losers = _losers(now - DAY, now)
    before = len(_losers(now - DAY * (USUAL_DAYS + 1), now - DAY))
    return Upkeep(
        open_reports=len(made),
        oldest_report=made[0] if made else None,
        held_games=Game.objects.filter(stop_reason=StopReason.MODERATOR).count(),
        long_stopped_games=Game.objects.filter(stopped_at__lt=now - LONG).count(),
        late_games=0 if is_closed() else Game.objects.filter(deadline__lt=now - DAY).count(),
        timeouts=len(losers),
        usual_timeouts=before / USUAL_DAYS,
        out_of_time=_often(losers),
        outages=tuple(_outages(now)),
    )


def _losers(since: datetime, until: datetime) -> list[int]:
    """Return who ran out of time after `since`, up to `until`: somebody twice if it was twice."""
    with_two = Seat.objects.filter(
        game__ending=Game.Ending.TIMEOUT,
        game__status=Game.Status.FINISHED,
        game__ended_at__gt=since,
        game__ended_at__lte=until,
        place=2,
        left_at=None,
    )
    with_more = Seat.objects.filter(
        left_because=Game.Ending.TIMEOUT, left_at__gt=since, left_at__lte=until
    )
    found = [*with_two.values_list("user", flat=True), *with_more.values_list("user", flat=True)]
    return [user for user in found if user is not None]


def _often(losers: list[int]) -> tuple[tuple[str, int], ...]:
    """Return the user names of who ran out of time often, with how often, most often first."""
    many = {user: count for user, count in Counter(losers).items() if count >= MANY_OF_ONE}
    names = User.objects.in_bulk(many)
    found = [(names[user].username, count) for user, count in many.items()]
    return tuple(sorted(found, key=lambda one: (-one[1], one[0])))


def _outages(now: datetime) -> list[Outage]:
    """Return the outages that last, or ended or were noted in the last day."""
    lately = Q(ended_at=None) | Q(ended_at__gt=now - DAY) | Q(noted_at__gt=now - DAY)
    return list(Outage.objects.filter(lately).order_by(F("began_at").asc(), "pk"))
