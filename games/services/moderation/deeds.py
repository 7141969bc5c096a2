"""The things a moderator can do to a game, and how each begins and ends."""

from datetime import datetime

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models import Act, Event, Game
from games.services import log
from games.services.errors import GameNotRunning, NoReason
from games.services.events import record_event
from games.services.locking import locked_game
from games.services.moderation.cases import Handling
from games.services.moderation.errors import ActedMeanwhile
from games.services.moderation.people import Measure
from games.services.moderation.rights import check_is_no_player, check_moderates
from games.services.moderation.sayings import Censure


class Deed(TextChoices):
    """What the log and a game's events call it."""

    PAUSE = "pause", _("game paused")
    RESUME = "resume", _("game resumed")
    ADD_TIME = "add-time", _("time added")
    ADJUDICATE = "adjudicate", _("game decided")
    ABORT = "abort", _("game broken off")
    WITHDRAW = "withdraw", _("seat taken out of the game")
    SUBSTITUTE = "substitute", _("seat given to somebody else")
    TAKE_BACK = "take-back", _("game taken back")
    MAKE_PRIVATE = "make-private", _("game made private")
    MAKE_PUBLIC = "make-public", _("game made public")
    CLOSE_CONVERSATION = "close-conversation", _("conversation closed")
    OPEN_CONVERSATION = "open-conversation", _("conversation opened again")
    VERIFY = "verify", _("record verified")


class HostDeed(TextChoices):
    """What the log calls what is done to the house and its mail, most of it by hosts alone."""

    DECLARE_OUTAGE = "declare-outage", _("outage declared")
    CLOSE_HOUSE = "close-house", _("maintenance begun")
    OPEN_HOUSE = "open-house", _("maintenance ended")
    ANNOUNCE = "announce", _("announcement made")
    CHANGE_ANNOUNCEMENT = "change-announcement", _("announcement changed")
    WITHDRAW_ANNOUNCEMENT = "withdraw-announcement", _("announcement withdrawn")
    PROCESS_AGAIN = "process-again", _("mail processed again")
    DISMISS_MAIL = "dismiss-mail", _("mail dismissed")
    SEND_AGAIN = "send-again", _("notice sent again")
    RESUME_ADDRESS = "resume-address", _("mail sent to an address again")


def in_hand(game_id: int, by: User, why: str, seen: int | None) -> Game:
    """Return a game, locked, for a moderator who has a reason and does not play in it.

    `seen` is the number of the newest act on this game that the moderator knew of (0: of none;
    None: whatever it is). Raises MayNotModerate, NoReason, NoSuchGame, OwnGame, ActedMeanwhile.
    """
    check_moderates(by)
    if not why.strip():
        raise NoReason
    game = locked_game(game_id)
    check_is_no_player(game, by)
    newest = newest_act(game)
    if seen is not None and newest is not None and newest.number > seen:
        raise ActedMeanwhile(name=newest.by, what=words_of(newest.what))
    return game


def running_in_hand(game_id: int, by: User, why: str, seen: int | None) -> Game:
    """Return a running game as `in_hand` does. Raises GameNotRunning besides."""
    game = in_hand(game_id, by, why, seen)
    if game.status != Game.Status.ACTIVE:
        raise GameNotRunning
    return game


def note(game: Game, deed: Deed, by: User, why: str, now: datetime, **details: object) -> Act:
    """Write a deed down: in the log, and as an event of the game."""
    act = log.write(by=by, what=deed.value, why=why, now=now, game=game, details=details)
    said = {"what": deed.value, "why": act.why, "act": act.number} | details
    record_event(game, Event.Kind.MODERATED, now=now, actor=by, details=said)
    return act


def newest_act(game: Game) -> Act | None:
    """Return what was done to the game last."""
    return game.acts.select_related("by").order_by("-number").first()


def words_of(what: str) -> str:
    """Return what an act did, whatever it was done to, in words of the active language."""
    for kind in (Deed, HostDeed, Measure, Handling, Censure):
        if what in kind.values:
            return str(kind(what).label)
    return what
