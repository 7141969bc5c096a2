"""Taking a game in hand: the row lock that every write begins with."""

from games.models import Game
from games.services.errors import NoSuchGame


def locked_game(game_id: int) -> Game:
    """Return the game with its row locked until the transaction ends. Raises NoSuchGame.

    SQLite knows no row locks; there every transaction that writes takes the whole database
    (transaction_mode=IMMEDIATE), which serves the same end.
    """
    try:
        return Game.objects.select_for_update(of=("self",)).get(pk=game_id)
    except Game.DoesNotExist:
        raise NoSuchGame from None
