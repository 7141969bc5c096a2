"""What a person can choose about their mail."""

from typing import Any

from django import forms

from accounts.models import User
from notifications.models import Cadence
from notifications.services.preferences import OPTIONAL, cadence_of, choose


class MailPreferencesForm(forms.Form):
    """One choice for each kind of mail that can be switched off."""

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        for kind in OPTIONAL:
            self.fields[kind.value] = forms.ChoiceField(
                label=kind.label,
                choices=Cadence.choices,
                initial=cadence_of(user, kind),
                widget=forms.RadioSelect,
            )

    def save(self) -> None:
        """Keep what was chosen."""
        for kind in OPTIONAL:
            choose(user=self.user, kind=kind, cadence=Cadence(self.cleaned_data[kind.value]))
