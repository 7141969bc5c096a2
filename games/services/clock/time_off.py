"""Reading when a player's time does not run: their week, their vacations, and outages."""

from collections.abc import Iterator
from datetime import datetime, time, timedelta

from django.db.models import Q

from accounts.models import User, Vacation
from games.clock.clock import Availability, ReminderSettings
from games.clock.spans import Span, merge_spans
from games.clock.weekly_schedule import WeeklySchedule
from games.models import Game, Heartbeat, Outage

LONGEST_SILENCE = timedelta(minutes=5)
"""Two heartbeats of this service that are further apart have an outage between them."""

NIGHT = (time(22), time(8))
"""When a player without quiet hours gets no reminders, if they want none at night."""


def availability_of(game: Game, player: User | None, now: datetime) -> Availability:
    """Return what the clock of a game depends on, where `player` is to move."""
    since = game.clock_started_at or game.stopped_at or now
    vacations: list[Span] = []
    if player is not None and game.allows_vacations:
        found = Vacation.objects.filter(user=player, ends_at__gt=since).order_by("begins_at")
        vacations = [Span(*times) for times in found.values_list("begins_at", "ends_at")]
    reminders = None
    if player is not None and not player.is_bot:
        night = None
        if not player.reminders_at_night:
            quiet = (player.quiet_from, player.quiet_until)
            hours = NIGHT if None in quiet else quiet
            night = WeeklySchedule(player.zone.key, frozenset(), *hours)
        reminders = ReminderSettings(tuple(player.reminders), night)
    return Availability(tuple(vacations), tuple(outages_since(since, now)), reminders)


def schedule_of(player: User) -> WeeklySchedule:
    """Return a player's days off and quiet hours as they are now."""
    days = frozenset(player.days_off)
    return WeeklySchedule(player.zone.key, days, player.quiet_from, player.quiet_until)


def outages_since(since: datetime, now: datetime) -> Iterator[Span]:
    """Yield when this service was down or closed since then; what is still going on ends now."""
    found = Outage.objects.filter(Q(ended_at__gt=since) | Q(ended_at=None))
    times = found.values_list("began_at", "ended_at")
    spans = [Span(began, ended or now) for began, ended in times]
    # A periodic task may come before the gap since the last heartbeat is recorded.
    last = Heartbeat.objects.values_list("at", flat=True).first()
    if last is not None and now - last > LONGEST_SILENCE:
        spans.append(Span(last, now))
    return merge_spans(sorted(spans))
