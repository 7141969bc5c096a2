"""The checks that every action on a game begins with, and the two entries that it ends with."""

from datetime import datetime

from django.db.models import QuerySet

from accounts.models import User
from games import errors
from games.models import Event, Game, ModerationLogEntry
from games.moderation import log
from games.moderation.action_names import Access, CompetitionAction, GameAction, action_label
from games.moderation.permissions import check_has_no_part_in, check_is_moderator
from games.services.locking import locked_game


def lock_for_moderation(game_id: int, by: User, why: str, seen: int | None) -> Game:
    """Return a game with its row locked, for a moderator who gives a reason.

    `seen` is the newest log entry about this game that the moderator saw (see `check_not_stale`).
    Raises MayNotModerate, NoReason, NoSuchGame, OwnGame, ActedMeanwhile.
    """
    check_is_moderator(by)
    if not why.strip():
        raise errors.NoReason
    game = locked_game(game_id)
    check_has_no_part_in(game, by)
    check_not_stale(game.log_entries.all(), seen)
    return game


def lock_running_for_moderation(game_id: int, by: User, why: str, seen: int | None) -> Game:
    """Return a running game as `lock_for_moderation` does. Raises GameNotRunning besides."""
    game = lock_for_moderation(game_id, by, why, seen)
    if game.status != Game.Status.ACTIVE:
        raise errors.GameNotRunning
    return game


def log_action(
    game: Game,
    action: GameAction | CompetitionAction,
    by: User,
    why: str,
    now: datetime,
    **details: object,
) -> ModerationLogEntry:
    """Write an action on a game to the log, and as an event of the game."""
    entry = log.write_entry(by=by, what=action.value, why=why, now=now, game=game, details=details)
    told = {"what": action.value, "why": entry.why, "act": entry.number} | details
    game.record_event(Event.Kind.MODERATED, now=now, actor=by, details=told)
    return entry


def check_not_stale(entries: QuerySet[ModerationLogEntry], seen: int | None) -> None:
    """Raise ActedMeanwhile if another moderator acted after the page was loaded.

    `seen` is the number of the newest of these log entries that the moderator saw: 0 if there was
    none, None to skip the check.
    """
    if seen is None:
        return
    newer = only_changes(entries).select_related("by").filter(number__gt=seen)
    newest = newer.order_by("-number").first()
    if newest is not None:
        raise errors.ActedMeanwhile(name=newest.by, what=action_label(newest.what))


def only_changes(entries: QuerySet[ModerationLogEntry]) -> QuerySet[ModerationLogEntry]:
    """Return the log entries of actions that changed something: not those of mere reading."""
    return entries.exclude(what__in=Access.values)
