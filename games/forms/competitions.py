"""What the forms of tournaments and of matches of clubs have in common."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.forms.tables import OPTION_PREFIX, option_field
from games.forms.terms import TermsForm
from games.rules.base import AnyRules

LOCAL = "%Y-%m-%dT%H:%M"
"""How a browser sends a date with a time, in the reader's zone."""


class CompetitionForm(TermsForm):
    """Games of two with their options and pace, from a date on, each over within some days."""

    starts_at = forms.DateTimeField(
        label=_("Starts on"),
        input_formats=[LOCAL, "%Y-%m-%d %H:%M"],
        widget=forms.DateTimeInput(format=LOCAL, attrs={"type": "datetime-local"}),
    )
    game_days = forms.IntegerField(
        label=_("Days of a game at most"), initial=30, min_value=1, max_value=120
    )

    def __init__(self, rules: AnyRules, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("on_timeout", "substitute_level", "is_rated"):
            del self.fields[name]
        self._keys = {OPTION_PREFIX + option.key: option.key for option in rules.options()}
        for option in rules.options():
            self.fields[OPTION_PREFIX + option.key] = option_field(option)

    def clean(self) -> dict[str, Any]:
        return {**super().clean(), "is_rated": None}

    @property
    def option_fields(self) -> list[forms.BoundField]:
        """The fields of the game's own options."""
        return [self[name] for name in self._keys]

    @property
    def options(self) -> dict[str, object]:
        """The chosen options; the service checks them."""
        return {key: self.cleaned_data[name] for name, key in self._keys.items()}
