"""The forms of tables, built from the options that the rules declare."""

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.forms.terms import TermsForm, level_words
from games.rules.base import AnyRules, Option, OptionError
from games.services.invitations import Opponent
from games.services.levels import LOWEST, levels_of

OPTION_PREFIX = "option-"

WHOM = [
    ("partner", _("a program, at once")),
    ("anybody", _("anybody")),
    ("player", _("a player, by name")),
    ("address", _("somebody, by e-mail address")),
    ("link", _("whoever I give a link to")),
]


class OpponentForm(forms.Form):
    whom = forms.ChoiceField(label=_("Against"), choices=WHOM, widget=forms.RadioSelect)
    name = forms.CharField(
        label=_("Name or address"),
        max_length=254,
        required=False,
        help_text=_("Only for a player or an address."),
    )
    level = forms.TypedChoiceField(
        label=_("Level of the program"),
        coerce=int,
        empty_value=None,
        required=False,
        help_text=_("Only for a game against a program."),
    )

    def offer_levels(self, rules_slug: str) -> None:
        """Offer the levels of a game's program, by what they do."""
        choices = [(one.number, level_words(one)) for one in levels_of(rules_slug)]
        self.fields["level"].choices = choices  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("whom") in ("player", "address") and not cleaned.get("name"):
            self.add_error("name", _("Choose whom you want to play against."))
        return cleaned

    @property
    def opponent(self) -> Opponent:
        chosen = self.cleaned_data
        return Opponent(chosen["whom"], chosen["name"], chosen["level"] or LOWEST)


class InviteForm(OpponentForm):
    whom = forms.ChoiceField(
        label=_("Invite"),
        choices=[choice for choice in WHOM if choice[0] not in ("anybody", "link")],
        widget=forms.RadioSelect,
    )

    def __init__(self, rules_slug: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offer_levels(rules_slug)


class NewTableForm(OpponentForm, TermsForm):
    creator_seat = forms.TypedChoiceField(
        label=_("Who sits where"), coerce=int, empty_value=None, required=False
    )
    is_public = forms.BooleanField(
        label=_("Everybody may watch"),
        required=False,
        initial=True,
        help_text=_("A table for anybody is always public, one with a link never."),
    )

    is_lesson = forms.BooleanField(
        label=_("A lesson"),
        required=False,
        help_text=_(
            "After each turn a teacher says whether it kept the result. Only against a program."
        ),
    )

    def __init__(self, rules: AnyRules, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.rules = rules
        self.offer_levels(rules.slug)
        self._options = {OPTION_PREFIX + option.key: option for option in rules.options()}
        self._option_fields = {name: option_field(one) for name, one in self._options.items()}
        self._fit_choices()
        self.initial.setdefault("whom", "partner")

    def start_from(self, given: QueryDict) -> None:
        """Show what was chosen on this page before an option changed the other choices."""
        for name, field in (self.fields | self._option_fields).items():
            if not field.widget.value_omitted_from_data(given, {}, name):
                self.initial[name] = field.widget.value_from_datadict(given, {}, name)
        self._fit_choices()

    def _fit_choices(self) -> None:
        """Offer what the options chosen so far allow; the defaults if they make no sense."""
        source = self.data if self.is_bound else self.initial
        chosen = {one.key: source[name] for name, one in self._options.items() if name in source}
        try:
            options = self.rules.check_options(chosen)
        except OptionError:
            options = self.rules.check_options({})
        for name, field in self._option_fields.items():
            if self._options[name].applies(options):
                self.fields.setdefault(name, field)
            else:
                self.fields.pop(name, None)
        names = [
            self.rules.seat_name(options, seat).translated(gettext)
            for seat in range(self.rules.seats(options))
        ]
        seats = [gettext("I play %(seat)s") % {"seat": name} for name in names]
        seats[0] = gettext("I play %(seat)s and go first") % {"seat": names[0]}
        choices = [("", gettext("at random")), *enumerate(seats)]
        self.fields["creator_seat"].choices = choices  # type: ignore[attr-defined]
        self.offer_endings(self.rules, options)

    @property
    def option_fields(self) -> list[forms.BoundField]:
        """The fields of the game's own options that apply with the others."""
        return [self[name] for name in self._options if name in self.fields]

    @property
    def options(self) -> dict[str, object]:
        """The chosen options; the service checks them."""
        return {
            option.key: self.cleaned_data[name]
            for name, option in self._options.items()
            if name in self.cleaned_data
        }


def option_field(option: Option) -> forms.Field:
    help_text = gettext(option.help) if option.help else ""
    said: dict[str, Any] = {"label": gettext(option.label), "help_text": help_text}
    if option.choices:
        choices = [(value, gettext(label)) for value, label in option.choices]
        return forms.ChoiceField(choices=choices, initial=option.default, **said)
    if isinstance(option.default, bool):
        return forms.BooleanField(required=False, initial=option.default, **said)
    return forms.IntegerField(
        min_value=option.minimum,
        max_value=option.maximum,
        required=option.default is not None,
        initial=option.default,
        **said,
    )
