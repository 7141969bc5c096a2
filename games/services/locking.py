"""Lock a game's row and check who may act: every write begins so."""

from collections.abc import Iterable
from datetime import datetime

from django.db.models import BigIntegerField
from prometheus_client import Histogram

from accounts.models import Block, User
from accounts.sql import columns_of, row_lock, select_rows, time_from_sql
from games import errors
from games.clock.clock import StopReason
from games.models import Game, Offer, Seat
from games.services.clock.game_clock import is_in_time
from games.services.site_status import check_open
from games.services.suspensions import check_not_suspended

LOCK_WAIT = Histogram("pli_lock_wait_seconds", "Waiting for the lock of a game's row.")


def locked_game(game_id: int) -> Game:
    """Return the game with its row locked until the transaction ends. Raises NoSuchGame.

    SQLite has no row locks; there every transaction that writes locks the whole database
    (transaction_mode=IMMEDIATE).
    """
    if game_id > BigIntegerField.MAX_BIGINT:
        raise errors.NoSuchGame
    # In SQL, as in `load_seats`: every turn does it.
    statement = f"SELECT {columns_of(Game)} FROM games_game WHERE id = %s {row_lock()}"  # noqa: S608
    with LOCK_WAIT.time():
        game = next(iter(select_rows(Game, statement, [game_id])), None)
    if game is None:
        raise errors.NoSuchGame
    return game


def free_game(game_id: int) -> Game | None:
    """Return the game with its row locked; None if it is gone or locked by another transaction.

    For periodic tasks: such a game is left to their next run.
    """
    return Game.objects.select_for_update(of=("self",), skip_locked=True).filter(pk=game_id).first()


def lock_games(game_ids: Iterable[int]) -> None:
    """Lock the rows of several games until the transaction ends, always in the same order.

    For a transaction that changes several games: locked one by one, between rows of users, they
    could deadlock with the players of the later ones.
    """
    games = Game.objects.select_for_update(of=("self",)).filter(pk__in=list(game_ids))
    list(games.order_by("pk").values_list("pk", flat=True))


def locked_game_for(user: User, game_id: int, now: datetime) -> Game:
    """Return the game, locked, for a user who acts. Raises AccountClosed, Barred, NoSuchGame."""
    check_not_suspended(user, now)
    return locked_game(game_id)


def running_game(
    game_id: int,
    user: User,
    now: datetime,
    received_at: datetime | None = None,
    *,
    while_held: bool = False,
) -> tuple[Game, Seat]:
    """Return a running game, locked, and the user's seat in it.

    A player whose time is over cannot act before the periodic task has seen it. `received_at` is
    when the order reached this server, if that was before `now`: it is in time if it was then.
    `while_held` allows what can be done while a moderator pauses the game.
    Raises AccountClosed, Barred, NoSuchGame, NotAPlayer, HasLeft, GameNotRunning,
    HeldByModerator, ClosedForMaintenance, TooLate.
    """
    game = locked_game_for(user, game_id, now)
    seat = seat_held(game, user)
    check_runs(game, while_held=while_held)
    if not is_in_time(game, arrival(received_at, now)):
        raise errors.TooLate
    return game, seat


def arrival(received_at: datetime | None, now: datetime) -> datetime:
    """Return when an order reached this server: never later than `now`, when it is executed."""
    return min(received_at or now, now)


def load_seats(game: Game) -> None:
    """Read the seats of a locked game with what a turn needs to know, in one query.

    Each has whether the game has an open offer (`has_offer`), when its newest turn was played
    (`newest_played_at`), and whether anybody has planned turns (`has_plans`). Read after the lock:
    a query that waits for the lock itself would not see what was written meanwhile.
    """
    values = {"game": game.pk, "turn": game.turn_number, "open": Offer.State.OPEN}
    game.loaded_seats = select_rows(Seat, _SEATS, values, _FACTS)
    for seat in game.loaded_seats:
        seat.game = game
        seat.newest_played_at = time_from_sql(seat.newest_played_at)


_FACTS = ("has_offer", "newest_played_at", "has_plans")

_SEATS = f"""
SELECT {columns_of(Seat)},
  EXISTS (SELECT 1 FROM games_offer WHERE game_id = %(game)s AND state = %(open)s),
  (SELECT played_at FROM games_turn WHERE game_id = %(game)s AND number = %(turn)s),
  EXISTS (SELECT 1 FROM games_plannedturn WHERE game_id = %(game)s)
FROM games_seat WHERE game_id = %(game)s ORDER BY number
"""  # noqa: S608


def seat_held(game: Game, user: User) -> Seat:
    """Return the seat that a user holds and has not left. Raises NotAPlayer, HasLeft."""
    if game.has_loaded_seats:
        seat = next((seat for seat in game.all_seats if seat.user_id == user.pk), None)
    else:
        seat = game.seats.filter(user=user).first()
    if seat is None:
        raise errors.NotAPlayer
    if seat.left_at is not None:
        raise errors.HasLeft
    return seat


def check_runs(game: Game, *, while_held: bool = False) -> None:
    """Raise GameNotRunning, HeldByModerator or ClosedForMaintenance unless players may act."""
    check_not_stopped(game, while_held=while_held)
    check_open()


def check_not_stopped(game: Game, *, while_held: bool = False) -> None:
    """Raise GameNotRunning or HeldByModerator unless the game allows its players to act."""
    if game.status != Game.Status.ACTIVE:
        raise errors.GameNotRunning
    if game.stop_reason == StopReason.MODERATOR and not while_held:
        raise errors.HeldByModerator


def check_not_blocked(game: Game, user: User) -> None:
    """Raise NotWelcome if a player of the game has blocked `user`."""
    players = game.seats.still_playing().values("user")
    if Block.objects.filter(of=user, by__in=players).exists():
        raise errors.NotWelcome
