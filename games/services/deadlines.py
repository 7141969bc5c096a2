"""The rounds of the clock: reminding who runs low on time, ending what ran out of it."""

from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import transaction

from accounts.models import User
from games import errors
from games.clock.spans import is_late
from games.models import Event, Game
from games.services.batches import process_due_rows
from games.services.clock.game_clock import (
    CLOCK_FIELDS,
    is_in_time,
    mark_reminder_sent,
    mover,
    recompute_deadline,
)
from games.services.clock.outages import apply_outages, note_gap
from games.services.clock.timeouts import end_on_time
from games.services.events import record_event
from games.services.locking import free_game, running_game
from games.services.maintenance import is_closed

Hold = Callable[[Game], bool]
"""Tells whether a turn that came in time is still to be read, so that time must not run out yet."""

HOLDS: list[Hold] = []
"""Asked before anybody loses on time. Whoever takes turns in by another way adds theirs here."""


def time_out_due(*, now: datetime) -> int:
    """End the running games whose deadline has passed; return how many this call ended.

    An outage that ends just now is noted first; while the house is closed nobody runs out of time.
    """
    note_gap(now=now)
    if is_closed():
        return 0
    due = Game.objects.filter(deadline__lt=now)
    return process_due_rows(due, "deadline", lambda game_id: _time_out(game_id, now))


@transaction.atomic
def _time_out(game_id: int, now: datetime) -> bool:
    game = free_game(game_id)
    if game is None or game.deadline is None or not is_late(game.deadline, now):
        return False  # another sweep or the player's turn came first
    # Asked twice: no vacation begins for a turn that came in time, and counting moves the deadline.
    if _is_held(game) or is_in_time(game, now) or _is_held(game):
        return False
    end_on_time(game, now=now)
    return True


def _is_held(game: Game) -> bool:
    return any(hold(game) for hold in HOLDS)


def remind_due(*, now: datetime) -> int:
    """Write the reminders that are due; return how many this call wrote."""
    note_gap(now=now)
    if is_closed():
        return 0
    due = Game.objects.filter(reminder_at__lte=now)
    return process_due_rows(due, "reminder_at", lambda game_id: _remind(game_id, now))


@transaction.atomic
def _remind(game_id: int, now: datetime) -> bool:
    game = free_game(game_id)
    if game is None or game.reminder_at is None:
        return False
    apply_outages(game, now=now)
    if game.reminder_at is None or game.reminder_at > now:
        return False
    reminded = mark_reminder_sent(game, player=mover(game), now=now)
    game.save(update_fields=CLOCK_FIELDS)
    if not reminded or not is_in_time(game, now):
        return False
    record_event(game, Event.Kind.REMINDER_DUE, now=now)
    return True


@transaction.atomic
def snooze(*, game_id: int, user: User, delay: timedelta, now: datetime) -> Game:
    """Put the next reminder of one's turn off; those that would come before it fall away.

    Raises NoSuchGame, NotAPlayer, HasLeft, GameNotRunning, HeldByModerator, TooLate, NotYourTurn,
    SnoozedTooLong.
    """
    game, _ = running_game(game_id, user, now)
    if mover(game) != user:
        raise errors.NotYourTurn
    if game.deadline is None or delay >= game.deadline - now:
        raise errors.SnoozedTooLong
    game.snoozed_until = now + delay
    recompute_deadline(game, player=user, now=now)
    game.save(update_fields=CLOCK_FIELDS)
    return game
