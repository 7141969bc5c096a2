"""How a stopped clock runs again, or the game goes on otherwise: every stop ends at some time."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games import errors
from games.clock.clock import StopReason
from games.models import Event, Game
from games.services.batches import process_due_rows
from games.services.clock.interruptions import read_interruptions
from games.services.clock.outages import record_gap
from games.services.clock.timeouts import end_search
from games.services.clock.undelivered_turns import resume_delivered
from games.services.endings import end_unreachable
from games.services.locking import free_game, running_game
from games.services.site_status import is_closed


@transaction.atomic
def end_pause(*, game_id: int, user: User, now: datetime) -> Game:
    """End the pause: the clock runs with what was left. Any player may do so at any time.

    If another player than the one to move ends it, that one has at least a day.
    If no mail reaches the player to move, the clock is stopped for that from now on.
    Raises as `running_game` does, and NotPaused.
    """
    game, _ = running_game(game_id, user, now)
    if game.stop_reason != StopReason.PAUSED:
        raise errors.NotPaused
    _resume_paused(game, now=now, actor=user)
    return game


def _resume_paused(game: Game, *, now: datetime, actor: User | None) -> None:
    if resume_delivered(game, now=now, actor=actor):
        details: dict[str, object] = {"why": str(StopReason.PAUSED)}
        game.record_event(Event.Kind.CLOCK_STARTED, now=now, actor=actor, details=details)


def end_stops(*, now: datetime) -> int:
    """End the stops whose time is over; return how many this call ended.

    While the site is closed for maintenance none ends.
    """
    record_gap(now=now)
    if is_closed():
        return 0

    @transaction.atomic
    def end_stop(game_id: int) -> bool:
        game = free_game(game_id)
        if game is None or game.stopped_until is None or game.stopped_until > now:
            return False  # another run or the players came first
        if game.stop_reason == StopReason.PAUSED:
            _resume_paused(game, now=now, actor=None)
            return True
        # The other stops are longer by the outages since they began.
        since = game.stopped_at or now
        outages = read_interruptions((), since=since, now=now).outages(now)
        clock = game.clock.with_wait_recomputed(outages)
        if clock.stopped_until is not None and clock.stopped_until > now:
            game.set_clock(clock)
            game.save(update_fields=["stopped_until"])
            return False
        if game.stop_reason == StopReason.UNDELIVERED:
            end_unreachable(game, now=now)
            return True
        return end_search(game, now=now)

    return process_due_rows(Game.objects.filter(stopped_until__lte=now), "stopped_until", end_stop)
