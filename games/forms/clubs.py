"""The forms of clubs: a new one, one of its tables, and a challenge to another club."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.forms.competitions import CompetitionForm
from games.forms.tables import NewTableForm
from games.models.club import LONGEST_NAME, LONGEST_TEXT
from games.rules.base import AnyRules
from games.services.clubs.matches import FEWEST_BOARDS, MOST_BOARDS, MatchPlan


class ClubForm(forms.Form):
    """The name of a club, and what it says of itself."""

    name = forms.CharField(label=_("Name of the club"), min_length=3, max_length=LONGEST_NAME)
    description = forms.CharField(
        label=_("Description"),
        max_length=LONGEST_TEXT,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("Everybody can read it."),
    )


class ClubTableForm(NewTableForm):
    """A table at which the members of a club can sit down."""

    def __init__(self, rules: AnyRules, *args: Any, **kwargs: Any) -> None:
        super().__init__(rules, *args, **kwargs)
        for name in ("whom", "name", "level", "is_public", "is_lesson"):
            del self.fields[name]


class MatchForm(CompetitionForm):
    """A challenge to another club. The service checks the bounds."""

    most_boards = forms.IntegerField(
        label=_("Most boards"),
        initial=4,
        min_value=FEWEST_BOARDS,
        max_value=MOST_BOARDS,
        help_text=_("There are fewer if fewer members want to play, but at least two."),
    )

    def __init__(self, rules: AnyRules, *args: Any, **kwargs: Any) -> None:
        super().__init__(rules, *args, **kwargs)
        self.fields["starts_at"].help_text = _(
            "Until then the other club can accept, and members can say that they want to play."
        )
        self.fields["game_days"].help_text = _(
            "A game that still runs then is decided by the time that was taken. So everybody knows "
            "when the match is over at the latest."
        )

    @property
    def plan(self) -> MatchPlan:
        """How the match is played."""
        return MatchPlan(
            **{name: self.cleaned_data[name] for name in MatchPlan.__dataclass_fields__}
        )
