"""Groups of people around an event that several kinds of mail are for."""

from accounts.models import User
from games.models import Event
from games.queries import player_at
from games.services.conduct.blocks import is_from_blocked_user


def players(event: Event) -> list[User]:
    """Return everybody at the table."""
    seats = event.game.seats.select_related("user").filter(user__isnull=False)
    return [seat.user for seat in seats if seat.user is not None]


def other_players(event: Event) -> list[User]:
    """Return everybody at the table but the event's actor."""
    return [user for user in players(event) if user.pk != event.actor_id]


def still_playing(event: Event) -> list[User]:
    """Return everybody who plays on, but the event's actor."""
    left = event.game.seats.filter(left_at__isnull=False).values_list("user_id", flat=True)
    return [user for user in other_players(event) if user.pk not in left]


def player_to_move(event: Event) -> list[User]:
    """Return the player to move, unless they are the actor or the game has moved on since."""
    game = event.game
    if game.seat_to_move is None or game.turn_number != event.turn_number:
        return []
    user = player_at(game, game.seat_to_move)
    return [user] if user and user.pk != event.actor_id else []


def invited(event: Event) -> list[User | str]:
    """Return the invited player or address; nobody where they have blocked the inviter."""
    if event.invitation is None or is_from_blocked_user(event.invitation):
        return []
    return [event.invitation.user or event.invitation.email]
