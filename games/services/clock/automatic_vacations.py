"""The vacation that begins by itself when a game would be lost on time, for who wants that."""

from datetime import datetime

from accounts.models import User, Vacation
from games.clock.calendar_days import days_later
from games.models import Event, Game
from games.services import wakeups
from games.services.clock.vacation_days import overdrawn
from games.services.events import record_event

LONGEST = 7
"""Days of one vacation that begins by itself."""


def begin_vacation(game: Game, player: User, *, now: datetime) -> bool:
    """Begin a vacation at the deadline of a locked game; tell whether one could begin.

    `player`, to move, has their row locked. Needs a day of the year's budget.
    """
    begins_at = game.deadline
    if begins_at is None or not (player.automatic_vacation and game.allows_vacations):
        return False
    ends_at = _end(player, begins_at)
    if ends_at is None:
        return False
    vacation = _begin(player, begins_at, ends_at, now)
    details: dict[str, object] = {"vacation": vacation.pk, "until": ends_at.isoformat()}
    record_event(game, Event.Kind.VACATION_BEGUN, now=now, details=details)
    return True


def _begin(player: User, begins_at: datetime, ends_at: datetime, now: datetime) -> Vacation:
    """Write the vacation; a round counts the other games of the player."""
    player.ask_to_count_clocks(now)
    player.save(update_fields=["clocks_changed_at"])
    wakeups.notify_workers("clocks")
    return Vacation.objects.create(
        user=player,
        begins_at=begins_at,
        ends_at=ends_at,
        announced_at=now,
        zone=player.zone.key,
        is_automatic=True,
    )


def _end(player: User, begins_at: datetime) -> datetime | None:
    """Return when it ends: as late as the budget allows, and before the next vacation."""
    later = Vacation.objects.filter(user=player, ends_at__gt=begins_at).order_by("begins_at")
    following = later.values_list("begins_at", flat=True).first()
    if following is not None and following <= begins_at:
        return None  # away already: that did not save the game
    for days in range(LONGEST, 0, -1):
        ends_at = days_later(begins_at, days, player.zone.key)
        if following is not None:
            ends_at = min(ends_at, following)
        if overdrawn(player, begins_at, ends_at) is None:
            return ends_at
    return None
