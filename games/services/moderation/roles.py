"""Who looks after the house, and what an account says: a host's decision, in the log."""

from collections.abc import Mapping
from datetime import datetime

from django.contrib.auth.models import Group
from django.db import transaction
from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from accounts.models import NameTaken, User
from accounts.roles import HOSTS, MODERATORS
from accounts.users import lock_user
from games import errors
from games.models import Act
from games.services import log
from games.services.moderation.action_names import UserAction
from games.services.moderation.permissions import is_administrator
from games.services.moderation.staleness import check_not_stale


class Role(TextChoices):
    """What somebody is here."""

    PLAYER = "player", _("player")
    MODERATOR = "moderator", _("moderator")
    HOST = "host", _("administrator")


GROUPS = {Role.MODERATOR: MODERATORS, Role.HOST: HOSTS}


def role_of(person: User) -> Role:
    """Return somebody's role."""
    if not person.is_staff:
        return Role.PLAYER
    names = {group.name for group in person.groups.all()}
    return Role.HOST if HOSTS in names else Role.MODERATOR


@transaction.atomic
def set_role(
    *, person_id: int, by: User, role: Role, why: str, now: datetime, seen: int | None = None
) -> User:
    """Make somebody a player, a moderator or a host.

    Raises OnlyHosts, NoReason, NotThemselves, StaffIsSafe (of who may do everything),
    ActedMeanwhile, NothingToChange.
    """
    person = _in_hosts_hand(person_id, by, why)
    if person.pk == by.pk:
        raise errors.NotThemselves
    check_not_stale(person.acts.all(), seen)
    former = role_of(person)
    if former == role:
        raise errors.NothingToChange
    _give(person, role)
    details: dict[str, object] = {"former": former.value, "role": role.value}
    log.write_entry(
        by=by, what=UserAction.ROLE.value, why=why, now=now, person=person, details=details
    )
    return person


@transaction.atomic
def change_account(
    *, person_id: int, by: User, changes: Mapping[str, object], why: str, now: datetime
) -> User:
    """Let a host write into an account what is nobody's secret: the log keeps what, and why.

    Raises OnlyHosts, NoReason, StaffIsSafe (of who may do everything), NothingToChange,
    NotThemselves (who would close their own account, or take their own rights), BadNewName.
    """
    person = _in_hosts_hand(person_id, by, why)
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


def note_by_hand(*, measure: UserAction, person: User, by: User, what: str, now: datetime) -> Act:
    """Write down what somebody did in a form that asks for no reason: it says what instead."""
    return log.write_entry(by=by, what=measure.value, why=what, now=now, person=person)


def _in_hosts_hand(person_id: int, by: User, why: str) -> User:
    """Return a person, locked, for a host who has a reason."""
    if not is_administrator(by):
        raise errors.OnlyHosts
    if not why.strip():
        raise errors.NoReason
    person = lock_user(person_id)
    if person.is_superuser and not by.is_superuser:
        raise errors.StaffIsSafe
    return person


def _give(person: User, role: Role) -> None:
    person.is_staff = role != Role.PLAYER
    person.save(update_fields=["is_staff"])
    person.groups.remove(*Group.objects.filter(name__in=GROUPS.values()))
    if role in GROUPS:
        person.groups.add(Group.objects.get(name=GROUPS[role]))
