"""A moderator's pause of a game: it outlasts what happens in the game meanwhile."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from games.clock.clock import StopReason
from games.models import Game
from games.models.game import CLOCK_COLUMNS
from games.services.clock.game_clock import count_undelivered, current_availability


def hold_clock(game: Game, *, now: datetime) -> None:
    """Stop the clock of a locked game for a moderator, and save it.

    Why it was stopped before, and for how much longer, is kept.
    """
    count_undelivered(game, now=now)
    game.set_clock(game.clock.held(current_availability(game, now), now=now))
    game.bot_due_at = None
    game.save(update_fields=CLOCK_COLUMNS)


@contextmanager
def stays_held(game: Game, *, now: datetime) -> Iterator[None]:
    """Keep a locked game paused that a moderator paused, whichever turn the change within starts.

    The pause is not longer because of that.
    """
    was_held, since = game.stop_reason == StopReason.MODERATOR, game.stopped_at
    yield
    if was_held and not game.is_over and game.stop_reason != StopReason.MODERATOR:
        hold_clock(game, now=now)
        game.stopped_at = since
        game.save(update_fields=["stopped_at"])
