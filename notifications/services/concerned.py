"""Whom each event concerns, and what they are told: the one place where that is decided."""

from collections.abc import Callable, Iterable, Mapping

from accounts.models import User
from games.models import Event, Game
from games.queries import player_at
from notifications.models import Kind

Who = Callable[[Event], Iterable[User | str]]
"""Returns the people an event concerns, or bare addresses of people without an account."""


def players(event: Event) -> list[User]:
    """Return everybody at the table."""
    seats = event.game.seats.select_related("user").filter(user__isnull=False)
    return [seat.user for seat in seats if seat.user is not None]


def other_players(event: Event) -> list[User]:
    """Return everybody at the table but who did it."""
    return [user for user in players(event) if user.pk != event.actor_id]


def still_playing(event: Event) -> list[User]:
    """Return everybody who plays on, but who did it."""
    left = event.game.seats.filter(left_at__isnull=False).values_list("user_id", flat=True)
    return [user for user in other_players(event) if user.pk not in left]


def mover(event: Event) -> list[User]:
    """Return who is to move, unless they did it themselves or the game has moved on since."""
    game = event.game
    if game.seat_to_move is None or game.turn_number != event.turn_number:
        return []
    user = player_at(game, game.seat_to_move)
    return [user] if user and user.pk != event.actor_id else []


def maker(event: Event) -> list[User]:
    """Return who made the table, unless they did it themselves."""
    return [event.game.maker] if event.game.maker_id != event.actor_id else []


def invited(event: Event) -> list[User | str]:
    """Return whoever is asked to sit down: a player, or an address."""
    if event.invitation is None:
        return []
    return [event.invitation.user or event.invitation.email]


def left_waiting(event: Event) -> list[User]:
    """Return who sat at a table that closed before its game began.

    A table that closes because an invitation was declined: that has been told already.
    """
    told_already = event.details.get("ending") == Game.Ending.DECLINED
    return [] if told_already else other_players(event)


TOLD: Mapping[str, tuple[Kind, Who]] = {
    Event.Kind.CHALLENGED: (Kind.CHALLENGE, invited),
    Event.Kind.INVITED: (Kind.INVITATION, invited),
    Event.Kind.LEFT: (Kind.TABLE_NEWS, maker),
    Event.Kind.DECLINED: (Kind.TABLE_NEWS, maker),
    Event.Kind.CLOSED: (Kind.TABLE_NEWS, left_waiting),
    Event.Kind.STARTED: (Kind.GAME_BEGUN, players),
    Event.Kind.TURN_PLAYED: (Kind.YOUR_TURN, mover),
    Event.Kind.REMINDER_DUE: (Kind.REMINDER, mover),
    Event.Kind.DEPARTED: (Kind.PLAYER_LEFT, still_playing),
    Event.Kind.OFFER_MADE: (Kind.OFFER, still_playing),
    Event.Kind.OFFER_DECLINED: (Kind.OFFER, still_playing),
    Event.Kind.OFFER_WITHDRAWN: (Kind.OFFER, still_playing),
    Event.Kind.ENDED: (Kind.GAME_OVER, players),
}
"""What each kind of event becomes. Of the others nobody is told: a seat taken is told when the
game begins."""
