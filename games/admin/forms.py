"""What a moderator fills in before an act: always a reason."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models import Game
from games.queries import notations
from games.services.errors import NoSuchPlayer

LONGEST_REASON = 2000
MOST_DAYS = 366


class ReasonForm(forms.Form):
    """The reason, and the newest act that the moderator has seen on this game."""

    why = forms.CharField(
        label=_("Reason"),
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("The log keeps it, and the players read it."),
    )
    seen = forms.IntegerField(widget=forms.HiddenInput, required=False, min_value=0)

    def __init__(self, game: Game, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.game = game
        self.order_fields([name for name in self.fields if name not in ("why", "seen")])

    def choices(self) -> dict[str, Any]:
        """Return what was chosen besides the reason, as the service takes it. Raises Refusal."""
        return {}

    def chosen(self) -> Iterator[tuple[str, str]]:
        """Yield what was filled in, in words."""
        for field in self:
            if not field.is_hidden:
                yield str(field.label), self._words(field)

    def _words(self, field: forms.BoundField) -> str:
        value = str(field.value() or "")
        if isinstance(field.field, forms.ChoiceField):
            return str(dict(field.field.choices).get(value, value))  # type: ignore[arg-type]
        return value


class TimeForm(ReasonForm):
    """How much more time."""

    days = forms.IntegerField(label=_("Days"), min_value=0, max_value=MOST_DAYS, initial=1)
    hours = forms.IntegerField(label=_("Hours"), min_value=0, max_value=23, initial=0)

    def choices(self) -> dict[str, Any]:
        """Return the time."""
        data = self.cleaned_data
        return {"more": timedelta(days=data["days"], hours=data["hours"])}


class ResultForm(ReasonForm):
    """A place for each seat."""

    def __init__(self, game: Game, *args: Any, **kwargs: Any) -> None:
        super().__init__(game, *args, **kwargs)
        seats = list(game.seats.all())
        places = [("", "—"), *((str(place), str(place)) for place in range(1, len(seats) + 1))]
        for seat in seats:
            label = gettext("Place of %(player)s") % {"player": seat.user or seat.number}
            self.fields[f"place_{seat.number}"] = forms.ChoiceField(label=label, choices=places)
        self.order_fields([name for name in self.fields if name not in ("why", "seen")])

    def choices(self) -> dict[str, Any]:
        """Return the places, in the order of the seats."""
        return {
            "places": [
                int(self.cleaned_data[f"place_{seat.number}"]) for seat in self.game.seats.all()
            ]
        }


class SeatForm(ReasonForm):
    """A seat."""

    seat = forms.ChoiceField(label=_("Seat"))

    def __init__(self, game: Game, *args: Any, **kwargs: Any) -> None:
        super().__init__(game, *args, **kwargs)
        field = self.fields["seat"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101  (see above)
        field.choices = [(str(seat.number), str(seat)) for seat in game.seats.all()]

    def choices(self) -> dict[str, Any]:
        """Return the seat's number."""
        return {"seat": int(self.cleaned_data["seat"])}


class SubstituteForm(SeatForm):
    """A seat, and who shall play it."""

    player = forms.CharField(label=_("User name of the substitute"), max_length=150)

    def choices(self) -> dict[str, Any]:
        """Return the seat's number and the person. Raises NoSuchPlayer."""
        name = self.cleaned_data["player"]
        user = User.objects.filter(username__iexact=name).first() if name.isprintable() else None
        if user is None:
            raise NoSuchPlayer(name=name)
        return super().choices() | {"user": user}


class TakebackForm(ReasonForm):
    """To which turn."""

    turn = forms.IntegerField(label=_("Back to the position after turn"), min_value=0)

    def __init__(self, game: Game, *args: Any, **kwargs: Any) -> None:
        super().__init__(game, *args, **kwargs)
        self.fields["turn"].initial = max(0, game.turn_number - 1)
        self.fields["turn"].widget.attrs["max"] = max(0, game.turn_number - 1)

    def choices(self) -> dict[str, Any]:
        """Return the number."""
        return {"turn": self.cleaned_data["turn"]}

    def chosen(self) -> Iterator[tuple[str, str]]:
        """Yield what was filled in, with the entries that would stand no more."""
        yield from super().chosen()
        gone = notations(self.game)[self.cleaned_data["turn"] :]
        if gone:
            yield gettext("Taken back"), ", ".join(gone)
