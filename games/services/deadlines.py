"""Deadlines and reminders: the periodic tasks that end turns and remind players of them."""

from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import transaction

from accounts.models import User
from games import errors
from games.models import Event, Game
from games.models.game import CLOCK_COLUMNS
from games.services.batches import process_due_rows
from games.services.clock.game_clock import current_availability, is_in_time, mover
from games.services.clock.outages import apply_outages, record_gap
from games.services.clock.timeouts import end_on_time
from games.services.events import record_event
from games.services.locking import free_game, running_game
from games.services.maintenance import is_closed

Hold = Callable[[Game], bool]
"""Tells whether a turn that came in time is still to be read, so that time must not run out yet."""

HOLDS: list[Hold] = []
"""Asked before anybody loses on time. An app that takes in turns adds its own."""


def time_out_due(*, now: datetime) -> int:
    """End the running games whose deadline has passed; return how many this call ended.

    An outage that ends just now is recorded first. While the site is closed nobody runs out of
    time.
    """
    record_gap(now=now)
    if is_closed():
        return 0

    @transaction.atomic
    def time_out(game_id: int) -> bool:
        game = free_game(game_id)
        if game is None or game.deadline is None or not game.clock.is_late(now):
            return False  # another run or the player's turn came first
        if any(hold(game) for hold in HOLDS):
            return False  # no vacation begins for a turn that came in time
        if is_in_time(game, now):
            return False
        if any(hold(game) for hold in HOLDS):
            return False  # for a later deadline: `is_in_time` has recomputed it
        end_on_time(game, now=now)
        return True

    return process_due_rows(Game.objects.filter(deadline__lt=now), "deadline", time_out)


def remind_due(*, now: datetime) -> int:
    """Write the reminders that are due; return how many this call wrote."""
    record_gap(now=now)
    if is_closed():
        return 0

    @transaction.atomic
    def remind(game_id: int) -> bool:
        game = free_game(game_id)
        if game is None or game.reminder_at is None:
            return False
        apply_outages(game, now=now)
        if game.reminder_at is None or game.reminder_at > now:
            return False
        availability = current_availability(game, now)
        clock = game.clock.recomputed(availability, now=now)
        reminder = clock.next_reminder(availability, now=now)
        is_due = reminder is not None and reminder.at <= now
        if reminder is not None and is_due:
            clock = clock.after_reminder(reminder, availability, now=now)
        game.set_clock(clock)
        game.save(update_fields=CLOCK_COLUMNS)
        if not is_due or not is_in_time(game, now):
            return False
        record_event(game, Event.Kind.REMINDER_DUE, now=now)
        return True

    return process_due_rows(Game.objects.filter(reminder_at__lte=now), "reminder_at", remind)


@transaction.atomic
def snooze(*, game_id: int, user: User, delay: timedelta, now: datetime) -> Game:
    """Put the next reminder of one's turn off; those that would come before it are dropped.

    Raises NoSuchGame, NotAPlayer, HasLeft, GameNotRunning, HeldByModerator, TooLate, NotYourTurn,
    ClockStands, SnoozedTooLong.
    """
    game, _ = running_game(game_id, user, now)
    if mover(game) != user:
        raise errors.NotYourTurn
    if game.deadline is None:
        raise errors.ClockStands
    if delay >= game.deadline - now:
        raise errors.SnoozedTooLong
    availability = current_availability(game, now)
    game.set_clock(game.clock.snoozed(now + delay, availability, now=now))
    game.save(update_fields=CLOCK_COLUMNS)
    return game
