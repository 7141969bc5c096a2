"""Remembering who looks at a game just now."""

from datetime import datetime, timedelta

from accounts.models import User
from games.models import Game, GamePresence

NOTED_EVERY = timedelta(seconds=30)


def note_presence(game: Game, user: User, *, now: datetime) -> None:
    """Remember that a player looks at the game; written at most every NOTED_EVERY."""
    noted = GamePresence.objects.filter(game=game, user=user).values_list("seen_at", flat=True)
    seen_at = noted.first()
    if seen_at is None or now - seen_at >= NOTED_EVERY:
        GamePresence.objects.update_or_create(game=game, user=user, defaults={"seen_at": now})
