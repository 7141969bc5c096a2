"""How each thing that a moderator does to a game begins and ends."""

from datetime import datetime

from accounts.models import User
from games import errors
from games.models import Act, Event, Game
from games.services import log
from games.services.events import record_event
from games.services.locking import locked_game
from games.services.moderation.action_names import GameAction
from games.services.moderation.permissions import check_is_moderator, check_is_no_player
from games.services.moderation.staleness import check_not_stale


def lock_for_moderation(game_id: int, by: User, why: str, seen: int | None) -> Game:
    """Return a game, locked, for a moderator who has a reason and does not play in it.

    `seen` is the newest act on this game that the moderator knew of (see `check_not_stale`).
    Raises MayNotModerate, NoReason, NoSuchGame, OwnGame, ActedMeanwhile.
    """
    check_is_moderator(by)
    if not why.strip():
        raise errors.NoReason
    game = locked_game(game_id)
    check_is_no_player(game, by)
    check_not_stale(game.acts.all(), seen)
    return game


def lock_running_for_moderation(game_id: int, by: User, why: str, seen: int | None) -> Game:
    """Return a running game as `lock_for_moderation` does. Raises GameNotRunning besides."""
    game = lock_for_moderation(game_id, by, why, seen)
    if game.status != Game.Status.ACTIVE:
        raise errors.GameNotRunning
    return game


def log_action(
    game: Game, deed: GameAction, by: User, why: str, now: datetime, **details: object
) -> Act:
    """Write a deed down: in the log, and as an event of the game."""
    act = log.write_entry(by=by, what=deed.value, why=why, now=now, game=game, details=details)
    said = {"what": deed.value, "why": act.why, "act": act.number} | details
    record_event(game, Event.Kind.MODERATED, now=now, actor=by, details=said)
    return act
