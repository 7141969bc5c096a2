"""The acts that a person's page offers to moderators."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from accounts.models import Sanction, User
from accounts.server_time import server_now
from games.admin.object_actions import ObjectAction, on
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
from games.services.moderation.permissions import is_administrator


def _lift(person: User, **how: Any) -> object:
    return people.lift_sanction(**how)


def _judged(person: User, viewer: User) -> bool:
    return people.can_judge(person, viewer)


def _without(kind: Sanction.Kind) -> Any:
    """Offer a sanction to whoever may judge a person on whom none of its kind stands."""
    return lambda person, viewer: _judged(person, viewer) and kind not in _standing(person)


def _standing(person: User) -> set[str]:
    now = server_now()
    return {one.kind for one in person.sanctions.all() if one.is_in_force(now)}


ASKS = [
    ObjectAction(
        "warn",
        _("Warn"),
        _("A notice on every page until the person says that they have read it."),
        _("The person is warned."),
        on("person_id", people.warn_user),
        TellForm,
        _judged,
    ),
    ObjectAction(
        "mute",
        _("Mute"),
        _("The person writes no messages, at no game."),
        _("The person is muted."),
        on("person_id", people.mute_user),
        MuteForm,
        _judged,
    ),
    ObjectAction(
        "suspend",
        _("Suspend"),
        _("The person is signed out and kept out until then; their clocks run."),
        _("The person is suspended."),
        on("person_id", people.suspend_user),
        SuspendForm,
        _judged,
        grave=True,
    ),
    ObjectAction(
        "ban",
        _("Ban"),
        _(
            "The person is kept out for good, and their tables are closed. Games that you play "
            "against them are left to the clock."
        ),
        _("The person is banned."),
        on("person_id", people.ban_user),
        BanForm,
        _without(Sanction.Kind.BAN),
        grave=True,
    ),
    ObjectAction(
        "lift",
        _("Lift a sanction"),
        _("It ends now."),
        _("The sanction is lifted."),
        _lift,
        LiftForm,
        lambda person, viewer: _judged(person, viewer) and bool(_standing(person)),
    ),
    ObjectAction(
        "rename",
        _("Rename"),
        _("Another user name; the display name goes."),
        _("The person has another name."),
        on("person_id", people.rename_user),
        RenameForm,
        _judged,
    ),
    ObjectAction(
        "role",
        _("Change the role"),
        _("Moderators and administrators need a second factor to use the admin pages."),
        _("The role is changed."),
        on("person_id", roles.set_role),
        RoleForm,
        lambda person, viewer: is_administrator(viewer) and person.pk != viewer.pk,
        grave=True,
    ),
]
