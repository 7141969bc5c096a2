"""The acts that a person's page offers to moderators."""

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import Sanction, User
from games.admin.asking import Ask, on
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


def _lift(person: User, **how: Any) -> object:
    return people.lift(**how)


def _judged(person: User, viewer: User) -> bool:
    return people.can_judge(person, viewer)


def _without(kind: Sanction.Kind) -> Any:
    """Offer a sanction to whoever may judge a person on whom none of its kind stands."""
    return lambda person, viewer: _judged(person, viewer) and kind not in _standing(person)


def _standing(person: User) -> set[str]:
    now = timezone.now()
    return {one.kind for one in person.sanctions.all() if one.stands(now)}


ASKS = [
    Ask(
        "warn",
        _("Warn"),
        _("A notice on every page until the person says that they have read it."),
        _("The person is warned."),
        on("person_id", people.warn),
        TellForm,
        _judged,
    ),
    Ask(
        "mute",
        _("Mute"),
        _("The person writes no messages, at no game."),
        _("The person is muted."),
        on("person_id", people.mute),
        MuteForm,
        _judged,
    ),
    Ask(
        "suspend",
        _("Suspend"),
        _("The person is signed out and kept out until then; their clocks run."),
        _("The person is suspended."),
        on("person_id", people.suspend),
        SuspendForm,
        _judged,
        grave=True,
    ),
    Ask(
        "ban",
        _("Ban"),
        _(
            "The person is kept out for good, and their tables are closed. Games that you play "
            "against them are left to the clock."
        ),
        _("The person is banned."),
        on("person_id", people.ban),
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
        on("person_id", people.rename),
        RenameForm,
        _judged,
    ),
    Ask(
        "role",
        _("Change the role"),
        _("Moderators and hosts need a second factor before the admin lets them in."),
        _("The role is changed."),
        on("person_id", roles.set_role),
        RoleForm,
        lambda person, viewer: is_host(viewer) and person.pk != viewer.pk,
        grave=True,
    ),
]
