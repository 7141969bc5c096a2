"""Reminders of a turn: the periodic task that writes them, and players who put one off."""

import logging
from datetime import datetime, timedelta

from django.db import transaction

from accounts.models import User
from accounts.users import lock_user
from games import errors
from games.clock.clock import Availability
from games.models import Event, Game
from games.models.game import CLOCK_COLUMNS
from games.services.batches import process_due_rows
from games.services.clock.game_clock import current_availability, is_in_time, mover
from games.services.clock.outages import apply_outages, record_gap
from games.services.locking import arrival, free_game, running_game
from games.services.site_status import is_closed

log = logging.getLogger(__name__)

TOGETHER = timedelta(hours=6)
"""What comes so soon to the same player is told in the same mail."""

APART = timedelta(hours=1)
"""How long a player has peace after a reminder."""

USEFUL = timedelta(minutes=15)
"""What is left of a turn's time at least when a reminder waits for that peace to be over."""

MOST_TOGETHER = 50
"""How many turns one mail tells of."""


def remind_due(*, now: datetime) -> int:
    """Write the reminders that are due; return how many mails that makes.

    One mail tells a player of all their turns of which they would be reminded soon. Within APART
    after it they get no other, unless that would come too late.
    """
    record_gap(now=now)
    if is_closed():
        return 0
    due = Game.objects.filter(reminder_at__lte=now)
    return process_due_rows(due, "reminder_at", lambda game_id: _remind(game_id, now))


@transaction.atomic
def _remind(game_id: int, now: datetime) -> bool:
    game = free_game(game_id)
    if game is None or game.reminder_at is None:
        return False
    reader = mover(game)
    peace_until = None
    if reader is not None:
        # Of two processes at two games of one player, the later one sees what the other has done.
        lock_user(reader.pk)
        peace_until = _peace_until(reader, now)
    if not _take_reminder(game, now, peace_until=peace_until) or reader is None:
        return False
    soon = Game.objects.awaiting(reader.pk).filter(reminder_at__lte=now + TOGETHER)
    # Rows that are locked are left out, and never waited for: their reminder comes later.
    free = soon.exclude(pk=game.pk).select_for_update(of=("self",), skip_locked=True)
    games = [game]
    for other in free.order_by("reminder_at", "pk")[: MOST_TOGETHER - 1]:
        try:
            with transaction.atomic():
                if _take_reminder(other, now, ahead=TOGETHER):
                    games.append(other)
        except Exception:
            log.exception("game %s is told with no other: it failed", other.pk)
    # The event belongs to the game with the least time: how long its mail is held depends on that.
    lead, *others = sorted(games, key=lambda each: (each.deadline or now, each.pk))
    details: dict[str, object] = {"user": reader.pk}
    if others:
        details["games"] = [
            [number, each.pk, each.turn_number] for number, each in enumerate([lead, *others], 1)
        ]
    lead.record_event(Event.Kind.REMINDER_DUE, now=now, details=details)
    for other in others:
        told: dict[str, object] = {"user": reader.pk, "told_with": lead.pk}
        other.record_event(Event.Kind.REMINDER_DUE, now=now, details=told)
    return True


def _take_reminder(
    game: Game,
    now: datetime,
    *,
    ahead: timedelta = timedelta(0),
    peace_until: datetime | None = None,
) -> bool:
    """Count the reminder of a locked game as done; tell whether it comes now or `ahead` of time.

    What is ahead comes at most as much earlier as there is time left then: the last hour is told of
    in the last two. Until `peace_until` the reminder stays due, unless it would come too late then.
    """
    apply_outages(game, now=now)
    if game.reminder_at is None or game.reminder_at > now + ahead:
        return False
    availability = current_availability(game, now)
    clock = game.clock.recomputed(availability, now=now)
    reminder = clock.next_reminder(availability, now=now)
    is_taken = reminder is not None and reminder.at <= now + min(ahead, reminder.left)
    if reminder is not None and reminder.at > now and clock.snoozed_until is not None:
        is_taken = False  # they chose the moment
    if peace_until is not None and clock.deadline is not None:
        later = _outside_of_night(peace_until, availability)
        is_taken = is_taken and clock.deadline - later < USEFUL
    if reminder is not None and is_taken:
        clock = clock.after_reminder(reminder, availability, now=now)
    game.set_clock(clock)
    game.save(update_fields=CLOCK_COLUMNS)
    return is_taken and is_in_time(game, now)


def _peace_until(reader: User, now: datetime) -> datetime | None:
    """Return until when a player gets no reminder, because they just got one; None: now."""
    reminders = Event.objects.filter(kind=Event.Kind.REMINDER_DUE)
    # Keys grow with time: what is older than APART is not looked through.
    older = reminders.filter(at__lte=now - APART).order_by("-pk").values_list("pk", flat=True)
    lately = reminders.filter(pk__gt=older.first() or 0, details__user=reader.pk)
    newest = lately.order_by("-pk").values_list("at", flat=True).first()
    return newest + APART if newest is not None else None


def _outside_of_night(moment: datetime, availability: Availability) -> datetime:
    """Return a moment, or the end of the night without reminders that it is in."""
    reminders = availability.reminders
    nights = reminders.night.spans(moment) if reminders and reminders.night else iter(())
    night = next(nights, None)
    return night.end if night is not None and night.start <= moment else moment


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
