"""Who may sit down with whom: nobody at a table of somebody who has blocked them."""

from accounts.models import Block, User
from games.models import Game
from games.services.errors.conduct import NotWelcome


def check_is_welcome(game: Game, user: User) -> None:
    """Raise NotWelcome when somebody who sits at a game, and plays on, has blocked `user`."""
    there = game.seats.filter(left_at=None).values("user")
    if Block.objects.filter(of=user, by__in=there).exists():
        raise NotWelcome
