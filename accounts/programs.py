"""The accounts of people's programs: creating and deleting them."""

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import Program, User
from accounts.users import lock_user

MOST_PROGRAMS = 10
"""Programs that one person can have at a time."""


class TooManyPrograms(Exception):
    """The person has MOST_PROGRAMS programs already."""


@transaction.atomic
def create_program(*, owner: User, username: str) -> User:
    """Create the account of a program, marked as a bot, which nobody can sign in to.

    Raises TooManyPrograms, ValidationError (of `username`), NameTaken.
    """
    lock_user(owner.pk)
    if programs_of(owner).count() >= MOST_PROGRAMS:
        raise TooManyPrograms
    user = User(
        username=username,
        is_bot=True,
        owner=owner,
        language=owner.language,
        time_zone=owner.time_zone,
        automatic_vacation=False,
        reminders=[],
    )
    user.set_unusable_password()
    user.full_clean(exclude=["password"])
    user.save(force_insert=True)
    Program.objects.create(user=user)
    return user


def programs_of(owner: User) -> QuerySet[Program]:
    """Return the programs of a person, without those that are being deleted."""
    found = Program.objects.filter(
        user__owner=owner, user__is_active=True, user__deletion_due_at=None
    )
    return found.select_related("user").order_by("user__username")


@transaction.atomic
def delete_program(*, program: Program, now: datetime) -> None:
    """Have the account deleted at once, as accounts are: it leaves its tables and resigns.

    Its tokens no longer work.
    """
    user = lock_user(program.user_id)
    user.api_tokens.all().delete()
    user.deletion_due_at = user.deletion_reminded_at = now
    user.save(update_fields=["deletion_due_at", "deletion_reminded_at"])
