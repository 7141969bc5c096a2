"""Carries out the deletions that are due, in the background.

An account is claimed before it is deleted: then nobody can sign in any more. What a killed process
left is done again after CLAIMED_FOR. An hour later all is gone through once more, for what was
being written at that moment: a page, a mail on its way, an export.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet

from accounts.models import User
from accounts.users import lock_user
from games.services.batches import process_due_rows
from games.services.clubs.clubs import leave_clubs
from games.services.departures import leave_games, leave_tables
from games.services.ladders.places import leave_ladders
from games.services.site_status import is_closed
from notifications.deletion.erasure import end_sessions, erase, erase_names

CLAIMED_FOR = timedelta(minutes=10)
"""After this long, the process that deletes an account counts as dead."""

SECOND_PASS = timedelta(hours=1)
"""How long after a deletion everything is gone through once more."""


def due_deletions(now: datetime) -> QuerySet[User]:
    """Return the accounts that are to be deleted now, or gone through once more.

    Not while a user is suspended or banned: a new account would be a way out. Nor while they are
    staff again.
    """
    may_go = Q(barred_until=None) | Q(barred_until__lte=now) | Q(is_active=False)
    return User.objects.filter(may_go, deletion_due_at__lte=now, is_staff=False)


def delete_due_accounts(*, now: datetime) -> int:
    """Delete the accounts that are due; return how many are finished. None during maintenance."""
    if is_closed():
        return 0
    return process_due_rows(
        due_deletions(now), "deletion_due_at", lambda key: delete_account(key, now)
    )


def delete_account(key: int, now: datetime) -> bool:
    """Delete an account if that is due; return whether it was. Safe in any number of processes."""
    person = claim_deletion(key, now)
    if person is None:
        return False
    # Their programs follow, each as an account of its own.
    person.programs.filter(is_active=True, deletion_due_at=None).update(deletion_due_at=now)
    leave_tables(person, now=now)
    leave_ladders(person, now=now)
    leave_clubs(person, now=now)
    leave_games(person, now=now)
    erase(person, now=now)
    with transaction.atomic():
        locked = lock_user(key)
        if locked.is_former:
            User.objects.filter(pk=key).update(deletion_due_at=None)
        else:
            erase_names(locked)
            User.objects.filter(pk=key).update(deletion_due_at=now + SECOND_PASS)
    return True


@transaction.atomic
def claim_deletion(key: int, now: datetime) -> User | None:
    """Claim an account and close it; None if it is not due any more or another process has it."""
    person = lock_user(key)
    if not due_deletions(now).filter(pk=key).exists():
        return None
    person.is_active = False
    person.deletion_due_at = now + CLAIMED_FOR
    person.save(update_fields=["is_active", "deletion_due_at"])
    end_sessions(person)
    return person
