"""The forms of wishes for opponents: a new one for a game, and the changes of one."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.clock.durations import pace_in_words
from games.clock.time_control import TimeControl
from games.forms.tables import OPTION_PREFIX, option_field
from games.forms.terms import GROWING, IN_ALL, PER_TURN
from games.models.wish import MOST_AT_ONCE
from games.rules.base import AnyRules

PACES: Sequence[TimeControl] = (*PER_TURN, *GROWING, *IN_ALL)
"""The paces that can be chosen: those of tables."""

USUAL_PACE = 2
"""The place of three days for each turn in PACES."""


class WishNumbersForm(forms.Form):
    """Which opponents, and how many games at once. The service checks the bounds."""

    lowest = forms.IntegerField(label=_("Lowest rating"), required=False)
    highest = forms.IntegerField(
        label=_("Highest rating"), required=False, help_text=_("Empty: any opponent fits.")
    )
    at_once = forms.IntegerField(
        label=_("Games at once"),
        initial=1,
        min_value=1,
        max_value=MOST_AT_ONCE,
        help_text=_("When one of them is over, we look for the next opponent."),
    )


class WishForm(WishNumbersForm):
    """A new wish for a game: its options and the pace come first."""

    pace = forms.TypedChoiceField(
        label=_("Pace"),
        coerce=int,
        choices=lambda: [(place, pace_in_words(pace)) for place, pace in enumerate(PACES)],
        initial=USUAL_PACE,
    )

    field_order = ("pace", "lowest", "highest", "at_once")

    def __init__(self, rules: AnyRules, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._keys = {OPTION_PREFIX + option.key: option.key for option in rules.options()}
        for option in rules.options():
            self.fields[OPTION_PREFIX + option.key] = option_field(option)

    @property
    def options(self) -> dict[str, object]:
        """The chosen options; the service checks them."""
        return {key: self.cleaned_data[name] for name, key in self._keys.items()}

    @property
    def chosen_pace(self) -> TimeControl:
        """The chosen pace."""
        return PACES[self.cleaned_data["pace"]]
