"""What players choose about their time: days off, quiet hours, reminders."""

from collections.abc import Collection
from datetime import datetime, time, timedelta

from django.db import transaction

from accounts.models import User
from games import errors
from games.clock.reminders import HOURS, MOST_MARKS, QUARTER
from games.clock.weekly_schedule import LONGEST_QUIET, MOST_DAYS_OFF, quiet_length
from games.services.clock.vacation_planning import check_no_deadline_passed, clocks_changed
from games.services.suspensions import lock_acting_user

MARKS = (QUARTER, *(f"{hours}h" for hours in HOURS))
"""The reminders that can be chosen."""


@transaction.atomic
def set_schedule(
    *,
    user: User,
    days_off: Collection[int],
    quiet_from: time | None,
    quiet_until: time | None,
    now: datetime,
) -> None:
    """Change somebody's days off (Monday is 0) and quiet hours: from their next turn on.

    Raises AccountClosed, Barred, NoSuchDay, TooManyDaysOff, QuietHoursHalf, QuietHoursTooLong.
    """
    _check_week(set(days_off), quiet_from, quiet_until)
    person = lock_acting_user(user, now)
    person.days_off = sorted(set(days_off))
    person.quiet_from, person.quiet_until = quiet_from, quiet_until
    person.save(update_fields=["days_off", "quiet_from", "quiet_until"])
    clocks_changed(person, now)


def _check_week(days: set[int], quiet_from: time | None, quiet_until: time | None) -> None:
    if not days <= set(range(7)):
        raise errors.NoSuchDay
    if len(days) > MOST_DAYS_OFF:
        raise errors.TooManyDaysOff(most=MOST_DAYS_OFF)
    if (quiet_from is None) != (quiet_until is None):
        raise errors.QuietHoursHalf
    if quiet_length(quiet_from, quiet_until) > LONGEST_QUIET:
        raise errors.QuietHoursTooLong(most=LONGEST_QUIET // timedelta(hours=1))


@transaction.atomic
def set_reminders(*, user: User, marks: Collection[str], at_night: bool, now: datetime) -> None:
    """Change when somebody is reminded, of the turn that runs too.

    Raises AccountClosed, Barred, NoSuchReminder, TooManyReminders.
    """
    if not set(marks) <= set(MARKS):
        raise errors.NoSuchReminder
    if len(set(marks)) > MOST_MARKS:
        raise errors.TooManyReminders(most=MOST_MARKS)
    person = lock_acting_user(user, now)
    person.reminders = [mark for mark in MARKS if mark in marks]
    person.reminders_at_night = at_night
    person.save(update_fields=["reminders", "reminders_at_night"])
    clocks_changed(person, now)


@transaction.atomic
def set_automatic_vacation(*, user: User, automatic: bool, now: datetime) -> None:
    """Choose whether a vacation begins by itself where a game would be lost on time.

    Raises AccountClosed, Barred, DeadlinePassed.
    """
    person = lock_acting_user(user, now)
    if automatic:
        check_no_deadline_passed(person, now)
    person.automatic_vacation = automatic
    person.save(update_fields=["automatic_vacation"])
