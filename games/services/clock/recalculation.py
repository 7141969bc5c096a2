"""Recomputing the deadlines of a player's turns after their time off has changed."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.models import Game
from games.models.game import CLOCK_COLUMNS
from games.services.batches import process_due_rows, process_rows
from games.services.clock.game_clock import mover, recompute_deadline
from games.services.locking import free_game


def recount_due(*, now: datetime) -> int:
    """Recompute the games of every player whose time off has changed; return how many players."""
    changed = User.objects.filter(clocks_changed_at__isnull=False)
    return process_due_rows(changed, "clocks_changed_at", lambda user_id: recount(user_id, now=now))


def recount_after_commit(player: User, now: datetime) -> None:
    """Recompute a player's running turns as soon as the current transaction has committed.

    If this process dies before that, the periodic task finds `clocks_changed_at`.
    """
    player.mark_clocks_changed(now)
    player.save(update_fields=["clocks_changed_at"])

    def recount_now() -> None:
        recount(player.pk, now=now)

    transaction.on_commit(recount_now, robust=True)


def recount(user_id: int, *, now: datetime) -> bool:
    """Recompute a player's running turns, each in its own transaction; tell whether all could be.

    What changes meanwhile is recomputed next time: the mark is removed only if it is still the one
    that was there before.
    """
    player = User.objects.filter(pk=user_id, clocks_changed_at__isnull=False)
    changed_at = player.values_list("clocks_changed_at", flat=True).first()
    if changed_at is None:
        return False
    games = list(Game.objects.awaiting(user_id).order_by("pk").values_list("pk", flat=True))
    if process_rows(games, lambda game_id: recount_game(game_id, now)) < len(games):
        return False
    return bool(player.filter(clocks_changed_at=changed_at).update(clocks_changed_at=None))


@transaction.atomic
def recount_game(game_id: int, now: datetime) -> bool:
    """Recompute the deadline of a game; return False if another transaction has locked it."""
    game = free_game(game_id)
    if game is None:
        return False  # the player remains marked, and the next run tries again
    if game.deadline is not None:
        recompute_deadline(game, player=mover(game), now=now)
        game.save(update_fields=CLOCK_COLUMNS)
    return True
