"""Vacations: announcing them, taking them back, ending them early."""

from datetime import datetime, timedelta

from django.db import transaction
from django.template.defaultfilters import floatformat

from accounts.models import User, Vacation
from games import errors
from games.clock.calendar_days import SHORTEST_VACATION, local_length
from games.clock.spans import is_late
from games.services.clock.game_clock import recompute_deadline
from games.services.clock.recalculation import games_waiting_for, recount_after_commit
from games.services.clock.vacation_days import allowed, overdrawn
from games.services.suspensions import lock_acting_user

FURTHEST_BEGINNING = timedelta(days=366)
FURTHEST_END = timedelta(days=2 * 366)


@transaction.atomic
def announce_vacation(
    *, user: User, begins_at: datetime, ends_at: datetime, now: datetime
) -> Vacation:
    """Announce that a player is away from `begins_at` (now or later) until just before `ends_at`.

    Their time does not run then, wherever the table allows vacations. Raises AccountClosed, Barred,
    NoVacations, VacationTooLate, DeadlinePassed, VacationTooFar, VacationTooShort,
    VacationOverlaps, VacationOverdrawn; nothing has changed then.
    """
    if not allowed():
        raise errors.NoVacations
    person = lock_acting_user(user, now)
    _check_times(person, begins_at, ends_at, now)
    check_no_deadline_passed(person, now)
    _check_free(person, begins_at, ends_at)
    vacation = Vacation.objects.create(
        user=person,
        begins_at=begins_at,
        ends_at=ends_at,
        announced_at=now,
        zone=person.zone.key,
    )
    clocks_changed(person, now)
    return vacation


@transaction.atomic
def end_early(*, user: User, vacation_id: int, now: datetime) -> Vacation:
    """End a vacation that has begun: time runs from now on. It counts as a day at least.

    Raises AccountClosed, Barred, NoSuchVacation, VacationNotBegun.
    """
    person = lock_acting_user(user, now)
    vacation = _standing(person, vacation_id, now)
    if vacation.begins_at > now:
        raise errors.VacationNotBegun
    vacation.ends_at = vacation.ended_early_at = now
    vacation.save(update_fields=["ends_at", "ended_early_at"])
    clocks_changed(person, now)
    return vacation


@transaction.atomic
def cancel(*, user: User, vacation_id: int, now: datetime) -> None:
    """Take back a vacation that has not begun.

    Raises AccountClosed, Barred, NoSuchVacation, VacationBegun.
    """
    person = lock_acting_user(user, now)
    vacation = _standing(person, vacation_id, now)
    if vacation.begins_at <= now:
        raise errors.VacationBegun
    vacation.delete()
    clocks_changed(person, now)


def clocks_changed(person: User, now: datetime) -> None:
    """Let the person's running turns be counted anew once this transaction has committed."""
    person.ask_to_count_clocks(now)
    person.save(update_fields=["clocks_changed_at"])
    recount_after_commit(person, now=now)


def check_no_deadline_passed(person: User, now: datetime) -> None:
    """Raise DeadlinePassed where somebody's time is over and only the round has not come yet."""
    overdue = games_waiting_for(person.pk).filter(deadline__lt=now, allows_vacations=True)
    for game in overdue:
        recompute_deadline(game, player=person, now=now)
        if game.deadline is not None and is_late(game.deadline, now):
            raise errors.DeadlinePassed(game=game.pk)


def _check_times(person: User, begins_at: datetime, ends_at: datetime, now: datetime) -> None:
    if begins_at < now:
        raise errors.VacationTooLate
    if begins_at > now + FURTHEST_BEGINNING or ends_at > now + FURTHEST_END:
        raise errors.VacationTooFar
    if (
        ends_at <= begins_at
        or local_length(begins_at, ends_at, person.zone.key) < SHORTEST_VACATION
    ):
        raise errors.VacationTooShort


def _check_free(person: User, begins_at: datetime, ends_at: datetime) -> None:
    others = Vacation.objects.filter(user=person, begins_at__lt=ends_at, ends_at__gt=begins_at)
    if others.exists():
        raise errors.VacationOverlaps
    lacking = overdrawn(person, begins_at, ends_at)
    if lacking is not None:
        year, left = lacking
        raise errors.VacationOverdrawn(year=year, left=in_days(left), allowed=in_days(allowed()))


def _standing(person: User, vacation_id: int, now: datetime) -> Vacation:
    try:
        return Vacation.objects.get(pk=vacation_id, user=person, ends_at__gt=now)
    except Vacation.DoesNotExist:
        raise errors.NoSuchVacation from None


def in_days(time: timedelta) -> str:
    """Return a length as a number of days, with a tenth where that says more; never too many."""
    return str(floatformat(time * 10 // timedelta(days=1) / 10, -1))
