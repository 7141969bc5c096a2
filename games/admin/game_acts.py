"""The acts that a game's page offers to moderators."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from games.admin.game_forms import (
    GameForm,
    ResultForm,
    SeatForm,
    SubstituteForm,
    TakebackForm,
    TimeForm,
)
from games.admin.object_actions import ObjectAction, on
from games.admin.reasons import Said
from games.clock.clock import StopReason
from games.models import Game
from games.services.moderation import adjudication, clocks, records, seats, takebacks, visibility


class VerifyAsk(ObjectAction):
    """The act whose answer says what it found."""

    def answer(self, result: object) -> Said | tuple[Said, bool]:
        """Say whether the record verifies, and what was wrong."""
        assert isinstance(result, records.Verification)  # noqa: S101  (it is what `do` returns)
        if not result.found:
            return _("The record verifies: hashes, turns and cached position agree.")
        wrong = "; ".join(map(str, result.found))
        if not result.left:
            return _("The cache was wrong and is rebuilt: %(faults)s.") % {"faults": wrong}
        left = {"faults": "; ".join(map(str, result.left))}
        return _("The record does not verify: %(faults)s.") % left, False


def _runs(game: Game, viewer: User) -> bool:
    return game.status == Game.Status.ACTIVE


def _held(game: Game) -> bool:
    return game.stop_reason == StopReason.MODERATOR


def _several(game: Game, viewer: User) -> bool:
    return _runs(game, viewer) and len(game.seats.all()) > 2  # noqa: PLR2004


ASKS = [
    ObjectAction(
        "pause",
        gettext_lazy("Pause"),
        gettext_lazy("Nobody can act, and nobody’s time runs, until a moderator resumes it."),
        gettext_lazy("The game is paused."),
        on("game_id", clocks.pause_game),
        GameForm,
        lambda game, viewer: _runs(game, viewer) and not _held(game),
    ),
    ObjectAction(
        "resume",
        gettext_lazy("Resume"),
        gettext_lazy("The clock goes on with the time that was left."),
        gettext_lazy("The game goes on."),
        on("game_id", clocks.resume_game),
        GameForm,
        lambda game, viewer: (
            _runs(game, viewer) and game.stop_reason not in ("", StopReason.SUBSTITUTE)
        ),
    ),
    ObjectAction(
        "add-time",
        gettext_lazy("Add time"),
        gettext_lazy("More time for the current turn."),
        gettext_lazy("The time is added."),
        on("game_id", clocks.give_time),
        TimeForm,
        _runs,
    ),
    ObjectAction(
        "take-back",
        gettext_lazy("Take back"),
        gettext_lazy("The game goes on from an earlier turn. The record keeps what was played."),
        gettext_lazy("The game is taken back."),
        on("game_id", takebacks.take_back),
        TakebackForm,
        lambda game, viewer: _runs(game, viewer) and game.turn_number > 0,
        grave=True,
    ),
    ObjectAction(
        "substitute",
        gettext_lazy("Seat a substitute"),
        gettext_lazy("Somebody else plays a seat from now on; its turns stay whose they were."),
        gettext_lazy("The seat has a new player."),
        on("game_id", seats.substitute),
        SubstituteForm,
        _runs,
    ),
    ObjectAction(
        "withdraw",
        gettext_lazy("Withdraw a seat"),
        gettext_lazy("The player leaves as by resigning, and the others play on."),
        gettext_lazy("The seat has left the game."),
        on("game_id", seats.remove_player),
        SeatForm,
        _several,
        grave=True,
    ),
    ObjectAction(
        "adjudicate",
        gettext_lazy("Decide the game"),
        gettext_lazy("The game ends with these places; the same place for everybody is a draw."),
        gettext_lazy("The game is decided."),
        on("game_id", adjudication.adjudicate),
        ResultForm,
        _runs,
        grave=True,
    ),
    ObjectAction(
        "abort",
        gettext_lazy("Break off"),
        gettext_lazy("The game ends without a result; a table that waits is closed."),
        gettext_lazy("The game is broken off."),
        on("game_id", adjudication.abort_as_moderator),
        GameForm,
        lambda game, viewer: not game.is_over,
        grave=True,
    ),
    ObjectAction(
        "make-private",
        gettext_lazy("Make private"),
        gettext_lazy("Only its players, who is invited, and moderators see it."),
        gettext_lazy("The game is private now."),
        on("game_id", visibility.set_public, is_public=False),
        GameForm,
        lambda game, viewer: game.is_public,
    ),
    ObjectAction(
        "make-public",
        gettext_lazy("Make public"),
        gettext_lazy("Everybody can see it."),
        gettext_lazy("The game is public now."),
        on("game_id", visibility.set_public, is_public=True),
        GameForm,
        lambda game, viewer: not game.is_public,
    ),
    ObjectAction(
        "close-conversation",
        gettext_lazy("Close the conversation"),
        gettext_lazy("Nobody can write messages there any more."),
        gettext_lazy("The conversation is closed."),
        on("game_id", visibility.set_conversation, is_open=False),
        GameForm,
        lambda game, viewer: game.conversation_closed_at is None,
    ),
    ObjectAction(
        "open-conversation",
        gettext_lazy("Open the conversation"),
        gettext_lazy("The players can write messages again."),
        gettext_lazy("The conversation is open again."),
        on("game_id", visibility.set_conversation, is_open=True),
        GameForm,
        lambda game, viewer: game.conversation_closed_at is not None,
    ),
    VerifyAsk(
        "verify",
        gettext_lazy("Verify the record"),
        gettext_lazy("Against its hashes and the cached position; a wrong cache is rebuilt."),
        gettext_lazy("The record is verified."),
        on("game_id", records.verify),
        GameForm,
    ),
]
