"""The ends of stops: whatever a clock stands for, it stands until some moment only."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from django.db import transaction

from accounts.models import User
from games.clock.spans import NOTHING, instant_after, remaining_time
from games.models import Event, Game
from games.services.batches import process_due_rows
from games.services.clock.outages import note_gap
from games.services.clock.time_off import down_since
from games.services.clock.timeouts import end_search
from games.services.clock.undelivered_turns import resume_delivered
from games.services.endings import end_unreachable
from games.services.events import record_event
from games.services.locking import free_game
from games.services.maintenance import is_closed


def end_stops(*, now: datetime) -> int:
    """End the stops whose time is over; return how many this call ended.

    While the house is closed for maintenance none is.
    """
    note_gap(now=now)
    if is_closed():
        return 0
    due = Game.objects.filter(stopped_until__lte=now)
    return process_due_rows(due, "stopped_until", lambda game_id: _end_stop(game_id, now))


@transaction.atomic
def _end_stop(game_id: int, now: datetime) -> bool:
    game = free_game(game_id)
    if game is None or game.stopped_until is None or game.stopped_until > now:
        return False  # another sweep or the players came first
    return _ENDS[game.stopped_for](game, now)


def end_pause(game: Game, *, now: datetime, actor: User | None) -> None:
    """Let the clock of a locked paused game go on with what was left, and tell so."""
    if resume_delivered(game, now=now):
        details: dict[str, object] = {"why": str(Game.Stop.PAUSED)}
        record_event(game, Event.Kind.CLOCK_STARTED, now=now, actor=actor, details=details)


def _pause_over(game: Game, now: datetime) -> bool:
    end_pause(game, now=now, actor=None)
    return True


def _never_reached(game: Game, now: datetime) -> bool:
    """Give the player up."""
    if _lasts_longer(game, now):
        return False
    end_unreachable(game, now=now)
    return True


def _nobody_came(game: Game, now: datetime) -> bool:
    """Let the seat leave for which somebody was sought."""
    if _lasts_longer(game, now):
        return False
    return end_search(game, now=now)


def _lasts_longer(game: Game, now: datetime) -> bool:
    """Tell whether this service was down for a part of a wait, which lasts longer by as much."""
    assert game.stopped_at is not None and game.wait_left is not None  # noqa: S101, PT018
    until = instant_after(game.stopped_at, game.wait_left, down_since(game.stopped_at, now))
    return until > now and bool(Game.objects.filter(pk=game.pk).update(stopped_until=until))


def still_to_wait(game: Game, now: datetime) -> timedelta | None:
    """Return how long a locked game whose clock stands waits yet; None where that has no end."""
    if game.stopped_at is None or game.stopped_until is None or game.wait_left is None:
        return None
    if game.stopped_for == Game.Stop.PAUSED:  # no outage lengthens what was agreed on
        return max(NOTHING, game.stopped_until - now)
    return remaining_time(game.wait_left, game.stopped_at, now, down_since(game.stopped_at, now))


_ENDS: Mapping[str, Callable[[Game, datetime], bool]] = {
    Game.Stop.PAUSED: _pause_over,
    Game.Stop.UNDELIVERED: _never_reached,
    Game.Stop.SUBSTITUTE: _nobody_came,
}
"""What becomes of each kind of stop; tells whether it has ended."""
