"""Taking a game in hand: the row lock that every write begins with."""

from collections.abc import Iterable
from datetime import datetime

from accounts.models import User
from games import errors
from games.clock.clock import StopReason
from games.models import Game, Seat
from games.services.clock.game_clock import is_in_time
from games.services.maintenance import check_open
from games.services.metrics import LOCK_WAIT
from games.services.suspensions import check_not_suspended


def locked_game(game_id: int) -> Game:
    """Return the game with its row locked until the transaction ends. Raises NoSuchGame.

    SQLite knows no row locks; there every transaction that writes takes the whole database
    (transaction_mode=IMMEDIATE), which serves the same end.
    """
    try:
        with LOCK_WAIT.time():
            return Game.objects.select_for_update(of=("self",)).get(pk=game_id)
    except Game.DoesNotExist:
        raise errors.NoSuchGame from None


def free_game(game_id: int) -> Game | None:
    """Return the game with its row locked; None when it is gone or locked by somebody else.

    For sweeps: what another transaction works on is left for the next round.
    """
    return Game.objects.select_for_update(of=("self",), skip_locked=True).filter(pk=game_id).first()


def lock_games(game_ids: Iterable[int]) -> None:
    """Lock the rows of several games until the transaction ends, always in the same order.

    For a transaction that changes more than one: locked one after the other, between rows of
    people, they could wait in a circle with whoever plays at the later ones.
    """
    games = Game.objects.select_for_update(of=("self",)).filter(pk__in=list(game_ids))
    list(games.order_by("pk").values_list("pk", flat=True))


def locked_game_for(user: User, game_id: int, now: datetime) -> Game:
    """Return the game, locked, for a player who acts. Raises AccountClosed, Barred, NoSuchGame."""
    check_not_suspended(user, now)
    return locked_game(game_id)


def running_game(game_id: int, user: User, now: datetime) -> tuple[Game, Seat]:
    """Return a running game, locked, and the user's seat in it.

    Whose time is over cannot escape in the moment before a sweep sees it.
    Raises AccountClosed, Barred, NoSuchGame, NotAPlayer, HasLeft, GameNotRunning,
    HeldByModerator, ClosedForMaintenance, TooLate.
    """
    game = locked_game_for(user, game_id, now)
    seat = seat_held(game, user)
    check_runs(game)
    if not is_in_time(game, now):
        raise errors.TooLate
    return game, seat


def seat_held(game: Game, user: User) -> Seat:
    """Return the seat at which a person plays for themselves. Raises NotAPlayer, HasLeft."""
    seat = game.seats.filter(user=user).first()
    if seat is None:
        raise errors.NotAPlayer
    if seat.left_at is not None:
        raise errors.HasLeft
    return seat


def check_runs(game: Game) -> None:
    """Raise GameNotRunning, HeldByModerator or ClosedForMaintenance unless players may act."""
    if game.status != Game.Status.ACTIVE:
        raise errors.GameNotRunning
    if game.stop_reason == StopReason.MODERATOR:
        raise errors.HeldByModerator
    check_open()
