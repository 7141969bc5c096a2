"""The terms of a table as form fields. The model takes any duration."""

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
from games.rules.programs import Level
from games.services.levels import LOWEST, levels_of

DAY = timedelta(days=1)

PER_TURN = tuple(per_turn(days * DAY) for days in (1, 2, 3, 5, 7, 14))
GROWING = (
    TimeControl(PaceKind.FISCHER, allowance=DAY / 2, bank=3 * DAY, cap=7 * DAY),
    TimeControl(PaceKind.FISCHER, allowance=DAY, bank=7 * DAY, cap=14 * DAY),
    TimeControl(PaceKind.FISCHER, allowance=DAY, bank=30 * DAY, cap=45 * DAY),
)
IN_ALL = tuple(TimeControl(PaceKind.TOTAL, bank=days * DAY) for days in (30, 60, 90))

KINDS = [
    (PaceKind.TURN, _("A fixed time for each turn. Unused time is not kept.")),
    (
        PaceKind.FISCHER,
        _("Everybody has time in stock, gets more after each turn, and saves up to a limit."),
    ),
    (PaceKind.TOTAL, _("Everybody has so much time for all their turns together.")),
]
"""The kinds of pace, each explained in one sentence."""


def substitute_words() -> str:
    """Return what happens while the game looks for a substitute, in the active language."""
    return gettext(
        "The clock stops for up to %(time)s while the game looks for a substitute, at most "
        "%(most)s times for one seat. Only for public games."
    ) % {
        "time": span_in_words(settings.SUBSTITUTE_DAYS * DAY),
        "most": settings.SUBSTITUTES_A_SEAT,
    }


ON_TIMEOUT = {
    Game.OnTimeout.WITHDRAW: _("They leave the game, and the others play on without them."),
    Game.OnTimeout.SUBSTITUTE: lazy(substitute_words, str)(),
    Game.OnTimeout.PROGRAM: _(
        "A program takes the seat over, also of a player who resigns. You choose its level below. "
        "The game then no longer counts among the results."
    ),
    Game.OnTimeout.PARTNER: _("Their partner plays for both from then on."),
}

FEWEST_SEVERAL = 3


def _choice(label: Any, choices: Callable[[], Sequence[Any]], first: int) -> forms.Field:
    """Return a field that may be empty: only one kind of pace is chosen.

    `choices` is called for each request, since the words depend on its language.
    """
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
    """The pace, what stops the clock, what follows when time runs out, and whether it is rated."""

    pace = forms.ChoiceField(
        label=_("Pace"),
        choices=KINDS,
        initial=PaceKind.TURN,
        required=False,
        widget=forms.RadioSelect,
    )
    days = _choice(
        _("Time for each turn"),
        lambda: [(pace.allowance.days, span_in_words(pace.allowance)) for pace in PER_TURN],
        first=3,
    )
    growing = _choice(
        _("Time in stock"),
        lambda: [(place, pace_in_words(pace)) for place, pace in enumerate(GROWING)],
        first=1,
    )
    total = _choice(
        _("Time for the whole game"),
        lambda: [(pace.bank.days, span_in_words(pace.bank)) for pace in IN_ALL],
        first=60,
    )
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
    is_rated = forms.BooleanField(
        label=_("Rated"),
        required=False,
        initial=lambda: settings.RATED_TABLES,
        help_text=_(
            "The result changes the players’ ratings. Lessons and games of guests are never rated, "
            "nor is a game with less than two days a turn against a program that thinks for long."
        ),
    )
    on_timeout = forms.ChoiceField(
        label=_("Who runs out of time"),
        required=False,
        widget=forms.RadioSelect,
    )

    substitute_level = forms.TypedChoiceField(
        label=_("Level of a program that takes a seat over"),
        coerce=int,
        empty_value=None,
        required=False,
    )

    def offer_endings(self, rules: AnyRules, options: Options) -> None:
        """Offer what can happen on a time-out under these (checked) options."""
        levels = [(one.number, level_words(one)) for one in levels_of(rules.slug)]
        self.fields["substitute_level"].choices = levels  # type: ignore[attr-defined]
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
        chosen = self.cleaned_data
        if chosen["pace"] == PaceKind.TURN:
            pace = per_turn(chosen["days"] * DAY)
        elif chosen["pace"] == PaceKind.FISCHER:
            pace = GROWING[chosen["growing"]]
        else:
            pace = TimeControl(PaceKind.TOTAL, bank=chosen["total"] * DAY)
        return Terms(
            pace,
            allows_vacations=chosen["allows_vacations"],
            allows_days_off=chosen["allows_days_off"],
            on_timeout=chosen.get("on_timeout") or Game.OnTimeout.WITHDRAW,
            substitute_level=chosen.get("substitute_level") or LOWEST
            if chosen.get("on_timeout") == Game.OnTimeout.PROGRAM
            else None,
            is_rated=chosen["is_rated"],
        )


def level_words(level: Level) -> str:
    """Return a level's number and what it does, in the active language."""
    return f"{level.number} – {gettext(level.name)}"


def endings_offered(rules: AnyRules, options: Options) -> list[Game.OnTimeout]:
    """Return what can happen to a seat that runs out of time; no choice with two seats."""
    if rules.seats(options) < FEWEST_SEVERAL:
        return []
    offered = [Game.OnTimeout.WITHDRAW, Game.OnTimeout.SUBSTITUTE, Game.OnTimeout.PROGRAM]
    sides = rules.sides(options)
    return offered if len(set(sides)) == len(sides) else [*offered, Game.OnTimeout.PARTNER]
