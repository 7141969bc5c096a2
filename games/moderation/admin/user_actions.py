"""What a moderator can do on the page of a person: the forms, and the actions."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import Sanction, User
from accounts.server_time import server_now
from games.moderation import people, roles
from games.moderation.action_names import Running
from games.moderation.admin.actions import ObjectAction, SeenForm, calls
from games.moderation.admin.details import labelled
from games.moderation.permissions import is_administrator, may_act_on
from games.moderation.roles import Role


class PersonForm(SeenForm):
    """The reason: the person reads it, too."""

    def __init__(self, subject: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(subject, *args, **kwargs)
        self.fields["why"].help_text = _("The person reads it, and it is kept in the log.")


class DateTimeWidget(forms.DateTimeInput):
    """The browser's own field for a day and a time."""

    input_type = "datetime-local"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%dT%H:%M")


class MuteForm(PersonForm):
    until = forms.DateTimeField(
        label=_("Until"), required=False, widget=DateTimeWidget, help_text=_("Empty: no end.")
    )


class SuspendForm(PersonForm):
    until = forms.DateTimeField(label=_("Until"), widget=DateTimeWidget)


class BanForm(PersonForm):
    running = forms.ChoiceField(label=_("Running games"), choices=Running, widget=forms.RadioSelect)

    def arguments(self) -> dict[str, Any]:
        return super().arguments() | {"running": Running(self.cleaned_data["running"])}


class LiftForm(SeenForm):
    sanction = forms.ChoiceField(label=_("Sanction"))

    def __init__(self, subject: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(subject, *args, **kwargs)
        now = server_now()
        choices = [
            (str(one.pk), labelled(one.get_kind_display(), one.reason[:60]))
            for one in subject.sanctions.all()
            if one.is_in_force(now)
        ]
        self.fields["sanction"] = forms.ChoiceField(label=_("Sanction"), choices=choices)
        self.move_reason_to_end()

    def arguments(self) -> dict[str, Any]:
        given = super().arguments()
        return given | {"sanction_id": int(given.pop("sanction"))}


class RenameForm(SeenForm):
    username = forms.CharField(label=_("New user name"), max_length=30)


class RoleForm(SeenForm):
    role = forms.ChoiceField(label=_("Role"), choices=Role)

    def arguments(self) -> dict[str, Any]:
        return super().arguments() | {"role": Role(self.cleaned_data["role"])}


def _sanctions_in_force(person: User) -> set[str]:
    now = server_now()
    return {one.kind for one in person.sanctions.all() if one.is_in_force(now)}


USER_ACTIONS = [
    ObjectAction(
        "warn",
        _("Warn"),
        _("A warning on every page until the person confirms that they have read it."),
        _("The person is warned."),
        calls("person_id", people.warn_user),
        PersonForm,
        may_act_on,
    ),
    ObjectAction(
        "mute",
        _("Mute"),
        _("The person cannot write messages in any game."),
        _("The person is muted."),
        calls("person_id", people.mute_user),
        MuteForm,
        may_act_on,
    ),
    ObjectAction(
        "suspend",
        _("Suspend"),
        _("The person is signed out and cannot sign in until then. Their clocks keep running."),
        _("The person is suspended."),
        calls("person_id", people.suspend_user),
        SuspendForm,
        may_act_on,
        is_destructive=True,
    ),
    ObjectAction(
        "ban",
        _("Ban"),
        _(
            "The person can never sign in again, and their tables are closed. Games that you "
            "play against them are left to the clock."
        ),
        _("The person is banned."),
        calls("person_id", people.ban_user),
        BanForm,
        lambda person, viewer: (
            may_act_on(person, viewer) and Sanction.Kind.BAN not in _sanctions_in_force(person)
        ),
        is_destructive=True,
    ),
    ObjectAction(
        "lift",
        _("Lift a sanction"),
        _("It ends now."),
        _("The sanction is lifted."),
        lambda person, **arguments: people.lift_sanction(**arguments),
        LiftForm,
        lambda person, viewer: may_act_on(person, viewer) and bool(_sanctions_in_force(person)),
    ),
    ObjectAction(
        "rename",
        _("Rename"),
        _("Gives the person another user name and removes their display name."),
        _("The person has another name."),
        calls("person_id", people.rename_user),
        RenameForm,
        may_act_on,
    ),
    ObjectAction(
        "role",
        _("Change the role"),
        _("Moderators and administrators need a second factor to use the admin pages."),
        _("The role is changed."),
        calls("person_id", roles.set_role),
        RoleForm,
        lambda person, viewer: is_administrator(viewer) and person.pk != viewer.pk,
        is_destructive=True,
    ),
]
