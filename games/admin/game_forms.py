"""What a moderator fills in before acting on a game."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games import errors
from games.admin.object_actions import SeenForm
from games.models import Game
from games.queries import notations

MOST_DAYS = 366


class GameForm(SeenForm):
    """A reason that the players read."""

    def __init__(self, subject: Game, *args: Any, **kwargs: Any) -> None:
        super().__init__(subject, *args, **kwargs)
        self.fields["why"].help_text = _("The log keeps it, and the players read it.")


class TimeForm(GameForm):
    """How much more time."""

    days = forms.IntegerField(label=_("Days"), min_value=0, max_value=MOST_DAYS, initial=1)
    hours = forms.IntegerField(label=_("Hours"), min_value=0, max_value=23, initial=0)

    def given(self) -> dict[str, Any]:
        """Return the time."""
        given = super().given()
        more = timedelta(days=given.pop("days"), hours=given.pop("hours"))
        return given | {"more": more}


class ResultForm(GameForm):
    """A place for each seat."""

    def __init__(self, subject: Game, *args: Any, **kwargs: Any) -> None:
        super().__init__(subject, *args, **kwargs)
        seats = list(subject.seats.all())
        places = [("", "—"), *((str(place), str(place)) for place in range(1, len(seats) + 1))]
        for seat in seats:
            label = gettext("Place of %(player)s") % {"player": seat.user or seat.number}
            self.fields[f"place_{seat.number}"] = forms.ChoiceField(label=label, choices=places)
        self.ask_why_last()

    def given(self) -> dict[str, Any]:
        """Return the places, in the order of the seats."""
        given = super().given()
        seats = self.subject.seats.all()
        return given | {"places": [int(given.pop(f"place_{seat.number}")) for seat in seats]}


class SeatForm(GameForm):
    """A seat."""

    seat = forms.ChoiceField(label=_("Seat"))

    def __init__(self, subject: Game, *args: Any, **kwargs: Any) -> None:
        super().__init__(subject, *args, **kwargs)
        field = self.fields["seat"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101  (see above)
        field.choices = [(str(seat.number), str(seat)) for seat in subject.seats.all()]

    def given(self) -> dict[str, Any]:
        """Return the seat's number."""
        return super().given() | {"seat": int(self.cleaned_data["seat"])}


class SubstituteForm(SeatForm):
    """A seat, and who shall play it."""

    player = forms.CharField(label=_("User name of the substitute"), max_length=150)

    def given(self) -> dict[str, Any]:
        """Return the seat's number and the person. Raises NoSuchPlayer."""
        given = super().given()
        name = given.pop("player")
        user = User.objects.filter(username__iexact=name).first() if name.isprintable() else None
        if user is None:
            raise errors.NoSuchPlayer(name=name)
        return given | {"user": user}


class TakebackForm(GameForm):
    """To which turn."""

    turn = forms.IntegerField(label=_("Back to the position after turn"), min_value=0)

    def __init__(self, subject: Game, *args: Any, **kwargs: Any) -> None:
        super().__init__(subject, *args, **kwargs)
        self.fields["turn"].initial = max(0, subject.turn_number - 1)
        self.fields["turn"].widget.attrs["max"] = max(0, subject.turn_number - 1)

    def chosen(self) -> Iterator[tuple[str, str]]:
        """Yield what was filled in, with the entries that would stand no more."""
        yield from super().chosen()
        gone = notations(self.subject)[self.cleaned_data["turn"] :]
        if gone:
            yield gettext("Taken back"), ", ".join(gone)
