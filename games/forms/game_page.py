"""The forms on the page of a game, and the one that reports something."""

from functools import cache
from typing import Any

from django import forms
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

from games.clock.durations import pace_in_words, span_in_words
from games.clock.time_control import TimeControl
from games.forms.terms import DAY, GROWING, IN_ALL, PER_TURN
from games.models import Report
from games.services.conduct.reports import LONGEST
from games.services.offers import PAUSES

PACES = (*PER_TURN, *GROWING, *IN_ALL)
"""The paces that the page offers; the model takes any durations."""


class TurnForm(forms.Form):
    """A turn, typed or chosen from the list of legal ones."""

    # Whatever was sent goes to the rules: they say why it is no turn better than a form can.
    text = forms.Field(required=False)
    choice = forms.Field(required=False)
    expected_turn = forms.IntegerField(min_value=0, max_value=2**31 - 1)

    @property
    def turn(self) -> str:
        """The typed text, or the choice; a choice may continue the typed text."""
        typed: str = (self.cleaned_data["text"] or "").strip()
        chosen: str = self.cleaned_data["choice"] or ""
        return chosen if chosen.startswith(f"{typed}, ") else typed or chosen


class PauseForm(forms.Form):
    days = forms.TypedChoiceField(
        label=_("For how long"),
        coerce=int,
        # Called for each request, since the words depend on its language.
        choices=lambda: [(days, span_in_words(days * DAY)) for days in PAUSES],
        initial=7,
    )


class PaceForm(forms.Form):
    pace = forms.TypedChoiceField(
        label=_("The new pace"),
        coerce=int,
        choices=lambda: [(place, pace_in_words(pace)) for place, pace in enumerate(PACES)],
        initial=4,
    )

    @property
    def chosen(self) -> TimeControl:
        place: Any = self.cleaned_data["pace"]
        return PACES[place]


@cache
def empty_field(form: type[forms.Form], name: str, language: str) -> SafeString:
    """Return a field of an empty form as HTML, with its label; the same for everybody."""
    with override(language):
        return form()[name].as_field_group()


class ReportForm(forms.Form):
    reason = forms.ChoiceField(
        label=_("What is it about?"), choices=Report.Reason, widget=forms.RadioSelect
    )
    text = forms.CharField(
        label=_("What happened?"),
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text=_("Only the moderators read it."),
    )
