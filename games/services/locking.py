"""Taking a game in hand: the row lock that every write begins with."""

from datetime import datetime

from accounts.models import User
from games.models import Game, Seat
from games.services.errors import (
    GameNotRunning,
    HasLeft,
    HeldByModerator,
    NoSuchGame,
    NotAPlayer,
    TooLate,
)
from games.services.maintenance import check_open
from games.services.time.timing import in_time


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
    Raises NoSuchGame, NotAPlayer, HasLeft, GameNotRunning, HeldByModerator,
    ClosedForMaintenance, TooLate.
    """
    game = locked_game(game_id)
    seat = seat_held(game, user)
    check_runs(game)
    if not in_time(game, now):
        raise TooLate
    return game, seat


def seat_held(game: Game, user: User) -> Seat:
    """Return the seat at which a person plays for themselves. Raises NotAPlayer, HasLeft."""
    seat = game.seats.filter(user=user).first()
    if seat is None:
        raise NotAPlayer
    if seat.left_at is not None:
        raise HasLeft
    return seat


def check_runs(game: Game) -> None:
    """Raise GameNotRunning, HeldByModerator or ClosedForMaintenance unless players may act."""
    if game.status != Game.Status.ACTIVE:
        raise GameNotRunning
    if game.stopped_for == Game.Stop.MODERATOR:
        raise HeldByModerator
    check_open()
