"""The forms of what can be agreed on during a game."""

from datetime import timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.clock.durations import pace_in_words, span_in_words
from games.clock.time_control import PaceKind, TimeControl, per_turn
from games.services.agreements import PAUSES

DAY = timedelta(days=1)

PACES = (
    *(per_turn(days * DAY) for days in (1, 2, 3, 5, 7, 14)),
    TimeControl(PaceKind.FISCHER, allowance=DAY / 2, bank=3 * DAY, cap=7 * DAY),
    TimeControl(PaceKind.FISCHER, allowance=DAY, bank=7 * DAY, cap=14 * DAY),
    TimeControl(PaceKind.FISCHER, allowance=DAY, bank=30 * DAY, cap=45 * DAY),
    *(TimeControl(PaceKind.TOTAL, bank=days * DAY) for days in (30, 60, 90)),
)
"""The paces that the page offers; the model takes any durations."""


def _pauses() -> list[tuple[int, str]]:
    return [(days, span_in_words(days * DAY)) for days in PAUSES]


def _paces() -> list[tuple[int, str]]:
    return [(place, pace_in_words(pace)) for place, pace in enumerate(PACES)]


class PauseForm(forms.Form):
    """How long the clock shall stand."""

    days = forms.TypedChoiceField(label=_("For how long"), coerce=int, choices=_pauses, initial=7)


class PaceForm(forms.Form):
    """At which pace to play on."""

    pace = forms.TypedChoiceField(label=_("The new pace"), coerce=int, choices=_paces, initial=4)

    @property
    def chosen(self) -> TimeControl:
        """The checked answer."""
        place: Any = self.cleaned_data["pace"]
        return PACES[place]
