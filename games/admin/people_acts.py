"""The acts that a person's page offers to moderators."""

from datetime import datetime
from typing import Any

from django.utils.translation import gettext_lazy as _

from accounts.models import Sanction, User
from games.admin.asking import Ask
from games.admin.people_forms import (
    BanForm,
    LiftForm,
    MuteForm,
    RenameForm,
    RoleForm,
    SuspendForm,
    TellForm,
)
from games.services.moderation import people, roles
from games.services.moderation.rights import is_host


def _warn(person: User, **how: Any) -> object:
    return people.warn(person_id=person.pk, **how)


def _mute(person: User, **how: Any) -> object:
    return people.mute(person_id=person.pk, **how)


def _suspend(person: User, **how: Any) -> object:
    return people.suspend(person_id=person.pk, **how)


def _ban(person: User, **how: Any) -> object:
    return people.ban(person_id=person.pk, **how)


def _lift(person: User, *, by: User, now: datetime, sanction_id: int, why: str) -> object:
    return people.lift(sanction_id=sanction_id, by=by, why=why, now=now)


def _rename(person: User, **how: Any) -> object:
    return people.rename(person_id=person.pk, **how)


def _set_role(person: User, **how: Any) -> object:
    return roles.set_role(person_id=person.pk, **how)


def _judged(person: User, viewer: User) -> bool:
    return people.can_judge(person, viewer)


def _without(kind: Sanction.Kind) -> Any:
    """Offer a sanction to whoever may judge a person on whom none of its kind stands."""
    return lambda person, viewer: _judged(person, viewer) and kind not in _standing(person)


def _standing(person: User) -> set[str]:
    return {one.kind for one in person.sanctions.all() if one.lifted_at is None}


ASKS = [
    Ask(
        "warn",
        _("Warn"),
        _("A notice on every page until the person says that they have read it."),
        _("The person is warned."),
        _warn,
        TellForm,
        _judged,
    ),
    Ask(
        "mute",
        _("Mute"),
        _("The person writes no messages, at no game."),
        _("The person is muted."),
        _mute,
        MuteForm,
        _judged,
    ),
    Ask(
        "suspend",
        _("Suspend"),
        _("The person is signed out and kept out until then; their clocks run."),
        _("The person is suspended."),
        _suspend,
        SuspendForm,
        _judged,
        grave=True,
    ),
    Ask(
        "ban",
        _("Ban"),
        _("The person is kept out for good, and their tables are closed."),
        _("The person is banned."),
        _ban,
        BanForm,
        _without(Sanction.Kind.BAN),
        grave=True,
    ),
    Ask(
        "lift",
        _("Lift a sanction"),
        _("It ends now."),
        _("The sanction is lifted."),
        _lift,
        LiftForm,
        lambda person, viewer: _judged(person, viewer) and bool(_standing(person)),
    ),
    Ask(
        "rename",
        _("Rename"),
        _("Another user name; the display name goes."),
        _("The person has another name."),
        _rename,
        RenameForm,
        _judged,
    ),
    Ask(
        "role",
        _("Change the role"),
        _("Moderators and hosts need a second factor before the admin lets them in."),
        _("The role is changed."),
        _set_role,
        RoleForm,
        lambda person, viewer: is_host(viewer) and person.pk != viewer.pk,
        grave=True,
    ),
]
