"""What players choose about their time: vacations, days off, quiet hours, reminders."""

from collections.abc import Collection
from datetime import datetime, time, timedelta

from django.db import transaction
from django.template.defaultfilters import floatformat

from accounts.models import User, Vacation
from games import errors
from games.clock.calendar_days import SHORTEST_VACATION, local_length
from games.clock.reminders import HOURS, MOST_MARKS, QUARTER
from games.clock.weekly_schedule import LONGEST_QUIET, MOST_DAYS_OFF, quiet_length
from games.models import Game
from games.services.clock.game_clock import (
    is_absent_too_long,
    overdrawn_year,
    recompute_deadline,
    vacation_allowance,
)
from games.services.clock.recalculation import recount_after_commit
from games.services.locking import arrival
from games.services.suspensions import lock_acting_user

FURTHEST_BEGINNING = timedelta(days=366)
FURTHEST_END = timedelta(days=2 * 366)

MARKS = (QUARTER, *(f"{hours}h" for hours in HOURS))
"""The reminders that can be chosen."""


# Vacations ---------------------------------------------------------------------------------------


@transaction.atomic
def announce_vacation(
    *,
    user: User,
    begins_at: datetime,
    ends_at: datetime,
    now: datetime,
    received_at: datetime | None = None,
) -> Vacation:
    """Announce that a player is away from `begins_at` (now or later) until just before `ends_at`.

    Their time does not run then at tables that allow vacations. `received_at` is when the order
    reached this server, if that was before `now`: the vacation may begin then, and a deadline that
    has passed since moves. Raises AccountClosed, Barred,
    NoVacations, VacationTooLate, DeadlinePassed, VacationTooFar, VacationTooShort,
    VacationOverlaps, VacationOverdrawn, AbsenceTooLong; nothing has changed then.
    """
    if not vacation_allowance():
        raise errors.NoVacations
    player = lock_acting_user(user, now)
    zone = player.zone.key
    arrived = arrival(received_at, now)
    if begins_at < arrived:
        raise errors.VacationTooLate
    if begins_at > now + FURTHEST_BEGINNING or ends_at > now + FURTHEST_END:
        raise errors.VacationTooFar
    if ends_at <= begins_at or local_length(begins_at, ends_at, zone) < SHORTEST_VACATION:
        raise errors.VacationTooShort
    check_no_deadline_passed(player, arrived)
    others = Vacation.objects.filter(user=player, begins_at__lt=ends_at, ends_at__gt=begins_at)
    if others.exists():
        raise errors.VacationOverlaps
    overdrawn = overdrawn_year(player, begins_at, ends_at)
    if overdrawn is not None:
        year, left = overdrawn
        allowed = days_in_words(vacation_allowance())
        raise errors.VacationOverdrawn(year=year, left=days_in_words(left), allowed=allowed)
    if is_absent_too_long(player, begins_at, ends_at):
        raise errors.AbsenceTooLong(most=days_in_words(vacation_allowance()))
    vacation = Vacation.objects.create(
        user=player, begins_at=begins_at, ends_at=ends_at, announced_at=now, zone=zone
    )
    recount_after_commit(player, now)
    return vacation


@transaction.atomic
def end_vacation_early(*, user: User, vacation_id: int, now: datetime) -> Vacation:
    """End a vacation that has begun: time runs from now on. It counts as at least one day.

    Raises AccountClosed, Barred, NoSuchVacation, VacationNotBegun.
    """
    player = lock_acting_user(user, now)
    vacation = _unfinished_vacation(player, vacation_id, now)
    if vacation.begins_at > now:
        raise errors.VacationNotBegun
    vacation.ends_at = vacation.ended_early_at = now
    vacation.save(update_fields=["ends_at", "ended_early_at"])
    recount_after_commit(player, now)
    return vacation


@transaction.atomic
def cancel_vacation(*, user: User, vacation_id: int, now: datetime) -> None:
    """Delete a vacation that has not begun.

    Raises AccountClosed, Barred, NoSuchVacation, VacationBegun.
    """
    player = lock_acting_user(user, now)
    vacation = _unfinished_vacation(player, vacation_id, now)
    if vacation.begins_at <= now:
        raise errors.VacationBegun
    vacation.delete()
    recount_after_commit(player, now)


def _unfinished_vacation(player: User, vacation_id: int, now: datetime) -> Vacation:
    """Return a player's vacation that has not ended. Raises NoSuchVacation."""
    try:
        return Vacation.objects.get(pk=vacation_id, user=player, ends_at__gt=now)
    except Vacation.DoesNotExist:
        raise errors.NoSuchVacation from None


@transaction.atomic
def set_automatic_vacation(*, user: User, automatic: bool, now: datetime) -> None:
    """Choose whether a vacation begins by itself when a game would be lost on time.

    Raises AccountClosed, Barred, DeadlinePassed.
    """
    player = lock_acting_user(user, now)
    if automatic:
        check_no_deadline_passed(player, now)
    player.automatic_vacation = automatic
    player.save(update_fields=["automatic_vacation"])


def check_no_deadline_passed(player: User, now: datetime) -> None:
    """Raise DeadlinePassed if a player ran out of time and only the periodic task is late."""
    overdue = Game.objects.awaiting(player.pk).filter(deadline__lt=now, allows_vacations=True)
    for game in overdue.order_by("pk"):
        recompute_deadline(game, player=player, now=now)
        if game.clock.is_late(now):
            raise errors.DeadlinePassed(game=game.pk)


def days_in_words(time: timedelta) -> str:
    """Return a length as a number of days, with a tenth if there is one; rounded down."""
    return str(floatformat(time * 10 // timedelta(days=1) / 10, -1))


# The week and reminders --------------------------------------------------------------------------


@transaction.atomic
def set_schedule(
    *,
    user: User,
    days_off: Collection[int],
    quiet_from: time | None,
    quiet_until: time | None,
    now: datetime,
) -> None:
    """Change a player's days off (Monday is 0) and quiet hours: from their next turn on.

    Raises AccountClosed, Barred, NoSuchDay, TooManyDaysOff, QuietHoursHalf, QuietHoursTooLong.
    """
    days = set(days_off)
    if not days <= set(range(7)):
        raise errors.NoSuchDay
    if len(days) > MOST_DAYS_OFF:
        raise errors.TooManyDaysOff(most=MOST_DAYS_OFF)
    if (quiet_from is None) != (quiet_until is None):
        raise errors.QuietHoursHalf
    if quiet_length(quiet_from, quiet_until) > LONGEST_QUIET:
        raise errors.QuietHoursTooLong(most=LONGEST_QUIET // timedelta(hours=1))
    player = lock_acting_user(user, now)
    player.days_off = sorted(days)
    player.quiet_from, player.quiet_until = quiet_from, quiet_until
    player.save(update_fields=["days_off", "quiet_from", "quiet_until"])
    recount_after_commit(player, now)


@transaction.atomic
def set_reminders(*, user: User, marks: Collection[str], at_night: bool, now: datetime) -> None:
    """Change when a player is reminded, also of the turn that is being played.

    Raises AccountClosed, Barred, NoSuchReminder, TooManyReminders.
    """
    if not set(marks) <= set(MARKS):
        raise errors.NoSuchReminder
    if len(set(marks)) > MOST_MARKS:
        raise errors.TooManyReminders(most=MOST_MARKS)
    player = lock_acting_user(user, now)
    player.reminders = [mark for mark in MARKS if mark in marks]
    player.reminders_at_night = at_night
    player.save(update_fields=["reminders", "reminders_at_night"])
    recount_after_commit(player, now)
