"""Asking for the deletion of one's account, calling it off, and the mails about it."""

from datetime import datetime

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import transaction
from django.http import HttpRequest
from django.urls import reverse

from accounts.models import SecurityEvent, User
from accounts.security_log import record
from games.services.batches import process_due_rows
from games.services.departures import leave_tables
from games.services.suspensions import lock_acting_user
from notifications import errors
from notifications.emails.formatting import plain
from notifications.kinds.account.kind import KIND
from notifications.models import AccountMailCount
from notifications.services.account import write_account_notice

Kind = SecurityEvent.Kind


def ask_for_deletion(
    *, user: User, typed_name: str, request: HttpRequest | None, now: datetime
) -> None:
    """Have the user's account deleted after DELETION_WAIT; `typed_name` confirms that.

    They are told by mail and leave all open tables at once; their games go on until then. The
    request is what the security log keeps of who asked.
    Raises AccountClosed, Barred, GuestsNeedNoDeletion, RoleFirst, DeletionAskedAlready,
    NotYourName.
    """
    with transaction.atomic():
        person = lock_acting_user(user, now)
        if person.is_guest:
            raise errors.GuestsNeedNoDeletion
        if person.is_staff or person.is_superuser:
            raise errors.RoleFirst
        if person.deletion_due_at is not None:
            raise errors.DeletionAskedAlready
        if typed_name.strip() != person.username:
            raise errors.NotYourName(name=person.username)
        person.deletion_due_at = now + settings.DELETION_WAIT
        person.deletion_reminded_at = None
        person.save(update_fields=["deletion_due_at", "deletion_reminded_at"])
        record(Kind.DELETION_ASKED, user=person, request=request, now=now)
        _tell(person, "deletion_asked", AccountMailCount.Group.NOTIFICATION, now)
    leave_tables(person, now=now)


@transaction.atomic
def call_off_deletion(*, user: User, request: HttpRequest | None, now: datetime) -> None:
    """Let the user keep their account. They are told by mail.

    Raises AccountClosed, Barred, NothingToKeep.
    """
    person = lock_acting_user(user, now)
    if person.deletion_due_at is None:
        raise errors.NothingToKeep
    person.deletion_due_at = person.deletion_reminded_at = None
    person.save(update_fields=["deletion_due_at", "deletion_reminded_at"])
    record(Kind.DELETION_STOPPED, user=person, request=request, now=now)
    _tell(person, "deletion_called_off", AccountMailCount.Group.NOTIFICATION, now)


def remind_of_deletions(*, now: datetime) -> int:
    """Write to those whose account is deleted within DELETION_REMINDER; return how many."""
    due = User.objects.filter(
        is_active=True,
        deletion_due_at__lte=now + settings.DELETION_REMINDER,
        deletion_reminded_at=None,
    )
    return process_due_rows(due, "deletion_due_at", lambda key: _remind(key, now))


@transaction.atomic
def _remind(key: int, now: datetime) -> bool:
    waiting = User.objects.filter(pk=key, deletion_due_at__isnull=False, deletion_reminded_at=None)
    if not waiting.update(deletion_reminded_at=now):
        return False
    _tell(User.objects.get(pk=key), "deletion_soon", None, now)
    return True


def _tell(person: User, mail: str, group: AccountMailCount.Group | None, now: datetime) -> None:
    """Write to every verified address: an intruder may have changed the main one."""
    addresses = EmailAddress.objects.filter(user=person, verified=True).order_by("pk")
    for address in addresses.values_list("email", flat=True):
        write_account_notice(
            template_prefix=KIND.template(mail),
            address=address,
            reader=person,
            language=person.language,
            context={
                "reader": plain(person),
                "day": person.deletion_due_at,
                "url": settings.SITE_URL + reverse("delete_account"),
                "sessions_url": settings.SITE_URL + reverse("usersessions_list"),
                "password_url": settings.SITE_URL + reverse("account_change_password"),
            },
            group=group,
            now=now,
        )
