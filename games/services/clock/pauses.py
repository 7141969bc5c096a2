"""Ending a pause that was agreed on."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games import errors
from games.models import Game
from games.services.clock.stops import end_pause
from games.services.locking import running_game


@transaction.atomic
def resume(*, game_id: int, user: User, now: datetime) -> Game:
    """End the pause: the clock goes on with what was left. Any player may do so at any time.

    Where no mail reaches who is to move it stands for that from now on.
    Raises as `running_game` does, and NotPaused.
    """
    game, _ = running_game(game_id, user, now)
    if game.stopped_for != Game.Stop.PAUSED:
        raise errors.NotPaused
    end_pause(game, now=now, actor=user)
    return game
