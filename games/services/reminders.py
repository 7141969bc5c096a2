"""Reminders of a turn: the periodic task that writes them, and players who put one off."""

from datetime import datetime, timedelta

from django.db import transaction

from accounts.models import User
from games import errors
from games.models import Event, Game
from games.models.game import CLOCK_COLUMNS
from games.services.batches import process_due_rows
from games.services.clock.game_clock import current_availability, is_in_time, mover
from games.services.clock.outages import apply_outages, record_gap
from games.services.locking import arrival, free_game, running_game
from games.services.site_status import is_closed


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
        game.record_event(Event.Kind.REMINDER_DUE, now=now)
        return True

    return process_due_rows(Game.objects.filter(reminder_at__lte=now), "reminder_at", remind)


@transaction.atomic
def snooze(
    *,
    game_id: int,
    user: User,
    delay: timedelta,
    now: datetime,
    received_at: datetime | None = None,
) -> Game:
    """Put the next reminder of one's turn off; those that would come before it are dropped.

    The delay begins at `received_at`, which is as for `running_game`.
    Raises NoSuchGame, NotAPlayer, HasLeft, GameNotRunning, HeldByModerator, TooLate, NotYourTurn,
    ClockStands, SnoozedTooLong.
    """
    game, _ = running_game(game_id, user, now, received_at)
    arrived = arrival(received_at, now)
    if mover(game) != user:
        raise errors.NotYourTurn
    if game.deadline is None:
        raise errors.ClockStands
    if delay >= game.deadline - arrived:
        raise errors.SnoozedTooLong
    availability = current_availability(game, now)
    game.set_clock(game.clock.snoozed(arrived + delay, availability, now=now))
    game.save(update_fields=CLOCK_COLUMNS)
    return game
