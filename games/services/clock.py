"""The rounds of the clock: reminding who runs low on time, ending what ran out of it."""

from datetime import datetime

from django.db import transaction

from games.clock import is_late
from games.models import Event, Game
from games.services.endings import end_on_time
from games.services.events import record_event
from games.services.locking import locked_game
from games.services.sweeping import sweep

BATCH = 200
"""How many due games one round of a sweep takes up."""


def time_out_due(*, now: datetime) -> int:
    """End the running games whose deadline has passed; return how many this call ended."""
    due = Game.objects.filter(deadline__lt=now).order_by("deadline").values_list("pk", flat=True)
    return sweep(due[:BATCH], lambda game_id: _time_out(game_id, now))


@transaction.atomic
def _time_out(game_id: int, now: datetime) -> bool:
    game = Game.objects.select_for_update(skip_locked=True).filter(pk=game_id).first()
    if game is None or game.deadline is None or not is_late(game.deadline, now):
        return False  # another sweep, or the player's turn, came first
    end_on_time(game, now=now)
    return True


def remind_due(*, now: datetime) -> int:
    """Write the reminders that are due; return how many this call wrote."""
    due = Game.objects.filter(reminder_at__lte=now).order_by("reminder_at")
    ids = due.values_list("pk", flat=True)[:BATCH]
    return sweep(ids, lambda game_id: _remind(game_id, now))


@transaction.atomic
def _remind(game_id: int, now: datetime) -> bool:
    game = locked_game(game_id)
    if game.reminder_at is None or game.reminder_at > now:
        return False
    game.reminder_at = None
    game.save(update_fields=["reminder_at"])
    if game.deadline is None or is_late(game.deadline, now):
        return False
    record_event(game, Event.Kind.REMINDER_DUE, now=now)
    return True
