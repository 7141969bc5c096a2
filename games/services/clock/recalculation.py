"""Computing the deadlines of somebody's turns anew: they are newly away, or back."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.models import Game
from games.services.batches import process_due_rows, process_rows
from games.services.clock.game_clock import CLOCK_FIELDS, mover, recompute_deadline
from games.services.locking import free_game


def recount_due(*, now: datetime) -> int:
    """Count the games of everybody whose absences have changed; return for how many people."""
    changed = User.objects.filter(clocks_changed_at__isnull=False)
    return process_due_rows(changed, "clocks_changed_at", lambda user_id: recount(user_id, now=now))


def recount_after_commit(user: User, *, now: datetime) -> None:
    """Count a person's games as soon as the current transaction has committed.

    Should this process die before it has: the next round finds `clocks_changed_at`.
    """
    transaction.on_commit(lambda: _recount_now(user.pk, now), robust=True)


def _recount_now(user_id: int, now: datetime) -> None:
    recount(user_id, now=now)


def recount(user_id: int, *, now: datetime) -> bool:
    """Count a person's running turns, one transaction a game; tell whether all could be.

    What changes while this works is counted next time: the mark is taken away only if it is still
    the one that stood there before.
    """
    person = User.objects.filter(pk=user_id, clocks_changed_at__isnull=False)
    changed_at = person.values_list("clocks_changed_at", flat=True).first()
    if changed_at is None:
        return False
    games = list(Game.objects.awaiting(user_id).order_by("pk").values_list("pk", flat=True))
    if process_rows(games, lambda game_id: _count(game_id, now)) < len(games):
        return False
    return bool(person.filter(clocks_changed_at=changed_at).update(clocks_changed_at=None))


@transaction.atomic
def _count(game_id: int, now: datetime) -> bool:
    game = free_game(game_id)
    if game is None:
        return False  # the person stays marked, and the next round counts again
    if game.deadline is not None:
        recompute_deadline(game, player=mover(game), now=now)
        game.save(update_fields=CLOCK_FIELDS)
    return True
