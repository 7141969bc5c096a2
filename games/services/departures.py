"""A player who leaves a game of more than two while the others play on."""

from datetime import datetime

from accounts.models import User
from games.models import Event, Game, Offer, Seat, Turn
from games.rules.base import withdrawal
from games.services.events import record_event
from games.services.progress import append, go_on


def depart(game: Game, seat: Seat, why: Game.Ending, *, now: datetime, actor: User | None) -> None:
    """Let `seat` withdraw from a locked running game; the record and the rules say so.

    The clock goes on for whoever is to move; it starts anew only where the turn passes on.
    """
    position = game.rules.load(game.position)
    seat.left_at = now
    seat.left_because = why
    seat.save(update_fields=["left_at", "left_because"])
    game.offers.filter(state=Offer.State.OPEN).update(state=Offer.State.LAPSED, closed_at=now)
    append(game, seat, withdrawal(seat.number), via=Turn.Via.LEFT, now=now)
    details: dict[str, object] = {"seat": seat.number, "because": str(why)}
    record_event(game, Event.Kind.DEPARTED, now=now, actor=seat.user, details=details)
    go_on(game, seat, game.rules.withdraw(position, seat.number), now=now, actor=actor)
