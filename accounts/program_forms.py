"""Forms of the page “Programs and tokens”."""

from datetime import timedelta
from typing import Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from accounts.models import Scope, User
from accounts.names import username_validators
from accounts.programs import programs_of

LIFETIMES = (
    (30, _("for 30 days")),
    (90, _("for 90 days")),
    (365, _("for a year")),
    (0, _("until I revoke it")),
)


class TokenForm(forms.Form):
    """A new token: for whom, for what and for how long."""

    name = forms.CharField(
        label=_("Name"),
        max_length=60,
        help_text=_("For instance where you use it, to recognise it later."),
    )
    account = forms.ChoiceField(label=_("The token acts for"))
    scopes = forms.MultipleChoiceField(
        label=_("It may"),
        choices=[(one.value, format_lazy("{} ({})", one.label, one.value)) for one in Scope],
        initial=[Scope.GAMES_READ, Scope.PLAY, Scope.TABLES],
        widget=forms.CheckboxSelectMultiple,
    )
    days = forms.TypedChoiceField(label=_("It works"), choices=LIFETIMES, coerce=int, initial=90)

    def __init__(self, person: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.accounts = {str(program.user_id): program.user for program in programs_of(person)}
        self.accounts[str(person.pk)] = person
        names = [(key, str(user)) for key, user in self.accounts.items()]
        account = self.fields["account"]
        assert isinstance(account, forms.ChoiceField)  # noqa: S101  (declared above)
        account.choices = names
        # A program of one's own is what most tokens are for.
        self.initial.setdefault("account", names[0][0])

    @property
    def user(self) -> User:
        """For whom the token acts. Only of a valid form."""
        return self.accounts[self.cleaned_data["account"]]

    @property
    def lifetime(self) -> timedelta | None:
        """How long the token works, None for good. Only of a valid form."""
        days = self.cleaned_data["days"]
        return timedelta(days=days) if days else None


class ProgramForm(forms.Form):
    """The name of a new program."""

    username = forms.CharField(
        label=_("User name of the program"),
        max_length=30,
        validators=username_validators,
        help_text=_("Everybody sees that this is a program, and that it is yours."),
    )
