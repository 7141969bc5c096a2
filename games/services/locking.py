"""Taking a game in hand: the row lock that every write begins with."""

from datetime import datetime

from accounts.models import User
from games.clock import is_late
from games.models import Game, Seat
from games.services.errors import GameNotRunning, HasLeft, NoSuchGame, NotAPlayer, TooLate


def locked_game(game_id: int) -> Game:
    """Return the game with its row locked until the transaction ends. Raises NoSuchGame.

    SQLite knows no row locks; there every transaction that writes takes the whole database
    (transaction_mode=IMMEDIATE), which serves the same end.
    """
    try:
        return Game.objects.select_for_update(of=("self",)).get(pk=game_id)
    except Game.DoesNotExist:
        raise NoSuchGame from None


def running_game(game_id: int, user: User, now: datetime) -> tuple[Game, Seat]:
    """Return a running game, locked, and the user's seat in it.

    Whose time is over cannot escape in the moment before a sweep sees it.
    Raises NoSuchGame, NotAPlayer, HasLeft, GameNotRunning, TooLate.
    """
    game = locked_game(game_id)
    seat = game.seats.filter(user=user).first()
    if seat is None:
        raise NotAPlayer
    if seat.left_at is not None:
        raise HasLeft
    if game.status != Game.Status.ACTIVE or game.deadline is None:
        raise GameNotRunning
    if is_late(game.deadline, now):
        raise TooLate
    return game, seat
