"""When a player's time does not run: read from their week, their vacations and the outages."""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, time, timedelta

from django.db.models import Q

from accounts.models import User, Vacation
from games.clock.spans import Span, merge_spans
from games.clock.weekly_schedule import WeeklySchedule
from games.models import Game, Heartbeat, Outage

SIGN_OF_LIFE = timedelta(minutes=5)
"""A gap between two signs of life of this service that is longer counts for nobody."""

NIGHT = (time(22), time(8))
"""Whoever wants no reminders at night and has no quiet hours sleeps then."""


def absence_at(game: Game, player: User | None, now: datetime) -> Callable[[], Iterator[Span]]:
    """Return how to list, from when the game's clock was last started, when it did or will stand.

    What lasts still ends `now`, for now.
    """
    since = game.clock_since or now
    week = WeeklySchedule.from_data(game.rhythm)
    vacations = _vacations(player, since) if player and game.allows_vacations else []
    down = list(down_since(since, now))
    return lambda: merge_spans(week.spans(since), vacations, down)


def schedule_of(player: User) -> WeeklySchedule:
    """Return a player's days off and quiet hours as they are now."""
    days = frozenset(player.days_off)
    return WeeklySchedule(player.zone.key, days, player.quiet_from, player.quiet_until)


def nights_of(player: User, now: datetime) -> Iterable[Span]:
    """Yield when a player wants no reminders."""
    if player.reminders_at_night:
        return ()
    quiet = (player.quiet_from, player.quiet_until)
    start, end = NIGHT if None in quiet else quiet
    return WeeklySchedule(player.zone.key, frozenset(), start, end).spans(now)


def down_since(since: datetime, now: datetime) -> Iterator[Span]:
    """Yield when this service was down or closed since then, in order and apart."""
    return merge_spans(sorted([*_outages(since, now), *_unnoted(now)]))


def _vacations(player: User, since: datetime) -> list[Span]:
    found = Vacation.objects.filter(user=player, ends_at__gt=since).order_by("begins_at")
    return [Span(*times) for times in found.values_list("begins_at", "ends_at")]


def _outages(since: datetime, now: datetime) -> list[Span]:
    found = Outage.objects.filter(Q(ended_at__gt=since) | Q(ended_at=None))
    times = found.values_list("began_at", "ended_at")
    return [Span(began, ended or now) for began, ended in times]


def _unnoted(now: datetime) -> list[Span]:
    """Return the gap since the last sign of life: a sweep may come before it is noted."""
    last = Heartbeat.objects.values_list("at", flat=True).first()
    return [Span(last, now)] if last is not None and now - last > SIGN_OF_LIFE else []
