"""What a moderator can do on the page of a game: the forms, and the actions."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.clock.clock import StopReason
from games.models import Game
from games.models.ending import ON_TIME
from games.moderation import game_actions
from games.moderation.admin.actions import ObjectAction, SeenForm, Text, calls, user_named
from games.moderation.competition import annul_game
from games.queries.positions import notations

MOST_DAYS = 366


class GameForm(SeenForm):
    """The reason: the players read it, too."""

    def __init__(self, subject: Game, *args: Any, **kwargs: Any) -> None:
        super().__init__(subject, *args, **kwargs)
        self.fields["why"].help_text = _("It is kept in the log, and the players read it.")


class TimeForm(GameForm):
    days = forms.IntegerField(label=_("Days"), min_value=0, max_value=MOST_DAYS, initial=1)
    hours = forms.IntegerField(label=_("Hours"), min_value=0, max_value=23, initial=0)

    def arguments(self) -> dict[str, Any]:
        given = super().arguments()
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
        self.move_reason_to_end()

    def arguments(self) -> dict[str, Any]:
        given = super().arguments()
        seats = self.subject.seats.all()
        return given | {"places": [int(given.pop(f"place_{seat.number}")) for seat in seats]}


class SeatForm(GameForm):
    seat = forms.ChoiceField(label=_("Seat"))

    def __init__(self, subject: Game, *args: Any, **kwargs: Any) -> None:
        super().__init__(subject, *args, **kwargs)
        seats = [(str(seat.number), str(seat)) for seat in subject.seats.all()]
        self.fields["seat"] = forms.ChoiceField(label=_("Seat"), choices=seats)
        self.move_reason_to_end()

    def arguments(self) -> dict[str, Any]:
        return super().arguments() | {"seat": int(self.cleaned_data["seat"])}


class SubstituteForm(SeatForm):
    player = forms.CharField(label=_("User name of the substitute"), max_length=150)

    def arguments(self) -> dict[str, Any]:
        given = super().arguments()
        return given | {"user": user_named(given.pop("player"))}


class TakebackForm(GameForm):
    turn = forms.IntegerField(label=_("Back to the position after turn"), min_value=0)

    def __init__(self, subject: Game, *args: Any, **kwargs: Any) -> None:
        super().__init__(subject, *args, **kwargs)
        self.fields["turn"].initial = max(0, subject.turn_number - 1)
        self.fields["turn"].widget.attrs["max"] = max(0, subject.turn_number - 1)

    def summary(self) -> Iterator[tuple[str, str]]:
        """Yield the fields, and the entries of the record that would no longer count."""
        yield from super().summary()
        gone = notations(self.subject)[self.cleaned_data["turn"] :]
        if gone:
            yield gettext("Taken back"), ", ".join(gone)


class VerifyAction(ObjectAction):
    def message(self, result: object) -> Text | tuple[Text, bool]:
        """Say whether the record verifies, and what was wrong."""
        assert isinstance(result, game_actions.Verification)  # noqa: S101  (the service returns it)
        if not result.found:
            return gettext("The record verifies: hashes, turns and cached position agree.")
        if not result.left:
            wrong = {"faults": "; ".join(map(str, result.found))}
            return gettext("The cache was wrong and is rebuilt: %(faults)s.") % wrong
        left = {"faults": "; ".join(map(str, result.left))}
        return gettext("The record does not verify: %(faults)s.") % left, False


def is_running(game: Game, viewer: User) -> bool:
    return game.status == Game.Status.ACTIVE


GAME_ACTIONS = [
    ObjectAction(
        "pause",
        _("Pause"),
        _("Nobody can act, and nobody’s time runs, until a moderator resumes it."),
        _("The game is paused."),
        calls("game_id", game_actions.pause_game),
        GameForm,
        lambda game, viewer: is_running(game, viewer) and game.stop_reason != StopReason.MODERATOR,
    ),
    ObjectAction(
        "resume",
        _("Resume"),
        _("The clock resumes with the time that was left."),
        _("The game goes on."),
        calls("game_id", game_actions.resume_game),
        GameForm,
        lambda game, viewer: (
            is_running(game, viewer) and game.stop_reason not in ("", StopReason.SUBSTITUTE)
        ),
    ),
    ObjectAction(
        "add-time",
        _("Add time"),
        _("More time for the current turn."),
        _("The time is added."),
        calls("game_id", game_actions.give_time),
        TimeForm,
        is_running,
    ),
    ObjectAction(
        "take-back",
        _("Take back"),
        _("The game resumes from an earlier turn. The record keeps what was played."),
        _("The game is taken back."),
        calls("game_id", game_actions.take_back),
        TakebackForm,
        lambda game, viewer: is_running(game, viewer) and game.turn_number > 0,
        is_destructive=True,
    ),
    ObjectAction(
        "substitute",
        _("Seat a substitute"),
        _("Somebody else takes over a seat. The turns played so far stay as they are."),
        _("The seat has a new player."),
        calls("game_id", game_actions.substitute),
        SubstituteForm,
        is_running,
    ),
    ObjectAction(
        "withdraw",
        _("Remove a player"),
        _("The player leaves the game as if they had resigned. The others play on."),
        _("The player has been removed from the game."),
        calls("game_id", game_actions.remove_player),
        SeatForm,
        lambda game, viewer: is_running(game, viewer) and len(game.seats.all()) > 2,  # noqa: PLR2004
        is_destructive=True,
    ),
    ObjectAction(
        "adjudicate",
        _("Decide the game"),
        _("The game ends with these places; the same place for everybody is a draw."),
        _("The game is decided."),
        calls("game_id", game_actions.adjudicate),
        ResultForm,
        is_running,
        is_destructive=True,
    ),
    ObjectAction(
        "abort",
        _("Abort the game"),
        _("The game ends without a result; a table that waits is closed."),
        _("The game is aborted."),
        calls("game_id", game_actions.abort_as_moderator),
        GameForm,
        lambda game, viewer: not game.is_over,
        is_destructive=True,
    ),
    ObjectAction(
        "reopen",
        _("Reopen"),
        _("What a player’s lack of time did is undone; whoever is to move has at least a day."),
        _("The game is open again."),
        calls("game_id", game_actions.reopen_game),
        GameForm,
        lambda game, viewer: (
            game.ending in ON_TIME or any(seat.left_because in ON_TIME for seat in game.seats.all())
        ),
    ),
    ObjectAction(
        "make-private",
        _("Make private"),
        _("Only players, invited people and moderators can see it."),
        _("The game is private now."),
        calls("game_id", game_actions.set_public, is_public=False),
        GameForm,
        lambda game, viewer: game.is_public,
    ),
    ObjectAction(
        "make-public",
        _("Make public"),
        _("Everybody can see it."),
        _("The game is public now."),
        calls("game_id", game_actions.set_public, is_public=True),
        GameForm,
        lambda game, viewer: not game.is_public,
    ),
    ObjectAction(
        "close-conversation",
        _("Close the conversation"),
        _("Nobody can write messages there any more."),
        _("The conversation is closed."),
        calls("game_id", game_actions.set_conversation, is_open=False),
        GameForm,
        lambda game, viewer: game.conversation_closed_at is None,
    ),
    ObjectAction(
        "open-conversation",
        _("Open the conversation"),
        _("The players can write messages again."),
        _("The conversation is open again."),
        calls("game_id", game_actions.set_conversation, is_open=True),
        GameForm,
        lambda game, viewer: game.conversation_closed_at is not None,
    ),
    VerifyAction(
        "verify",
        _("Verify the record"),
        _("Compares the record with its hashes and the cache. A wrong cache is rebuilt."),
        _("The record is verified."),
        calls("game_id", game_actions.verify_record),
        GameForm,
    ),
]

ANNUL = ObjectAction(
    "annul",
    _("Annul the game"),
    _("It counts for nobody, in tables and ratings. If it runs, it ends without a result."),
    _("The game is annulled."),
    calls("game_id", annul_game),
    GameForm,
    lambda game, viewer: (
        # `load_game` has set it.
        game.status in (Game.Status.ACTIVE, Game.Status.FINISHED) and game.in_competition
    ),
    is_destructive=True,
)
"""The action on a game of a league, ladder or tournament."""
