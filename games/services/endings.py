"""How players and the clock bring a running game to its end, or leave it while others play on."""

from datetime import datetime

from django.db import transaction
from django.db.models import F, QuerySet

from accounts.models import User
from games.models import Game, Seat, Turn
from games.services.conclusion import abort_game, end_lost_by
from games.services.departures import depart
from games.services.errors import CannotAbort
from games.services.locking import running_game


@transaction.atomic
def resign(*, game_id: int, user: User, now: datetime) -> Game:
    """Give the game up: the opponents win, or play on without one when they are several.

    Raises NoSuchGame, NotAPlayer, HasLeft, GameNotRunning, TooLate.
    """
    game, seat = running_game(game_id, user, now)
    _lose(game, seat, Game.Ending.RESIGNED, now=now, actor=user)
    return game


def end_on_time(game: Game, *, now: datetime) -> None:
    """Let the seat to move of a locked game lose on time; abort a game that nobody ever played."""
    if not _played(game).exists():
        abort_game(game, Game.Ending.NEVER_BEGUN, now=now, actor=None)
        return
    loser = game.seats.get(number=F("game__seat_to_move"))
    _lose(game, loser, Game.Ending.TIMEOUT, now=now, actor=None)


def _lose(game: Game, seat: Seat, why: Game.Ending, *, now: datetime, actor: User | None) -> None:
    """With two seats the game is over; with more the seat departs and the others play on."""
    if game.rules.seats(game.options) == 2:  # noqa: PLR2004  (the loser and the winner)
        end_lost_by(game, seat, why, now=now, actor=actor)
    else:
        depart(game, seat, why, now=now, actor=actor)


@transaction.atomic
def abort(*, game_id: int, user: User, now: datetime) -> Game:
    """End a game without a result while somebody has not yet played a turn.

    Raises NoSuchGame, NotAPlayer, HasLeft, GameNotRunning, TooLate, CannotAbort.
    """
    game, _ = running_game(game_id, user, now)
    if not can_abort(game):
        raise CannotAbort
    abort_game(game, Game.Ending.ABORTED, now=now, actor=user)
    return game


def can_abort(game: Game) -> bool:
    """Tell whether somebody who still plays this running game has not played a turn yet."""
    there = game.seats.filter(left_at=None)
    return there.exclude(number__in=_played(game).values("seat")).exists()


def _played(game: Game) -> QuerySet[Turn]:
    """Return the record without the entries of players who left."""
    return game.turns.exclude(via=Turn.Via.LEFT)
