"""How games end: every end goes through `_end`."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.clock import is_late
from games.models import Event, Game, Invitation, Offer, Seat
from games.rules.base import Outcome
from games.services.errors import CannotAbort, GameNotRunning, NotAPlayer, TooLate
from games.services.events import record_event
from games.services.locking import locked_game


def running_game(game_id: int, user: User, now: datetime) -> tuple[Game, Seat]:
    """Return a running game, locked, and the user's seat in it.

    Whose time is over cannot escape in the moment before a sweep sees it.
    Raises NoSuchGame, NotAPlayer, GameNotRunning, TooLate.
    """
    game = locked_game(game_id)
    seat = game.seats.filter(user=user).first()
    if seat is None:
        raise NotAPlayer
    if game.status != Game.Status.ACTIVE or game.deadline is None:
        raise GameNotRunning
    if is_late(game.deadline, now):
        raise TooLate
    return game, seat


def end_by_rules(game: Game, outcome: Outcome, *, now: datetime, actor: User | None) -> None:
    """End a locked game as its rules (or an agreement counted by them) say."""
    _end(game, Game.Status.FINISHED, outcome.reason, outcome=outcome, now=now, actor=actor)


def end_on_time(game: Game, *, now: datetime) -> None:
    """End a locked game whose seat to move ran out of time; abort it if nobody ever played."""
    if game.turn_number == 0:
        _end(game, Game.Status.ABORTED, Game.Ending.NEVER_BEGUN, now=now)
        return
    assert game.seat_to_move is not None  # noqa: S101  (a database constraint says so)
    outcome = _lost_by(game, game.seat_to_move, Game.Ending.TIMEOUT)
    _end(game, Game.Status.FINISHED, Game.Ending.TIMEOUT, outcome=outcome, now=now)


@transaction.atomic
def resign(*, game_id: int, user: User, now: datetime) -> Game:
    """Give the game up: the opponents win.

    Raises NoSuchGame, NotAPlayer, GameNotRunning, TooLate.
    """
    game, seat = running_game(game_id, user, now)
    outcome = _lost_by(game, seat.number, Game.Ending.RESIGNED)
    _end(game, Game.Status.FINISHED, Game.Ending.RESIGNED, outcome=outcome, now=now, actor=user)
    return game


@transaction.atomic
def abort(*, game_id: int, user: User, now: datetime) -> Game:
    """End a game without a result while somebody has not yet played a turn.

    Raises NoSuchGame, NotAPlayer, GameNotRunning, TooLate, CannotAbort.
    """
    game, _ = running_game(game_id, user, now)
    if not can_abort(game):
        raise CannotAbort
    _end(game, Game.Status.ABORTED, Game.Ending.ABORTED, now=now, actor=user)
    return game


def can_abort(game: Game) -> bool:
    """Tell whether somebody at this running game has not played a turn yet."""
    seats = game.rules.seats(game.options)
    return game.turns.values("seat").distinct().count() < seats


def close_table(game: Game, ending: Game.Ending, *, now: datetime, actor: User | None) -> None:
    """Close a locked open table that will never become a game."""
    _end(game, Game.Status.CLOSED, ending, now=now, actor=actor)


def _lost_by(game: Game, loser: int, reason: str) -> Outcome:
    """Return the outcome in which the loser's side comes last and all others win."""
    sides = game.rules.sides(game.options)
    places = tuple(2 if side == sides[loser] else 1 for side in sides)
    return Outcome(places, None, reason)


def _end(
    game: Game,
    status: Game.Status,
    ending: str,
    *,
    now: datetime,
    outcome: Outcome | None = None,
    actor: User | None = None,
) -> None:
    """End a locked game: the only place where a game becomes over."""
    game.status = status
    game.ending = ending
    game.ended_at = now
    game.expires_at = None
    game.seat_to_move = game.deadline = game.reminder_at = game.program_due_at = None
    game.save()
    if outcome is not None:
        _write_result(game, outcome)
    game.offers.filter(state=Offer.State.OPEN).update(state=Offer.State.LAPSED, closed_at=now)
    game.invitations.filter(state=Invitation.State.OPEN).update(
        state=Invitation.State.LAPSED, answered_at=now
    )
    kind = Event.Kind.CLOSED if status == Game.Status.CLOSED else Event.Kind.ENDED
    details: dict[str, object] = {"ending": str(ending), "status": str(status)}
    record_event(game, kind, now=now, actor=actor, details=details)


def _write_result(game: Game, outcome: Outcome) -> None:
    seats = list(game.seats.all())
    for seat in seats:
        seat.place = outcome.places[seat.number]
        seat.points = outcome.points[seat.number] if outcome.points else None
    Seat.objects.bulk_update(seats, ["place", "points"])
