"""Verifying a game's record, and writing anew what is cached of it."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils.translation import override

from accounts.models import User
from games import errors
from games.models import Game
from games.rules.base import BadRecord
from games.rules.registry import UnknownGame
from games.services.moderation.action_names import GameAction
from games.services.moderation.base import lock_for_moderation, log_action
from games.services.record import Said, faults_of, rebuild


@dataclass(frozen=True)
class Verification:
    """What was wrong with a game's record, and what is still wrong now."""

    found: tuple[Said, ...]
    left: tuple[Said, ...]


@transaction.atomic
def verify(
    *, game_id: int, by: User, why: str, now: datetime, seen: int | None = None
) -> Verification:
    """Check a record against its hashes and the cached position; rebuild the cache if it is wrong.

    The record itself is never touched. Raises as `lock_for_moderation`, and UnknownRules.
    """
    game = lock_for_moderation(game_id, by, why, seen)
    try:
        found = _faults(game)
    except UnknownGame:
        raise errors.UnknownRules from None
    if found and game.started_at is not None:
        with suppress(BadRecord):  # what is wrong with it is told anyway
            rebuild(game)
    left = _faults(game) if found else ()
    with override("en"):  # the log is the same whoever writes it
        said = {"found": [str(what) for what in found], "left": [str(what) for what in left]}
    log_action(game, GameAction.VERIFY, by, why, now, **said)
    return Verification(found, left)


def _faults(game: Game) -> tuple[Said, ...]:
    return tuple(fault.what for fault in faults_of(game))
