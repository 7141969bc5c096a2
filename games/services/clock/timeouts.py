"""When time runs out: a loss, a departure, a partner who plays on, or somebody else on the seat."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction

from accounts.models import User
from games import errors
from games.models import Event, Game, Seat, Substitution
from games.services.clock.game_clock import CLOCK_FIELDS, seat_at, stop_clock
from games.services.endings import (
    apply_withdrawal,
    forfeit,
    hand_over,
    mark_left,
    record_withdrawal,
    turns_played,
    vacant_seat,
)
from games.services.events import record_event
from games.services.locking import check_not_blocked, check_runs, locked_game_for
from games.services.turns import finish_game, start_next_turn


def end_on_time(game: Game, *, now: datetime) -> None:
    """Do what the table agreed for a seat to move, of a locked game, whose time is over.

    A game that nobody ever played is aborted; with two seats the other wins.
    """
    if not turns_played(game).exists():
        finish_game(game, Game.Ending.NEVER_BEGUN, now=now, actor=None)
        return
    assert game.seat_to_move is not None  # noqa: S101  (a running game)
    seat = seat_at(game, game.seat_to_move)
    if seat.played_by_partner is not None:
        _lose(game, game.seats.get(user=seat.played_by_partner), now)
        return
    several = game.rules.seats(game.options) > 2  # noqa: PLR2004
    partner = _partner_of(game, seat) if game.on_timeout == Game.OnTimeout.PARTNER else None
    if several and partner is not None:
        _hand_over(game, seat, partner, now)
    elif several and game.is_public and game.on_timeout == Game.OnTimeout.SUBSTITUTE:
        _seek(game, seat, now)
    else:
        _lose(game, seat, now)


def _lose(game: Game, seat: Seat, now: datetime) -> None:
    forfeit(game, seat, Game.Ending.TIMEOUT, now=now, actor=None)


# The partner -------------------------------------------------------------------------------------


def _partner_of(game: Game, seat: Seat) -> User | None:
    """Return somebody of the same side who still plays."""
    sides = game.rules.sides(game.options)
    others = game.seats.select_related("user").filter(left_at=None).exclude(pk=seat.pk)
    partners = [other.user for other in others if sides[other.number] == sides[seat.number]]
    return next(filter(None, partners), None)


def _hand_over(game: Game, seat: Seat, partner: User, now: datetime) -> None:
    """Let the partner play the seat from now on, with a turn's time for this one."""
    mark_left(game, seat, Game.Ending.TIMEOUT, now=now)
    seat.played_by_partner = partner
    seat.time_left = game.terms.pace.for_another
    seat.save(update_fields=["played_by_partner", "time_left"])
    record_withdrawal(game, seat, now=now)
    _begin_anew(game, now)


def _begin_anew(game: Game, now: datetime) -> None:
    start_next_turn(game, game.rules.load(game.position), now=now)
    game.save(update_fields=CLOCK_FIELDS)


# Somebody else -----------------------------------------------------------------------------------


def _seek(game: Game, seat: Seat, now: datetime) -> None:
    """Let the clock stand while somebody is sought for the seat."""
    mark_left(game, seat, Game.Ending.TIMEOUT, now=now)
    lasting = timedelta(days=settings.SUBSTITUTE_DAYS)
    stop_clock(game, Game.Stop.SUBSTITUTE, lasting=lasting, now=now)
    game.bot_due_at = None
    game.save(update_fields=CLOCK_FIELDS)
    details: dict[str, object] = {"seat": seat.number, "because": str(seat.left_because)}
    record_event(game, Event.Kind.SEAT_VACANT, now=now, actor=seat.user, details=details)


@transaction.atomic
def claim_seat(*, game_id: int, user: User, now: datetime) -> Game:
    """Sit down on the seat for which somebody is sought, and play its turn with a turn's time.

    The turns played so far stay those of who played them; the result is the claimer's.
    Raises AccountClosed, Barred, NoSuchGame, as `check_runs` does, NoSeatSought, SeatedAlready,
    SeatWasYours, NotWelcome.
    """
    game = locked_game_for(user, game_id, now)
    check_runs(game)
    if not _is_sought(game, now):
        raise errors.NoSeatSought
    if game.seats.filter(user=user).exists():
        raise errors.SeatedAlready
    if Substitution.objects.filter(seat__game=game, former=user).exists():
        raise errors.SeatWasYours
    check_not_blocked(game, user)
    _take_over(game, vacant_seat(game), user, now)
    return game


def _is_sought(game: Game, now: datetime) -> bool:
    if game.stopped_for != Game.Stop.SUBSTITUTE or game.stopped_until is None:
        return False
    return now <= game.stopped_until


def _take_over(game: Game, seat: Seat, user: User, now: datetime) -> None:
    details: dict[str, object] = {"seat": seat.number, "former": seat.user_id}
    hand_over(game, seat, user, now, time=game.terms.pace.for_another)
    record_event(game, Event.Kind.SEAT_TAKEN_OVER, now=now, actor=user, details=details)


def end_search(game: Game, *, now: datetime) -> bool:
    """Let the seat of a locked game, for which nobody came, leave; tell whether it was time to."""
    if _is_sought(game, now):
        return False
    apply_withdrawal(game, vacant_seat(game), now=now, actor=None)
    return True
