"""How the pages find the game that an address names."""

from django.http import HttpRequest

from accounts.server_time import server_now
from games import queries
from games.models import Game
from games.moderation.access import log_read


def visible_game(request: HttpRequest, pk: int) -> Game:
    """Return a game that the viewer may see, its people loaded. Raises NoSuchGame.

    When staff see it by their powers alone, the moderators' log says so.
    """
    game = queries.game_for(pk, request.user)
    log_read(game, by=request.user, page=request.path, now=server_now())
    return game
