"""What the tests of players who leave share."""

from datetime import timedelta

from games.services.endings import resign
from tests.games.play import fresh

HOUR = timedelta(hours=1)


def give_up(game, *users, now):
    for user in users:
        resign(game_id=game.pk, user=user, now=now)
    return fresh(game)
