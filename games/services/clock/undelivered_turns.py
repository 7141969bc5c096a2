"""No delivery, no clock: a turn that its player was not told of takes none of their time."""

from datetime import datetime

from django.conf import settings
from django.db import transaction

from accounts.models import User
from accounts.users import lock_user
from games.models import Event, Game
from games.services.clock.game_clock import (
    CLOCK_FIELDS,
    mover,
    resume_clock,
    seat_at,
    start_turn,
    stop_clock,
)
from games.services.events import record_event
from games.services.locking import locked_game
from games.services.suspensions import is_suspended

WHY: dict[str, object] = {"why": str(Game.Stop.UNDELIVERED)}

ROUNDS = 5
"""How often one contact looks for games that were frozen meanwhile; the next looks again."""


@transaction.atomic
def freeze_undelivered(*, game_id: int, turn_number: int, user: User, now: datetime) -> bool:
    """Stop the clock of the turn after `turn_number` turns: no mail reached `user`, who is to move.

    Returns False and changes nothing if that turn is over or not theirs, or if its clock is stopped
    already: then `resume_delivered` stops it again when it would resume. A player whose time is
    over but who was not timed out yet gets the time back.
    """
    game = locked_game(game_id)
    if game.status != Game.Status.ACTIVE or game.turn_number != turn_number:
        return False
    if mover(game) != user:
        return False
    runs = not game.stopped_for
    if runs:
        _freeze(game, user, now)
    # Locked until the end: `record_contact` takes the mark away only when it sees every such game.
    person = lock_user(user.pk)
    if person.unreachable_since is None:
        User.objects.filter(pk=user.pk).update(unreachable_since=now)
    return runs


def _freeze(game: Game, user: User, now: datetime) -> None:
    stop_clock(game, Game.Stop.UNDELIVERED, lasting=settings.UNREACHABLE_FOR, now=now)
    game.save(update_fields=CLOCK_FIELDS)
    record_event(game, Event.Kind.CLOCK_STOPPED, now=now, details=WHY | {"user": user.pk})


def resume_delivered(game: Game, *, now: datetime) -> bool:
    """Let the clock of a locked game that stood run with what was left; tell whether it does.

    It does not while no mail reaches who is to move: then it stands for that.
    """
    assert game.time_left is not None  # noqa: S101  (a running game)
    player = mover(game)
    if player is not None and is_unreached(player):
        _freeze(game, player, now)
        return False
    resume_clock(game, game.time_left, now=now)
    game.save(update_fields=CLOCK_FIELDS)
    return True


def is_unreached(user: User) -> bool:
    """Tell whether a mail failed to reach somebody who was not heard of since; locks their row."""
    person = lock_user(user.pk)
    return person.unreachable_since is not None


def record_contact(user: User, *, now: datetime) -> int:
    """Take note that `user` was heard of; return how many turns begin anew because of that.

    Each has all of its time again. Suspended users are not heard of: they could not play. Costs
    nothing for somebody whom mail reaches. Killed at any point, the next contact does the rest.
    """
    started = 0
    if user.unreachable_since is None or is_suspended(user, now):
        return 0
    for _ in range(ROUNDS):
        started += sum(_begin_anew(game_id, user, now) for game_id in _frozen(user))
        if _is_reached(user):
            user.unreachable_since = None
            break
    return started


def _frozen(user: User) -> list[int]:
    # Who stands in for a partner sits at the same game.
    found = Game.objects.filter(seats__user=user, stopped_for=Game.Stop.UNDELIVERED)
    games = found.prefetch_related("seats__user", "seats__stand_in").order_by("pk")
    return [game.pk for game in games if _moves(game, user)]


def _moves(game: Game, user: User) -> bool:
    return any(s.number == game.seat_to_move and s.player == user for s in game.seats.all())


@transaction.atomic
def _begin_anew(game_id: int, user: User, now: datetime) -> bool:
    game = locked_game(game_id)
    if game.stopped_for != Game.Stop.UNDELIVERED or mover(game) != user:
        return False
    restart_turn(game, now=now)
    record_event(game, Event.Kind.CLOCK_STARTED, now=now, actor=user, details=WHY)
    return True


def restart_turn(game: Game, *, now: datetime) -> None:
    """Give the turn of a locked game that stands all of its time again."""
    assert game.seat_to_move is not None  # noqa: S101  (a running game)
    start_turn(game, seat_at(game, game.seat_to_move), now=now)
    game.save(update_fields=CLOCK_FIELDS)


@transaction.atomic
def _is_reached(user: User) -> bool:
    """Take the mark away unless one more game was frozen meanwhile; tell whether it is away."""
    lock_user(user.pk)
    if _frozen(user):
        return False
    User.objects.filter(pk=user.pk).update(unreachable_since=None)
    return True
