"""Snoozing a turn: its player is not led to the game for some hours."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games import errors
from games.clock.snoozes import Snooze, snooze_ends
from games.models import Game, Seat
from games.services.clock.game_clock import mover, seat_at
from games.services.locking import running_game


@transaction.atomic
def snooze_turn(*, game_id: int, user: User, choice: Snooze, now: datetime) -> datetime:
    """Snooze the turn that `user` is to play; return until when.

    The deadline and the reminders stay as they are. Raises NoSuchGame, NotAPlayer, HasLeft,
    GameNotRunning, HeldByModerator, TooLate, NotYourTurn, NoTimeToSnooze.
    """
    game, seat = _seat_to_move(game_id, user, now)
    ends = snooze_ends(game.deadline, game.reminder_at, user.zone, now=now)
    if choice not in ends:
        raise errors.NoTimeToSnooze
    seat.snoozed_until = ends[choice]
    seat.save(update_fields=["snoozed_until"])
    return ends[choice]


@transaction.atomic
def end_snooze(*, game_id: int, user: User, now: datetime) -> None:
    """End the snooze of the turn that `user` is to play. Raises as `snooze_turn`."""
    _game, seat = _seat_to_move(game_id, user, now)
    seat.snoozed_until = None
    seat.save(update_fields=["snoozed_until"])


def _seat_to_move(game_id: int, user: User, now: datetime) -> tuple[Game, Seat]:
    """Return a running game, locked, and its seat to move, which `user` plays."""
    game, _own = running_game(game_id, user, now)
    if mover(game) != user:
        raise errors.NotYourTurn
    return game, seat_at(game, game.clock.seat_to_move)
