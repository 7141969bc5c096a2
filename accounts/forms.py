"""What people tell us about themselves."""

from datetime import datetime
from typing import Any

from allauth.account import forms as allauth_forms
from allauth.mfa.webauthn import forms as passkey_forms
from django import forms
from django.http import HttpRequest
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from accounts.models import Language, User
from accounts.zones import known_zones, zone_choices


class LoginForm(allauth_forms.LoginForm):
    """Sign-in by user name or address."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].label = _("User name or e-mail address")
        self.fields["login"].widget.attrs["autocomplete"] = "username"


class AddPasskeyForm(passkey_forms.AddWebAuthnForm):
    """Adds a passkey; allauth leaves the name's label in English."""

    name = forms.CharField(label=_("Name"), required=False)


class EditPasskeyForm(passkey_forms.EditWebAuthnForm):
    """Renames a passkey."""

    name = forms.CharField(label=_("Name"))


class SignupForm(allauth_forms.SignupForm):
    """Sign-up; language and time zone are taken from the browser without asking."""

    time_zone = forms.CharField(
        required=False, widget=forms.HiddenInput(attrs={"data-time-zone": ""})
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = _("User name")
        self.fields["username"].help_text = _("Letters, digits, dots and hyphens.")
        self.fields["email"].label = _("E-mail address")
        self.fields["email"].help_text = _("Your turns are sent here. Nobody else sees it.")

    def clean_time_zone(self) -> str:
        """Return the browser's zone if there is such a zone, else UTC."""
        name = self.cleaned_data["time_zone"]
        return name if name in known_zones() else "UTC"

    def custom_signup(self, request: HttpRequest, user: User) -> None:
        """Keep the language of the page and the zone of the browser in the new profile."""
        language = get_language()
        user.language = language if language in Language.values else Language.ENGLISH
        user.time_zone = self.cleaned_data["time_zone"]
        user.save(update_fields=["language", "time_zone"])


class ProfileForm(forms.ModelForm):
    """What somebody may change about themselves."""

    class Meta:
        model = User
        fields = ["display_name", "language", "time_zone"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["time_zone"] = forms.ChoiceField(
            label=_("Time zone"),
            help_text=_("Deadlines are shown in this zone."),
            choices=zone_choices(self.instance.time_zone),
        )
        self.fields["display_name"].widget.attrs["autocomplete"] = "nickname"

    def save_at(self, now: datetime) -> None:
        """Write these fields only: the rest of the row may have changed meanwhile.

        In another zone the night comes at another time: reminders are to be set anew.
        """
        fields = list(self.Meta.fields)
        if "time_zone" in self.changed_data:
            self.instance.ask_to_count_clocks(now)
            fields.append("clocks_changed_at")
        self.instance.save(update_fields=fields)
