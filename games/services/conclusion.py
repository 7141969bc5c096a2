"""The one place where games become over: `_end`, and the few ways to come to it."""

from datetime import datetime

from accounts.models import User
from games.models import Event, Game, Invitation, Offer, Seat
from games.rules.base import Outcome
from games.services.events import record_event


def end_by_rules(game: Game, outcome: Outcome, *, now: datetime, actor: User | None) -> None:
    """End a locked game as its rules (or an agreement counted by them) say."""
    _end(game, Game.Status.FINISHED, outcome.reason, outcome=outcome, now=now, actor=actor)


def finish_with_loser(
    game: Game, loser: Seat, ending: Game.Ending, *, now: datetime, actor: User | None
) -> None:
    """End a locked game in which the loser's side comes last and all others win."""
    sides = game.rules.sides(game.options)
    places = tuple(2 if side == sides[loser.number] else 1 for side in sides)
    outcome = Outcome(places, None, ending)
    _end(game, Game.Status.FINISHED, ending, outcome=outcome, now=now, actor=actor)


def abort_game(game: Game, ending: Game.Ending, *, now: datetime, actor: User | None) -> None:
    """End a locked running game without a result."""
    _end(game, Game.Status.ABORTED, ending, now=now, actor=actor)


def close_table(game: Game, ending: Game.Ending, *, now: datetime, actor: User | None) -> None:
    """Close a locked open table that will never become a game."""
    _end(game, Game.Status.CLOSED, ending, now=now, actor=actor)


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
    game.clear_clock()
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
