"""Who may look at a game, and whether its players may talk there."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games import errors
from games.models import Game
from games.services.moderation.action_names import GameAction
from games.services.moderation.base import lock_for_moderation, log_action


@transaction.atomic
def set_public(
    *,
    game_id: int,
    by: User,
    is_public: bool,
    why: str,
    now: datetime,
    seen: int | None = None,
) -> Game:
    """Let everybody look at a game, or its players, those invited and staff alone.

    Raises as `lock_for_moderation`, and NothingToChange.
    """
    game = lock_for_moderation(game_id, by, why, seen)
    if game.is_public == is_public:
        raise errors.NothingToChange
    game.is_public = is_public
    game.save(update_fields=["is_public"])
    log_action(game, GameAction.MAKE_PUBLIC if is_public else GameAction.MAKE_PRIVATE, by, why, now)
    return game


@transaction.atomic
def set_conversation(
    *,
    game_id: int,
    by: User,
    is_open: bool,
    why: str,
    now: datetime,
    seen: int | None = None,
) -> Game:
    """Close the conversation of a game: nobody says anything there any more; or open it again.

    Raises as `lock_for_moderation`, and NothingToChange.
    """
    game = lock_for_moderation(game_id, by, why, seen)
    if (game.conversation_closed_at is None) == is_open:
        raise errors.NothingToChange
    game.conversation_closed_at = None if is_open else now
    game.save(update_fields=["conversation_closed_at"])
    log_action(
        game,
        GameAction.OPEN_CONVERSATION if is_open else GameAction.CLOSE_CONVERSATION,
        by,
        why,
        now,
    )
    return game
