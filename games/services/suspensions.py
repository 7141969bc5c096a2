"""Keep suspended users, and those whose account is closed, from acting.

Every service through which players act calls this, so that pages and mail need no check of their
own.
"""

from datetime import datetime

from accounts.models import User
from accounts.users import lock_user
from games import errors


def is_suspended(user: User, now: datetime) -> bool:
    """Return whether the user is suspended or banned, or their account is closed."""
    return not user.is_active or user.is_barred(now)


def check_not_suspended(user: User, now: datetime) -> None:
    """Raise AccountClosed or Barred unless the user may act now."""
    if not user.is_active:
        raise errors.AccountClosed
    if user.is_barred(now):
        raise errors.Barred


def check_stays(user: User) -> None:
    """Raise LeavesSoon if the user has asked to delete their account: they begin no more games."""
    if user.deletion_due_at is not None:
        raise errors.LeavesSoon


def lock_acting_user(user: User, now: datetime) -> User:
    """Return the user with their row locked, to change what belongs to them.

    Raises AccountClosed, Barred.
    """
    person = lock_user(user.pk)
    check_not_suspended(person, now)
    return person
