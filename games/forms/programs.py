"""The form that says what somebody's program accepts."""

from datetime import timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import Program
from games.clock.durations import span_in_words
from games.rules.registry import all_rules
from games.services.programs import MOST_AT_ONCE

TIMES = (
    (60, _("a minute")),
    (300, _("5 minutes")),
    (3600, _("an hour")),
    (86_400, _("a day")),
    (3 * 86_400, _("3 days")),
    (7 * 86_400, _("a week")),
    (30 * 86_400, _("30 days")),
    (365 * 86_400, _("a year")),
)
"""Seconds, with their words."""


class ProgramSettingsForm(forms.Form):
    """What a program accepts. An option of a game without a mark is not asked about."""

    is_open = forms.BooleanField(label=_("It accepts new games"), required=False)
    games = forms.MultipleChoiceField(
        label=_("Games"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Tick none to accept all of them."),
    )
    shortest = forms.TypedChoiceField(
        label=_("Shortest time for its first turn"), choices=TIMES, coerce=int
    )
    longest = forms.TypedChoiceField(
        label=_("Longest time for its first turn"), choices=TIMES, coerce=int
    )
    most_games = forms.IntegerField(label=_("Games at once"), min_value=1, max_value=MOST_AT_ONCE)
    most_per_person = forms.IntegerField(
        label=_("Games at once against one person"), min_value=1, max_value=MOST_AT_ONCE
    )

    def __init__(self, program: Program, *args: Any, **kwargs: Any) -> None:
        kwargs["initial"] = {
            "is_open": program.is_open,
            "games": program.games,
            "shortest": int(program.shortest.total_seconds()),
            "longest": int(program.longest.total_seconds()),
            "most_games": program.most_games,
            "most_per_person": program.most_per_person,
        }
        super().__init__(*args, **kwargs)
        self._known = {(rules.slug, one.key) for rules in all_rules() for one in rules.options()}
        self._before = program.options
        self._options: dict[str, tuple[str, str]] = {}
        games = self.fields["games"]
        assert isinstance(games, forms.MultipleChoiceField)  # noqa: S101  (declared above)
        games.choices = [(rules.slug, gettext(rules.name)) for rules in all_rules()]
        for rules in all_rules():
            for option in rules.options():
                if option.choices:
                    name = f"option-{rules.slug}-{option.key}"
                    self._options[name] = (rules.slug, option.key)
                    self.fields[name] = forms.MultipleChoiceField(
                        label=gettext("%(game)s: %(option)s")
                        % {"game": gettext(rules.name), "option": gettext(option.label)},
                        choices=[(value, gettext(label)) for value, label in option.choices],
                        required=False,
                        widget=forms.CheckboxSelectMultiple,
                        initial=program.options.get(rules.slug, {}).get(option.key, []),
                        help_text=_("Tick none to accept all of them."),
                    )
        # A time that was set by the API stays as it is until another one is chosen.
        for name in ("shortest", "longest"):
            seconds = self.initial[name]
            field = self.fields[name]
            assert isinstance(field, forms.TypedChoiceField)  # noqa: S101  (declared above)
            if seconds not in dict(TIMES):
                field.choices = [*TIMES, (seconds, span_in_words(timedelta(seconds=seconds)))]

    def accepted(self) -> dict[str, Any]:
        """Return the arguments of `change_program`. Only of a valid form."""
        given = self.cleaned_data
        kept = self._known - set(self._options.values())
        # What the API has set of options that have no field here stays, if they still are there.
        options: dict[str, dict[str, list[Any]]] = {
            slug: {key: values for key, values in of_game.items() if (slug, key) in kept}
            for slug, of_game in self._before.items()
        }
        for name, (slug, key) in self._options.items():
            if given[name]:
                options.setdefault(slug, {})[key] = given[name]
        return {
            "is_open": given["is_open"],
            "games": given["games"],
            "options": options,
            "shortest": timedelta(seconds=given["shortest"]),
            "longest": timedelta(seconds=given["longest"]),
            "most_games": given["most_games"],
            "most_per_person": given["most_per_person"],
        }
