"""What the tests share of players who leave, and of what undoing restores."""

from datetime import timedelta

from games.models import Game
from games.services.endings import resign
from tests.games.play import fresh

HOUR = timedelta(hours=1)

UNDO = {"undo_until", "undo_by_id", "before_turn"}


def give_up(game, *users, now):
    for user in users:
        resign(game_id=game.pk, user=user, now=now)
    return fresh(game)


def everything(game):
    """Return what is stored of a game, its seats, its record, its offers and its plans."""
    columns = Game.objects.filter(pk=game.pk).values().get()
    return (
        {name: value for name, value in columns.items() if name not in UNDO},
        list(game.seats.order_by("pk").values()),
        list(game.turns.order_by("pk").values()),
        list(game.offers.order_by("pk").values()),
        list(game.planned_turns.order_by("pk").values("user", "line", "notation", "planned_at")),
    )
