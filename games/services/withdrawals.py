"""A player who leaves a game of more than two while the others play on."""

from datetime import datetime

from accounts.models import User
from games.models import Event, Game, Offer, Seat, Turn
from games.rules.base import withdrawal
from games.services.clock.game_clock import seat_at
from games.services.conclusion import finish_with_loser
from games.services.events import record_event
from games.services.progress import advance_game, append_entry


def forfeit(game: Game, seat: Seat, why: Game.Ending, *, now: datetime, actor: User | None) -> None:
    """With two seats the game is over; with more the seat departs and the others play on."""
    if game.rules.seats(game.options) == 2:  # noqa: PLR2004  (the loser and the winner)
        finish_with_loser(game, seat, why, now=now, actor=actor)
    else:
        withdraw_player(game, seat, why, now=now, actor=actor)


def withdraw_player(
    game: Game, seat: Seat, why: Game.Ending, *, now: datetime, actor: User | None
) -> None:
    """Let a player withdraw from a locked running game; the record and the rules say so.

    Whoever leaves a seat leaves those for which they stand in. The clock goes on for whoever is to
    move; it starts anew only where the turn passes on. A seat for which somebody is sought leaves
    too when only one player would wait for that.
    """
    mark_left(game, seat, why, now=now)
    if game.is_substitute_sought and game.seats.filter(left_at=None).count() < 2:  # noqa: PLR2004
        apply_withdrawal(game, vacant_seat(game), now=now, actor=actor)
    for other in game.seats.filter(stand_in=seat.user):
        if not game.is_over:
            _strike(game, other, now=now, actor=actor)
    if not game.is_over:
        apply_withdrawal(game, seat, now=now, actor=actor)


def mark_left(game: Game, seat: Seat, why: Game.Ending, *, now: datetime) -> None:
    """Write down that the player of a seat is gone; what was offered lapses without them."""
    seat.left_at = now
    seat.left_because = why
    seat.save(update_fields=["left_at", "left_because"])
    game.offers.filter(state=Offer.State.OPEN).update(state=Offer.State.LAPSED, closed_at=now)


def apply_withdrawal(game: Game, seat: Seat, *, now: datetime, actor: User | None) -> None:
    """Let the rules go on without a seat whose player is gone, and tell so."""
    _strike(game, seat, now=now, actor=actor, told=True)


def _strike(
    game: Game, seat: Seat, *, now: datetime, actor: User | None, told: bool = False
) -> None:
    position = game.rules.load(game.position)
    append_entry(game, seat, withdrawal(seat.number), via=Turn.Via.LEFT, now=now)
    if told:
        record_withdrawal(game, seat, now=now)
    advance_game(game, seat, game.rules.withdraw(position, seat.number), now=now, actor=actor)


def record_withdrawal(game: Game, seat: Seat, *, now: datetime) -> None:
    """Record that the player of a seat has left the game."""
    details: dict[str, object] = {"seat": seat.number, "because": str(seat.left_because)}
    if seat.stand_in_id is not None:
        details["stand_in"] = seat.stand_in_id
    record_event(game, Event.Kind.DEPARTED, now=now, actor=seat.user, details=details)


def vacant_seat(game: Game) -> Seat:
    """Return the seat for which somebody is sought: it is the one to move."""
    return seat_at(game, game.clock.seat_to_move)
