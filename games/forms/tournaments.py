"""The form of a new tournament: what is played, how, and who may join."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.forms.competitions import CompetitionForm
from games.models import Tournament
from games.rules.base import AnyRules
from games.services.tournaments.entries import Plan


class TournamentForm(CompetitionForm):
    """A new tournament of a game. The service checks the bounds."""

    name = forms.CharField(label=_("Name of the tournament"), max_length=60, required=False)
    form = forms.ChoiceField(
        label=_("System"), choices=Tournament.Form, initial="swiss", widget=forms.RadioSelect
    )
    most_players = forms.IntegerField(
        label=_("Most players"),
        initial=16,
        min_value=3,
        max_value=64,
        help_text=_("Everybody against everybody: 12 at most, because all games begin at once."),
    )
    starts_when_full = forms.BooleanField(
        label=_("Starts as soon as it is full"),
        required=False,
        help_text=_("If it is not full at the date above, it is not played."),
    )
    swiss_rounds = forms.IntegerField(
        label=_("Rounds of a Swiss tournament"), initial=5, min_value=2, max_value=9
    )
    best_of = forms.TypedChoiceField(
        label=_("Games of a knock-out match"),
        coerce=int,
        choices=[(1, _("one game")), (3, _("best of three")), (5, _("best of five"))],
        initial=1,
    )
    legs = forms.TypedChoiceField(
        label=_("Games of each pair, everybody against everybody or in a group"),
        coerce=int,
        choices=[(1, _("one")), (2, _("two, with sides changed"))],
        initial=1,
    )
    group_size = forms.IntegerField(
        label=_("Most players of a group"), initial=4, min_value=3, max_value=6
    )
    has_third_place = forms.BooleanField(
        label=_("Match for the third place"),
        required=False,
        help_text=_("Only with a knock-out. It is played together with the final."),
    )
    least_rating = forms.IntegerField(label=_("Lowest rating"), required=False)
    most_rating = forms.IntegerField(
        label=_("Highest rating"), required=False, help_text=_("Empty: everybody can join.")
    )
    by_link = forms.BooleanField(
        label=_("Only with its link"),
        required=False,
        help_text=_("It is in no list, and its games are private."),
    )

    def __init__(self, rules: AnyRules, *args: Any, **kwargs: Any) -> None:
        super().__init__(rules, *args, **kwargs)
        self.fields["starts_at"].help_text = _(
            "Until then one can join. With fewer than three players it is not played."
        )
        self.fields["game_days"].help_text = _(
            "A game that still runs then is decided by the time that was taken. So everybody knows "
            "when the tournament is over at the latest."
        )

    @property
    def plan(self) -> Plan:
        """How it is played and who may join."""
        return Plan(**{name: self.cleaned_data[name] for name in Plan.__dataclass_fields__})
