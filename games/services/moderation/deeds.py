"""How each thing that a moderator does to a game begins and ends."""

from datetime import datetime

from accounts.models import User
from games.models import Act, Event, Game
from games.services import log
from games.services.errors import GameNotRunning, NoReason
from games.services.events import record_event
from games.services.locking import locked_game
from games.services.moderation.names import Deed
from games.services.moderation.rights import check_is_no_player, check_moderates
from games.services.moderation.seen import check_seen


def in_hand(game_id: int, by: User, why: str, seen: int | None) -> Game:
    """Return a game, locked, for a moderator who has a reason and does not play in it.

    `seen` is the newest act on this game that the moderator knew of (see `check_seen`).
    Raises MayNotModerate, NoReason, NoSuchGame, OwnGame, ActedMeanwhile.
    """
    check_moderates(by)
    if not why.strip():
        raise NoReason
    game = locked_game(game_id)
    check_is_no_player(game, by)
    check_seen(game.acts.all(), seen)
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
