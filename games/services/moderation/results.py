"""Ending games: with any result, or without one."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.models import Game
from games.rules.base import Outcome
from games.services.conclusion import abort_game, close_table, end_by_rules
from games.services.errors import GameNotRunning
from games.services.errors.moderation import BadResult
from games.services.moderation.deeds import in_hand, note, running_in_hand
from games.services.moderation.names import Deed


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

    Raises as `running_in_hand`, and BadResult.
    """
    game = running_in_hand(game_id, by, why, seen)
    _check_places(places, game.seats.count())
    note(game, Deed.ADJUDICATE, by, why, now, places=list(places))
    outcome = Outcome(tuple(places), None, Game.Ending.ADJUDICATED)
    end_by_rules(game, outcome, now=now, actor=by)
    return game


def _check_places(places: Sequence[int], seats: int) -> None:
    if len(places) != seats or min(places) != 1 or max(places) > seats:
        raise BadResult(seats=seats)


@transaction.atomic
def abort(*, game_id: int, by: User, why: str, now: datetime, seen: int | None = None) -> Game:
    """End a running game without a result, or close a table that waits for players.

    Raises as `in_hand`, and GameNotRunning.
    """
    game = in_hand(game_id, by, why, seen)
    if game.is_over:
        raise GameNotRunning
    note(game, Deed.ABORT, by, why, now)
    end = close_table if game.status == Game.Status.OPEN else abort_game
    end(game, Game.Ending.BROKEN_OFF, now=now, actor=by)
    return game
