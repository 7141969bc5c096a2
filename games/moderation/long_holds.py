"""A moderator's pause that nobody ended: it ends by itself, so that no game is lost for good."""

from datetime import datetime

from django.conf import settings
from django.db import transaction

from games.clock.clock import StopReason
from games.models import Event, Game
from games.moderation.game_actions import release
from games.services.batches import process_due_rows
from games.services.clock.outages import record_gap
from games.services.locking import free_game
from games.services.site_status import is_closed


def end_long_holds(*, now: datetime) -> int:
    """End the moderators' pauses that lasted LONGEST_HOLD; return how many this call ended.

    The game goes on as if a moderator had resumed it, and its players are told if its clock runs.
    While the site is closed for maintenance none ends.
    """
    record_gap(now=now)
    if is_closed():
        return 0
    due = Game.objects.held_since(now - settings.LONGEST_HOLD)

    @transaction.atomic
    def end_hold(game_id: int) -> bool:
        game = free_game(game_id)
        if game is None or not due.filter(pk=game_id).exists():
            return False  # another run or a moderator came first
        release(game, now=now)
        if not game.stop_reason:
            details: dict[str, object] = {"why": str(StopReason.MODERATOR)}
            game.record_event(Event.Kind.CLOCK_STARTED, now=now, details=details)
        return True

    return process_due_rows(due, "stopped_at", end_hold)
