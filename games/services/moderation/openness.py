"""Who may look at a game, and whether its players may talk there."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.models import Game
from games.services.errors.moderation import NothingToChange
from games.services.moderation.deeds import in_hand, note
from games.services.moderation.names import Deed


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

    Raises as `in_hand`, and NothingToChange.
    """
    game = in_hand(game_id, by, why, seen)
    if game.is_public == is_public:
        raise NothingToChange
    game.is_public = is_public
    game.save(update_fields=["is_public"])
    note(game, Deed.MAKE_PUBLIC if is_public else Deed.MAKE_PRIVATE, by, why, now)
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

    Raises as `in_hand`, and NothingToChange.
    """
    game = in_hand(game_id, by, why, seen)
    if (game.conversation_closed_at is None) == is_open:
        raise NothingToChange
    game.conversation_closed_at = None if is_open else now
    game.save(update_fields=["conversation_closed_at"])
    note(game, Deed.OPEN_CONVERSATION if is_open else Deed.CLOSE_CONVERSATION, by, why, now)
    return game
