"""A player's vacation days of a calendar year, and the vacation that begins by itself."""

from collections import Counter
from datetime import datetime, timedelta

from django.conf import settings

from accounts.models import User, Vacation
from games.clock.calendar_days import days_by_year, days_later
from games.models import Event, Game
from games.services import wakeups
from games.services.events import record_event

LONGEST_AUTOMATIC = 7
"""Days of one vacation that begins by itself."""


def vacation_allowance() -> timedelta:
    """Return how much vacation a player has in a calendar year."""
    return timedelta(days=settings.VACATION_DAYS_A_YEAR)


def vacation_used(user: User) -> dict[int, timedelta]:
    """Return how much vacation a player has taken or announced, by calendar year."""
    total: Counter[int] = Counter()
    for vacation in Vacation.objects.filter(user=user):
        parts = days_by_year(vacation.begins_at, vacation.ends_at, vacation.zone)
        total.update({year: part // timedelta.resolution for year, part in parts.items()})
    return {year: count * timedelta.resolution for year, count in total.items()}


def overdrawn_year(
    user: User, begins_at: datetime, ends_at: datetime
) -> tuple[int, timedelta] | None:
    """Return the first year that has too little left for one more vacation, and what it has."""
    used = vacation_used(user)
    for year, part in days_by_year(begins_at, ends_at, user.zone.key).items():
        left = max(timedelta(), vacation_allowance() - used.get(year, timedelta()))
        if part > left:
            return year, left
    return None


def begin_automatic_vacation(game: Game, player: User, *, now: datetime) -> bool:
    """Begin a vacation at the deadline of a locked game; tell whether one could begin.

    `player` is to move, and their row is locked. The vacation ends as late as the year's days
    allow, and before the next vacation; at least one day must be left.
    """
    begins_at = game.deadline
    if begins_at is None or not (player.automatic_vacation and game.allows_vacations):
        return False
    later = Vacation.objects.filter(user=player, ends_at__gt=begins_at).order_by("begins_at")
    following = later.values_list("begins_at", flat=True).first()
    if following is not None and following <= begins_at:
        return False  # away already: that did not save the game
    for days in range(LONGEST_AUTOMATIC, 0, -1):
        ends_at = days_later(begins_at, days, player.zone.key)
        if following is not None:
            ends_at = min(ends_at, following)
        if overdrawn_year(player, begins_at, ends_at) is None:
            break
    else:
        return False
    # The player's other games are recomputed by a periodic task.
    player.mark_clocks_changed(now)
    player.save(update_fields=["clocks_changed_at"])
    wakeups.notify_workers("clocks")
    vacation = Vacation.objects.create(
        user=player,
        begins_at=begins_at,
        ends_at=ends_at,
        announced_at=now,
        zone=player.zone.key,
        is_automatic=True,
    )
    details: dict[str, object] = {"vacation": vacation.pk, "until": ends_at.isoformat()}
    record_event(game, Event.Kind.VACATION_BEGUN, now=now, details=details)
    return True
