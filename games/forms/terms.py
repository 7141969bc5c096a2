"""What a table agrees about time, as fields of a form. The model takes any duration."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

from django import forms
from django.conf import settings
from django.utils.functional import lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.clock.durations import pace_in_words, span_in_words
from games.clock.time_control import PaceKind, TimeControl, per_turn
from games.models import Game, Terms
from games.rules.base import AnyRules, Options

DAY = timedelta(days=1)

PER_TURN = tuple(per_turn(days * DAY) for days in (1, 2, 3, 5, 7, 14))
GROWING = (
    TimeControl(PaceKind.FISCHER, allowance=DAY / 2, bank=3 * DAY, cap=7 * DAY),
    TimeControl(PaceKind.FISCHER, allowance=DAY, bank=7 * DAY, cap=14 * DAY),
    TimeControl(PaceKind.FISCHER, allowance=DAY, bank=30 * DAY, cap=45 * DAY),
)
IN_ALL = tuple(TimeControl(PaceKind.TOTAL, bank=days * DAY) for days in (30, 60, 90))

KINDS = [
    (PaceKind.TURN, _("So much time for each turn; what is left of it is not kept.")),
    (
        PaceKind.FISCHER,
        _("Everybody has time in stock, gets more after each turn, and saves up to a limit."),
    ),
    (PaceKind.TOTAL, _("Everybody has so much time for all their turns together.")),
]
"""The kinds of pace, each explained in one sentence."""


def _somebody_is_sought() -> str:
    return gettext(
        "The clock stops for up to %(time)s while the game looks for a substitute. Only for "
        "public games."
    ) % {"time": span_in_words(settings.SUBSTITUTE_DAYS * DAY)}


ON_TIMEOUT = {
    Game.OnTimeout.WITHDRAW: _("They leave the game, and the others play on without them."),
    Game.OnTimeout.SUBSTITUTE: lazy(_somebody_is_sought, str)(),
    Game.OnTimeout.PARTNER: _("Their partner plays for both from then on."),
}

FEWEST_SEVERAL = 3


def _days() -> list[tuple[int, str]]:
    return [(pace.allowance.days, span_in_words(pace.allowance)) for pace in PER_TURN]


def _growing() -> list[tuple[int, str]]:
    return [(place, pace_in_words(pace)) for place, pace in enumerate(GROWING)]


def _in_all() -> list[tuple[int, str]]:
    return [(pace.bank.days, span_in_words(pace.bank)) for pace in IN_ALL]


def _choice(label: Any, choices: Callable[[], Sequence[Any]], first: int) -> forms.Field:
    """Return a choice by number that may be left out: only one kind of pace is chosen."""
    return forms.TypedChoiceField(
        label=label,
        coerce=int,
        choices=choices,
        initial=first,
        required=False,
        empty_value=None,
        widget=forms.Select(attrs={"aria-label": label}),
    )


class TermsForm(forms.Form):
    """The pace, what stops the clock, and what becomes of whoever runs out of time."""

    pace = forms.ChoiceField(
        label=_("Pace"),
        choices=KINDS,
        initial=PaceKind.TURN,
        required=False,
        widget=forms.RadioSelect,
    )
    days = _choice(_("Time for each turn"), _days, 3)
    growing = _choice(_("Time in stock"), _growing, 1)
    total = _choice(_("Time for the whole game"), _in_all, 60)
    allows_vacations = forms.BooleanField(
        label=_("Vacations stop the clock"),
        required=False,
        initial=True,
        help_text=_("A player’s clock does not run during a vacation."),
    )
    allows_days_off = forms.BooleanField(
        label=_("Days off stop the clock"),
        required=False,
        initial=True,
        help_text=_("A player’s clock does not run on days off and during quiet hours."),
    )
    on_timeout = forms.ChoiceField(
        label=_("Who runs out of time"),
        required=False,
        widget=forms.RadioSelect,
    )

    def offer_endings(self, rules: AnyRules, options: Options) -> None:
        """Offer what can become of whoever runs out of time under these (checked) options."""
        offered = endings_offered(rules, options)
        field = self.fields["on_timeout"]
        choices = [(value, ON_TIMEOUT[value]) for value in offered or Game.OnTimeout]
        field.choices = choices  # type: ignore[attr-defined]
        field.disabled = not offered
        if field.disabled or not self.initial.get("on_timeout"):
            self.initial["on_timeout"] = Game.OnTimeout.WITHDRAW

    def clean(self) -> dict[str, Any]:
        """Ask for the times of the kind of pace that was chosen."""
        cleaned = super().clean() or {}
        cleaned["pace"] = cleaned.get("pace") or PaceKind.TURN
        times = {PaceKind.TURN: "days", PaceKind.FISCHER: "growing", PaceKind.TOTAL: "total"}
        name = times[PaceKind(cleaned["pace"])]
        if cleaned.get(name) is None and name not in self.errors:
            self.add_error(name, gettext("Say how much time there is."))
        return cleaned

    @property
    def terms(self) -> Terms:
        """The checked answer."""
        chosen = self.cleaned_data
        return Terms(
            self._pace(),
            allows_vacations=chosen["allows_vacations"],
            allows_days_off=chosen["allows_days_off"],
            on_timeout=chosen.get("on_timeout") or Game.OnTimeout.WITHDRAW,
        )

    def _pace(self) -> TimeControl:
        chosen = self.cleaned_data
        if chosen["pace"] == PaceKind.TURN:
            return per_turn(chosen["days"] * DAY)
        if chosen["pace"] == PaceKind.FISCHER:
            return GROWING[chosen["growing"]]
        return TimeControl(PaceKind.TOTAL, bank=chosen["total"] * DAY)


def endings_offered(rules: AnyRules, options: Options) -> list[Game.OnTimeout]:
    """Return what can become of a seat that runs out of time: nothing to choose with two seats."""
    if rules.seats(options) < FEWEST_SEVERAL:
        return []
    offered = [Game.OnTimeout.WITHDRAW, Game.OnTimeout.SUBSTITUTE]
    sides = rules.sides(options)
    return offered if len(set(sides)) == len(sides) else [*offered, Game.OnTimeout.PARTNER]
