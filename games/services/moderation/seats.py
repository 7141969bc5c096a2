"""Taking a seat out of a game, and giving it to somebody else."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games import errors
from games.clock.clock import StopReason
from games.models import Game, Seat, Turn
from games.rules.base import MoveError
from games.services.endings import forfeit, hand_over
from games.services.moderation.action_names import GameAction
from games.services.moderation.base import lock_running_for_moderation, log_action
from games.services.moderation.clocks import hold
from games.services.suspensions import is_suspended


@transaction.atomic
def remove_player(
    *, game_id: int, by: User, seat: int, why: str, now: datetime, seen: int | None = None
) -> Game:
    """Let a seat of a game of more than two leave; the others play on, or the rules end the game.

    Raises as `lock_running_for_moderation`, and BadSeat, TwoSeats, SeatHasLeft, MoveRefused.
    """
    game = lock_running_for_moderation(game_id, by, why, seen)
    chosen = _seat(game, seat)
    if game.seats.count() == 2:  # noqa: PLR2004  (the other would win)
        raise errors.TwoSeats
    if chosen.left_at is not None:
        raise errors.SeatHasLeft
    try:
        take_out(game, chosen, by=by, why=why, now=now)
    except MoveError as error:
        raise errors.MoveRefused(error) from error
    return game


def take_out(game: Game, seat: Seat, *, by: User, why: str, now: datetime) -> None:
    """Let a seat of a locked running game leave; of two the other wins. Raises MoveError."""
    held = _is_held(game)
    log_action(game, GameAction.WITHDRAW, by, why, now, seat=seat.number, player=seat.user_id)
    forfeit(game, seat, Game.Ending.REMOVED, now=now, actor=by)
    _hold_again(game, held, now)


@transaction.atomic
def substitute(
    *,
    game_id: int,
    by: User,
    seat: int,
    user: User,
    why: str,
    now: datetime,
    seen: int | None = None,
) -> Game:
    """Give a seat of a running game to another player: the position, not the past record.

    Raises BadSeat, SeatHasLeft, AlreadySeated, CannotSubstitute, SeatForOneself, and what
    `lock_running_for_moderation` raises.
    """
    game = lock_running_for_moderation(game_id, by, why, seen)
    chosen = _seat(game, seat)
    _check_can_sit(game, chosen, user, by, now)
    former, held = chosen.user_id, _is_held(game)
    time = max(chosen.time_left, game.terms.pace.for_another)
    hand_over(game, chosen, user, now, time=time)
    _hold_again(game, held, now)
    log_action(
        game, GameAction.SUBSTITUTE, by, why, now, seat=seat, player=former, substitute=user.pk
    )
    return game


def _check_can_sit(game: Game, seat: Seat, user: User, by: User, now: datetime) -> None:
    if game.turns.filter(via=Turn.Via.LEFT, seat=seat.number).exists():
        raise errors.SeatHasLeft
    if user == by:
        raise errors.SeatForOneself
    if game.seats.filter(user=user).exists():
        raise errors.AlreadySeated(name=user)
    if is_suspended(user, now):
        raise errors.CannotSubstitute(name=user)


def _seat(game: Game, number: int) -> Seat:
    """Return a seat with whoever plays it. Raises BadSeat."""
    seat = game.seats.select_related("user", "played_by_partner").filter(number=number).first()
    if seat is None:
        raise errors.BadSeat
    return seat


def _is_held(game: Game) -> bool:
    return game.stop_reason == StopReason.MODERATOR


def _hold_again(game: Game, held: bool, now: datetime) -> None:
    """Let a game that a moderator had stopped stand on, whoever is to move now."""
    if held and not game.is_over and not _is_held(game):
        hold(game, now=now)
