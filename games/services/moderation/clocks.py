"""Pausing games, letting them go on, and giving more time."""

from datetime import datetime, timedelta

from django.db import transaction

from accounts.models import User
from games import errors
from games.clock.clock import StopReason
from games.clock.time_control import LONGEST_ALLOWANCE, SHORTEST_ALLOWANCE
from games.models import Game
from games.models.game import CLOCK_COLUMNS
from games.services import wakeups
from games.services.clock.game_clock import (
    add_time,
    current_availability,
    mover,
    resume_clock,
    time_left,
)
from games.services.clock.undelivered_turns import is_unreached, restart_turn, resume_delivered
from games.services.moderation.action_names import GameAction
from games.services.moderation.base import lock_running_for_moderation, log_action


@transaction.atomic
def pause_game(*, game_id: int, by: User, why: str, now: datetime, seen: int | None = None) -> Game:
    """Stop a running game: nobody can play until a moderator resumes it.

    If its clock was stopped already, that stop continues then. Raises AlreadyHeld, and what
    `lock_running_for_moderation` raises.
    """
    game = lock_running_for_moderation(game_id, by, why, seen)
    if game.stop_reason == StopReason.MODERATOR:
        raise errors.AlreadyHeld
    was = str(game.stop_reason)
    hold(game, now=now)
    log_action(game, GameAction.PAUSE, by, why, now, was=was)
    return game


def hold(game: Game, *, now: datetime) -> None:
    """Let the clock of a locked running game stand until a moderator resumes it.

    What it stands for now, and how much longer it would, is kept.
    """
    game.set_clock(game.clock.held(current_availability(game, now), now=now))
    game.bot_due_at = None
    game.save(update_fields=CLOCK_COLUMNS)


@transaction.atomic
def resume_game(
    *, game_id: int, by: User, why: str, now: datetime, seen: int | None = None
) -> Game:
    """Let a stopped game go on with the time that was left.

    What a moderator stopped while it stood already stands for that again, as long as it would
    have; but a turn whose player has been heard of meanwhile begins anew. Raises as
    `lock_running_for_moderation`, and NotStopped, SeatIsEmpty.
    """
    game = lock_running_for_moderation(game_id, by, why, seen)
    if not game.stop_reason:
        raise errors.NotStopped
    if game.stop_reason == StopReason.SUBSTITUTE:
        raise errors.SeatIsEmpty
    if game.stopped_before_hold == StopReason.UNDELIVERED and not _is_unreached(game):
        restart_turn(game, now=now)
    elif game.stopped_before_hold:
        game.set_clock(game.clock.released(now=now))
        game.save(update_fields=CLOCK_COLUMNS)
    else:
        _go_on(game, now)
    log_action(game, GameAction.RESUME, by, why, now)
    return game


def _is_unreached(game: Game) -> bool:
    player = mover(game)
    return player is not None and is_unreached(player)


def _go_on(game: Game, now: datetime) -> None:
    """Let the clock run; one that stands because no mail reached somebody is freed by that."""
    if game.stop_reason == StopReason.UNDELIVERED:
        resume_clock(game, now=now)
    else:
        resume_delivered(game, now=now)
    player = mover(game)
    if player is not None and player.is_bot:
        game.bot_due_at = now
        wakeups.notify_workers("programs")
    game.save(update_fields=CLOCK_COLUMNS)


@transaction.atomic
def give_time(
    *,
    game_id: int,
    by: User,
    more: timedelta,
    why: str,
    now: datetime,
    seen: int | None = None,
) -> Game:
    """Give the seat to move more time for its turn.

    Raises as `lock_running_for_moderation`, and BadTime.
    """
    game = lock_running_for_moderation(game_id, by, why, seen)
    if more < SHORTEST_ALLOWANCE or time_left(game, now) + more > LONGEST_ALLOWANCE:
        raise errors.BadTime
    add_time(game, more, now=now)
    game.save(update_fields=CLOCK_COLUMNS)
    seconds = int(more.total_seconds())
    log_action(game, GameAction.ADD_TIME, by, why, now, seconds=seconds, seat=game.seat_to_move)
    return game
