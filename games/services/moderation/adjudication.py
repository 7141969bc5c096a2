"""Ending games: with any result, or without one."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from accounts.models import User
from games import errors
from games.models import Game
from games.rules.base import Outcome
from games.services.moderation.action_names import GameAction
from games.services.moderation.base import (
    lock_for_moderation,
    lock_running_for_moderation,
    log_action,
)
from games.services.turns import finish_game


@transaction.atomic
def adjudicate(
    *,
    game_id: int,
    by: User,
    places: Sequence[int],
    why: str,
    now: datetime,
    seen: int | None = None,
) -> Game:
    """End a running game with this place for each seat; everybody first is a draw.

    Raises as `lock_running_for_moderation`, and BadResult.
    """
    game = lock_running_for_moderation(game_id, by, why, seen)
    _check_places(places, game.seats.count())
    log_action(game, GameAction.ADJUDICATE, by, why, now, places=list(places))
    outcome = Outcome(tuple(places), None, Game.Ending.ADJUDICATED)
    finish_game(game, outcome.reason, outcome=outcome, now=now, actor=by)
    return game


def _check_places(places: Sequence[int], seats: int) -> None:
    if len(places) != seats or min(places) != 1 or max(places) > seats:
        raise errors.BadResult(seats=seats)


@transaction.atomic
def abort_as_moderator(
    *, game_id: int, by: User, why: str, now: datetime, seen: int | None = None
) -> Game:
    """End a running game without a result, or close a table that waits for players.

    Raises as `lock_for_moderation`, and GameNotRunning.
    """
    game = lock_for_moderation(game_id, by, why, seen)
    if game.is_over:
        raise errors.GameNotRunning
    log_action(game, GameAction.ABORT, by, why, now)
    finish_game(game, Game.Ending.BROKEN_OFF, now=now, actor=by)
    return game
