"""The acts that a game's page offers to moderators, each asked for, confirmed, then done."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.admin.forms import (
    ReasonForm,
    ResultForm,
    SeatForm,
    SubstituteForm,
    TakebackForm,
    TimeForm,
)
from games.models import Game
from games.services.moderation import clocks, openness, records, results, seats, takebacks

Said = str | Promise


@dataclass(frozen=True)
class Action:
    """One act: what its button says, what it asks, when it is offered, and what it answers."""

    slug: str
    label: Said
    hint: Said
    done: Said
    do: Callable[..., object]
    offered: Callable[[Game], bool]
    form: type[ReasonForm] = ReasonForm
    grave: bool = False

    def words_of(self, result: object) -> tuple[str, bool]:
        """Return what to say when it is done, and whether that is good news."""
        if not isinstance(result, records.Verification):
            return str(self.done), True
        if not result.found:
            return _("The record verifies: hashes, turns and cached position agree."), True
        wrong = "; ".join(result.found)
        if not result.left:
            return _("The cache was wrong and is rebuilt: %(faults)s.") % {"faults": wrong}, True
        left = {"faults": "; ".join(result.left)}
        return _("The record does not verify: %(faults)s.") % left, False


def _runs(game: Game) -> bool:
    return game.status == Game.Status.ACTIVE


def _held(game: Game) -> bool:
    return game.stopped_for == Game.Stop.MODERATOR


def _several(game: Game) -> bool:
    return _runs(game) and len(game.seats.all()) > 2  # noqa: PLR2004


def _public(**about: Any) -> object:
    return openness.set_public(is_public=True, **about)


def _private(**about: Any) -> object:
    return openness.set_public(is_public=False, **about)


def _open_talk(**about: Any) -> object:
    return openness.set_conversation(is_open=True, **about)


def _close_talk(**about: Any) -> object:
    return openness.set_conversation(is_open=False, **about)


ACTIONS = [
    Action(
        "pause",
        gettext_lazy("Pause"),
        gettext_lazy("Nobody can act, and nobody’s time runs, until a moderator resumes it."),
        gettext_lazy("The game is paused."),
        clocks.pause,
        lambda game: _runs(game) and not _held(game),
    ),
    Action(
        "resume",
        gettext_lazy("Resume"),
        gettext_lazy("The clock goes on with the time that was left."),
        gettext_lazy("The game goes on."),
        clocks.resume,
        lambda game: _runs(game) and game.stopped_for not in ("", Game.Stop.SUBSTITUTE),
    ),
    Action(
        "add-time",
        gettext_lazy("Add time"),
        gettext_lazy("More time for the turn that stands."),
        gettext_lazy("The time is added."),
        clocks.give_time,
        _runs,
        TimeForm,
    ),
    Action(
        "take-back",
        gettext_lazy("Take back"),
        gettext_lazy("The game goes on from an earlier turn. The record keeps what was played."),
        gettext_lazy("The game is taken back."),
        takebacks.take_back,
        lambda game: _runs(game) and game.turn_number > 0,
        TakebackForm,
        grave=True,
    ),
    Action(
        "substitute",
        gettext_lazy("Seat a substitute"),
        gettext_lazy("Somebody else plays a seat from now on; its turns stay whose they were."),
        gettext_lazy("The seat has a new player."),
        seats.substitute,
        _runs,
        SubstituteForm,
    ),
    Action(
        "withdraw",
        gettext_lazy("Withdraw a seat"),
        gettext_lazy("The player leaves as by resigning, and the others play on."),
        gettext_lazy("The seat has left the game."),
        seats.withdraw,
        _several,
        SeatForm,
        grave=True,
    ),
    Action(
        "adjudicate",
        gettext_lazy("Decide the game"),
        gettext_lazy("The game ends with these places; the same place for everybody is a draw."),
        gettext_lazy("The game is decided."),
        results.adjudicate,
        _runs,
        ResultForm,
        grave=True,
    ),
    Action(
        "abort",
        gettext_lazy("Break off"),
        gettext_lazy("The game ends without a result; a table that waits is closed."),
        gettext_lazy("The game is broken off."),
        results.abort,
        lambda game: not game.is_over,
        grave=True,
    ),
    Action(
        "make-private",
        gettext_lazy("Make private"),
        gettext_lazy("Only its players, who is invited, and moderators see it."),
        gettext_lazy("The game is private now."),
        _private,
        lambda game: game.is_public,
    ),
    Action(
        "make-public",
        gettext_lazy("Make public"),
        gettext_lazy("Everybody can see it."),
        gettext_lazy("The game is public now."),
        _public,
        lambda game: not game.is_public,
    ),
    Action(
        "close-conversation",
        gettext_lazy("Close the conversation"),
        gettext_lazy("Nobody can write messages there any more."),
        gettext_lazy("The conversation is closed."),
        _close_talk,
        lambda game: game.conversation_closed_at is None,
    ),
    Action(
        "open-conversation",
        gettext_lazy("Open the conversation"),
        gettext_lazy("The players can write messages again."),
        gettext_lazy("The conversation is open again."),
        _open_talk,
        lambda game: game.conversation_closed_at is not None,
    ),
    Action(
        "verify",
        gettext_lazy("Verify the record"),
        gettext_lazy("Against its hashes and the cached position; a wrong cache is rebuilt."),
        gettext_lazy("The record is verified."),
        records.verify,
        lambda game: True,
    ),
]

ACTION = {action.slug: action for action in ACTIONS}
