"""Who may sit down with whom: nobody at a table of somebody who has blocked them."""

from accounts.models import Block, User
from games import errors
from games.models import Game


def check_not_blocked(game: Game, user: User) -> None:
    """Raise NotWelcome when somebody who sits at a game, and plays on, has blocked `user`."""
    there = game.seats.filter(left_at=None).values("user")
    if Block.objects.filter(of=user, by__in=there).exists():
        raise errors.NotWelcome
