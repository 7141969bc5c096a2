"""No delivery, no clock: a turn that its player was not told about takes none of their time."""

from datetime import datetime

from django.conf import settings
from django.db import transaction

from accounts.models import User
from accounts.users import lock_user
from games.clock.clock import StopReason
from games.models import Event, Game
from games.models.game import CLOCK_COLUMNS
from games.services.clock.game_clock import mover, resume_clock, stop_clock
from games.services.locking import locked_game
from games.services.suspensions import is_suspended

WHY: dict[str, object] = {"why": str(StopReason.UNDELIVERED)}

ROUNDS = 5
"""How often one contact looks for games that were stopped meanwhile; the next looks again."""


@transaction.atomic
def freeze_undelivered(*, game_id: int, turn_number: int, user: User, now: datetime) -> bool:
    """Stop the clock of the turn after `turn_number` turns: no mail reached `user`, who is to move.

    Returns False and changes nothing if that turn is over or not theirs, or if its clock is stopped
    already: then `resume_delivered` stops it again when it would resume. A player whose time is
    over but who was not timed out yet gets the time back.
    """
    game = locked_game(game_id)
    if game.status != Game.Status.ACTIVE or game.turn_number != turn_number:
        return False
    if mover(game) != user:
        return False
    was_running = not game.stop_reason
    if was_running:
        _stop_undelivered(game, user, now)
    # Locked until the end: `record_contact` removes the mark only when it sees every such game.
    if lock_user(user.pk).unreachable_since is None:
        User.objects.filter(pk=user.pk).update(unreachable_since=now)
    return was_running


def _stop_undelivered(game: Game, user: User, now: datetime) -> None:
    stop_clock(game, StopReason.UNDELIVERED, wait=settings.UNREACHABLE_FOR, now=now)
    game.save(update_fields=CLOCK_COLUMNS)
    game.record_event(Event.Kind.CLOCK_STOPPED, now=now, details=WHY | {"user": user.pk})


def resume_delivered(game: Game, *, now: datetime, actor: User | None) -> bool:
    """Resume the stopped clock of a locked game with what was left; tell whether it runs.

    Unless `actor` is the player to move, they have at least a day.
    It does not while no mail reaches the player to move: then it is stopped for that.
    """
    player = mover(game)
    if player is not None and is_unreached(player):
        _stop_undelivered(game, player, now)
        return False
    resume_clock(game, now=now, actor=actor)
    game.save(update_fields=CLOCK_COLUMNS)
    return True


def is_unreached(user: User) -> bool:
    """Lock a user's row; tell whether mail failed to reach them and they made no contact since."""
    return lock_user(user.pk).unreachable_since is not None


def record_contact(user: User, *, now: datetime) -> int:
    """Resume the turns whose mail had not reached `user`, who made contact; return how many.

    Each has what was left of its time, and at least a day. Suspended users make no contact: they
    could not play. Costs nothing for users whom mail reaches. If this is killed, the next contact
    does the rest.
    """
    resumed = 0
    if user.unreachable_since is None or is_suspended(user, now):
        return 0
    for _ in range(ROUNDS):
        for game_id in _undelivered_to(user):
            with transaction.atomic():
                game = locked_game(game_id)
                if game.stop_reason == StopReason.UNDELIVERED and mover(game) == user:
                    resume_clock(game, now=now, actor=None)
                    game.save(update_fields=CLOCK_COLUMNS)
                    game.record_event(Event.Kind.CLOCK_STARTED, now=now, actor=user, details=WHY)
                    resumed += 1
        with transaction.atomic():
            lock_user(user.pk)
            if not _undelivered_to(user):  # else one more game was stopped meanwhile
                User.objects.filter(pk=user.pk).update(unreachable_since=None)
                user.unreachable_since = None
                break
    return resumed


def _undelivered_to(user: User) -> list[int]:
    """Return the games, in the order of their keys, in which `user` is to move and was not told."""
    # A partner who plays for another seat sits at the same game.
    found = Game.objects.filter(seats__user=user, stop_reason=StopReason.UNDELIVERED)
    return [
        game.pk
        for game in found.prefetch_related("seats__user", "seats__played_by_partner").order_by("pk")
        if any(s.number == game.seat_to_move and s.player == user for s in game.seats.all())
    ]
