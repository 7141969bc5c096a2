"""How players bring a running game to its end, or leave it while others play on."""

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import User
from games import errors
from games.models import Game, Turn
from games.rules.base import effective_entries
from games.services.clock.game_clock import mover
from games.services.conclusion import abort_game
from games.services.locking import running_game
from games.services.withdrawals import forfeit, withdraw_player


@transaction.atomic
def resign(*, game_id: int, user: User, now: datetime) -> Game:
    """Give the game up: the opponents win, or play on without one when they are several.

    Raises as `running_game` does.
    """
    game, seat = running_game(game_id, user, now)
    forfeit(game, seat, Game.Ending.RESIGNED, now=now, actor=user)
    return game


def end_unreachable(game: Game, *, now: datetime) -> None:
    """Give up waiting for the seat to move of a locked game, whose player no mail reached.

    With two seats the game is aborted: nobody won it. With more the player departs.
    """
    if game.rules.seats(game.options) == 2:  # noqa: PLR2004  (nobody is left to play with)
        abort_game(game, Game.Ending.UNREACHABLE, now=now, actor=None)
        return
    seat = game.seats.get(user=mover(game))
    withdraw_player(game, seat, Game.Ending.UNREACHABLE, now=now, actor=None)


@transaction.atomic
def abort(*, game_id: int, user: User, now: datetime) -> Game:
    """End a game without a result while somebody has not yet played a turn.

    Raises as `running_game` does, and CannotAbort.
    """
    game, _ = running_game(game_id, user, now)
    if not can_abort(game):
        raise errors.CannotAbort
    abort_game(game, Game.Ending.ABORTED, now=now, actor=user)
    return game


def can_abort(game: Game) -> bool:
    """Tell whether somebody who still plays this running game has not played a turn yet."""
    there = game.seats.filter(left_at=None)
    return there.exclude(number__in=turns_played(game).values("seat")).exists()


def turns_played(game: Game) -> QuerySet[Turn]:
    """Return the turns that stand: without what was taken back, and the entries of who left."""
    if not game.turns.filter(via=Turn.Via.TAKEBACK).exists():
        return game.turns.exclude(via=Turn.Via.LEFT)
    entries = list(game.turns.order_by("number").values_list("notation", flat=True))
    return game.turns.exclude(via=Turn.Via.LEFT).filter(number__in=effective_entries(entries))
