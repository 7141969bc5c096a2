"""What administrators decide about accounts: roles, and the fields that are nobody's secret."""

from collections.abc import Mapping
from datetime import datetime

from django.contrib.auth.models import Group
from django.db import transaction
from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from accounts.models import NameTaken, User
from accounts.roles import ADMINISTRATORS, MODERATORS
from accounts.users import lock_user
from games import errors
from games.models import ModerationLogEntry
from games.moderation import log
from games.moderation.action_names import UserAction
from games.moderation.base import check_not_stale
from games.moderation.permissions import is_administrator


class Role(TextChoices):
    """A person's role on this site. The values are in the log."""

    PLAYER = "player", _("player")
    MODERATOR = "moderator", _("moderator")
    ADMINISTRATOR = "host", _("administrator")


GROUPS = {Role.MODERATOR: MODERATORS, Role.ADMINISTRATOR: ADMINISTRATORS}


def role_of(person: User) -> Role:
    """Return a person's role."""
    if not person.is_staff:
        return Role.PLAYER
    names = {group.name for group in person.groups.all()}
    return Role.ADMINISTRATOR if ADMINISTRATORS in names else Role.MODERATOR


@transaction.atomic
def set_role(
    *, person_id: int, by: User, role: Role, why: str, now: datetime, seen: int | None = None
) -> User:
    """Make a person a player, a moderator or an administrator.

    Raises NotAnAdministrator, NoReason, SuperuserIsSafe, NotThemselves, ActedMeanwhile,
    NothingToChange.
    """
    person = _lock_for_administrator(person_id, by, why)
    if person.pk == by.pk:
        raise errors.NotThemselves
    check_not_stale(person.log_entries.all(), seen)
    former = role_of(person)
    if former == role:
        raise errors.NothingToChange
    person.is_staff = role != Role.PLAYER
    person.save(update_fields=["is_staff"])
    person.groups.remove(*Group.objects.filter(name__in=GROUPS.values()))
    if role in GROUPS:
        person.groups.add(Group.objects.get(name=GROUPS[role]))
    details: dict[str, object] = {"former": former.value, "role": role.value}
    log.write_entry(
        by=by, what=UserAction.ROLE.value, why=why, now=now, person=person, details=details
    )
    return person


@transaction.atomic
def change_account(
    *, person_id: int, by: User, changes: Mapping[str, object], why: str, now: datetime
) -> User:
    """Change fields of an account. The log keeps their new values.

    Raises NotAnAdministrator, NoReason, SuperuserIsSafe, NothingToChange, NotThemselves (to close
    one's own account, or change whether one is a superuser), BadNewName.
    """
    person = _lock_for_administrator(person_id, by, why)
    if not changes:
        raise errors.NothingToChange
    if person.pk == by.pk and not {"is_active", "is_superuser"}.isdisjoint(changes):
        raise errors.NotThemselves
    for name, value in changes.items():
        setattr(person, name, value)
    try:
        person.save(update_fields=list(changes))
    except NameTaken as error:
        raise errors.BadNewName(why=" ".join(error.messages)) from None
    details: dict[str, object] = {"changed": dict(changes)}
    log.write_entry(
        by=by, what=UserAction.ACCOUNT.value, why=why, now=now, person=person, details=details
    )
    return person


def log_without_reason(
    *, action: UserAction, person: User, by: User, what: str, now: datetime
) -> ModerationLogEntry:
    """Log a change by a form that asks for no reason; `what` takes the reason's place."""
    return log.write_entry(by=by, what=action.value, why=what, now=now, person=person)


def _lock_for_administrator(person_id: int, by: User, why: str) -> User:
    """Return a person with their row locked, for an administrator who gives a reason."""
    if not is_administrator(by):
        raise errors.NotAnAdministrator
    if not why.strip():
        raise errors.NoReason
    person = lock_user(person_id)
    if person.is_superuser and not by.is_superuser:
        raise errors.SuperuserIsSafe
    return person
