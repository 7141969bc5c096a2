"""What a moderator fills in before acting on a person."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import Sanction, User
from accounts.server_time import server_now
from games.admin.details import labelled
from games.admin.object_actions import SeenForm
from games.services.moderation.people import Running
from games.services.moderation.roles import Role


class TellForm(SeenForm):
    """A reason that the person reads."""

    def __init__(self, subject: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(subject, *args, **kwargs)
        self.fields["why"].help_text = _("The person reads it, and the log keeps it.")


class _Moment(forms.DateTimeInput):
    """A day and a time, as browsers ask for them."""

    input_type = "datetime-local"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%dT%H:%M")


class MuteForm(TellForm):
    """Until when, or for good."""

    until = forms.DateTimeField(
        label=_("Until"), required=False, widget=_Moment, help_text=_("Empty: for good.")
    )


class SuspendForm(TellForm):
    """Until when."""

    until = forms.DateTimeField(label=_("Until"), widget=_Moment)


class BanForm(TellForm):
    """What becomes of the running games."""

    running = forms.ChoiceField(label=_("Running games"), choices=Running, widget=forms.RadioSelect)

    def given(self) -> dict[str, Any]:
        """Return the choice as the service names it."""
        return super().given() | {"running": Running(self.cleaned_data["running"])}


class LiftForm(SeenForm):
    """Which sanction."""

    sanction = forms.ChoiceField(label=_("Sanction"))

    def __init__(self, subject: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(subject, *args, **kwargs)
        now = server_now()
        named = {one.pk: one for one in subject.sanctions.all() if one.is_in_force(now)}
        self.fields["sanction"] = forms.ChoiceField(
            label=_("Sanction"), choices=[(str(pk), _words(one)) for pk, one in named.items()]
        )
        self.ask_why_last()

    def given(self) -> dict[str, Any]:
        """Return the sanction's key."""
        given = super().given()
        return given | {"sanction_id": int(given.pop("sanction"))}


def _words(sanction: Sanction) -> str:
    return labelled(sanction.get_kind_display(), sanction.reason[:60])


class RenameForm(SeenForm):
    """The new user name."""

    username = forms.CharField(label=_("New user name"), max_length=30)


class RoleForm(SeenForm):
    """The new role."""

    role = forms.ChoiceField(label=_("Role"), choices=Role)

    def given(self) -> dict[str, Any]:
        """Return the choice as the service names it."""
        return super().given() | {"role": Role(self.cleaned_data["role"])}
