"""Pausing games, letting them go on, and giving more time."""

from datetime import datetime, timedelta

from django.db import transaction

from accounts.models import User
from games.clock import LONGEST_ALLOWANCE, SHORTEST_ALLOWANCE
from games.models import Game
from games.services import bell
from games.services.errors.moderation import AlreadyHeld, BadTime, NotStopped, SeatIsEmpty
from games.services.moderation.deeds import note, running_in_hand
from games.services.moderation.names import Deed
from games.services.time.freezes import begin_anew, go_on, is_unreached
from games.services.time.stops import still_to_wait
from games.services.time.timing import (
    CLOCK_FIELDS,
    add_time,
    go_on_clock,
    mover,
    stop_clock,
    time_left,
)


@transaction.atomic
def pause(*, game_id: int, by: User, why: str, now: datetime, seen: int | None = None) -> Game:
    """Stop a running game: nobody can act, and the time stands until a moderator resumes it.

    What it stood for already comes back then. Raises as `running_in_hand`, and AlreadyHeld.
    """
    game = running_in_hand(game_id, by, why, seen)
    if game.stopped_for == Game.Stop.MODERATOR:
        raise AlreadyHeld
    was = str(game.stopped_for)
    hold(game, now=now)
    note(game, Deed.PAUSE, by, why, now, was=was)
    return game


def hold(game: Game, *, now: datetime) -> None:
    """Let the clock of a locked running game stand until a moderator resumes it.

    What it stands for now, and how much longer it would, is kept.
    """
    was, wait = game.stopped_for, still_to_wait(game, now)
    stop_clock(game, Game.Stop.MODERATOR, lasting=None, now=now)
    game.held_for, game.wait_left = was, wait
    game.program_due_at = None
    game.save(update_fields=CLOCK_FIELDS)


@transaction.atomic
def resume(*, game_id: int, by: User, why: str, now: datetime, seen: int | None = None) -> Game:
    """Let a stopped game go on with the time that was left.

    What a moderator stopped while it stood already stands for that again, as long as it would
    have; but a turn whose player has been heard of meanwhile begins anew. Raises as
    `running_in_hand`, and NotStopped, SeatIsEmpty.
    """
    game = running_in_hand(game_id, by, why, seen)
    if not game.stopped_for:
        raise NotStopped
    if game.stopped_for == Game.Stop.SUBSTITUTE:
        raise SeatIsEmpty
    if game.held_for == Game.Stop.UNDELIVERED and not _is_unreached(game):
        begin_anew(game, now=now)
    elif game.held_for:
        stop_clock(game, Game.Stop(game.held_for), lasting=game.wait_left, now=now)
        game.save(update_fields=CLOCK_FIELDS)
    else:
        _go_on(game, now)
    note(game, Deed.RESUME, by, why, now)
    return game


def _is_unreached(game: Game) -> bool:
    player = mover(game)
    return player is not None and is_unreached(player)


def _go_on(game: Game, now: datetime) -> None:
    """Let the clock run; one that stands because no mail reached somebody is freed by that."""
    assert game.time_left is not None  # noqa: S101  (a running game)
    if game.stopped_for == Game.Stop.UNDELIVERED:
        go_on_clock(game, game.time_left, now=now)
    else:
        go_on(game, now=now)
    player = mover(game)
    if player is not None and player.is_program:
        game.program_due_at = now
        bell.ring("programs")
    game.save(update_fields=CLOCK_FIELDS)


@transaction.atomic
def give_time(
    *,
    game_id: int,
    by: User,
    more: timedelta,
    why: str,
    now: datetime,
    seen: int | None = None,
) -> Game:
    """Give the seat to move more time for its turn.

    Raises as `running_in_hand`, and BadTime.
    """
    game = running_in_hand(game_id, by, why, seen)
    if more < SHORTEST_ALLOWANCE or time_left(game, now) + more > LONGEST_ALLOWANCE:
        raise BadTime
    add_time(game, more, player=mover(game), now=now)
    game.save(update_fields=CLOCK_FIELDS)
    seconds = int(more.total_seconds())
    note(game, Deed.ADD_TIME, by, why, now, seconds=seconds, seat=game.seat_to_move)
    return game
