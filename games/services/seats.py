"""A seat that goes from one player to another while the game runs."""

from datetime import datetime, timedelta

from accounts.models import User
from games.models import Game, Offer, Seat, Takeover
from games.models.game import CLOCK_COLUMNS
from games.services.progress import start_next_turn


def hand_over(game: Game, seat: Seat, user: User, now: datetime, *, time: timedelta) -> None:
    """Let `user` play a seat of a locked running game from now on, with so much time.

    The turns played so far stay those of who played them; the result is the new player's. Where
    the former player stood in for a partner, the new one does. If it is their move now, the turn
    begins anew.
    """
    assert seat.user is not None  # noqa: S101  (the game has begun)
    Takeover.objects.create(seat=seat, former=seat.user, by=user, at=now)
    moves = [seat.number, *_stand_in(game, seat.user, user)]
    seat.user = user
    seat.stand_in = None
    seat.left_at, seat.left_because = None, ""
    seat.time_left = time
    seat.save(update_fields=["user", "stand_in", "left_at", "left_because", "time_left"])
    game.offers.filter(state=Offer.State.OPEN).update(state=Offer.State.LAPSED, closed_at=now)
    if game.seat_to_move in moves:
        start_next_turn(game, game.rules.load(game.position), now=now)
        game.save(update_fields=CLOCK_COLUMNS)


def _stand_in(game: Game, former: User, user: User) -> list[int]:
    """Let `user` stand in where `former` did, with a turn's time at least; return those seats."""
    stood_in_for = list(game.seats.filter(stand_in=former))
    for seat in stood_in_for:
        seat.stand_in = user
        seat.time_left = max(seat.time_left, game.terms.pace.for_another)
        seat.save(update_fields=["stand_in", "time_left"])
    return [seat.number for seat in stood_in_for]
