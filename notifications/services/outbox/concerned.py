"""Whom each event concerns, and what they are told: the one place where that is decided."""

from collections.abc import Callable, Iterable, Mapping

from django.conf import settings

from accounts.models import User
from games.models import Event, Game, Message
from games.queries import QUIET_DEEDS, player_at
from games.queries.silence import heard_by
from games.services.conduct.blocks import is_unwelcome
from games.services.moderation.names import Deed
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


def hearers(event: Event) -> list[User]:
    """Return whom a message is for: the others, but not who left while the game goes on.

    Nor who does not want to read its author.
    """
    others = other_players(event) if event.game.is_over else still_playing(event)
    said = Message.objects.filter(pk=event.details.get("message"))
    return [reader for reader in others if heard_by(reader, said).exists()]


def left_behind(event: Event) -> list[User]:
    """Return whom a player left behind; what a moderator did to a seat is told by itself.

    Who ran out of time is told too, unless they were when somebody was sought for their seat.
    """
    because, others = event.details.get("because"), still_playing(event)
    if because == Game.Ending.REMOVED:
        return []
    if because != Game.Ending.TIMEOUT or event.actor is None:
        return others
    sought = event.game.events.filter(kind=Event.Kind.SEAT_SOUGHT, actor=event.actor)
    return others if sought.filter(pk__lt=event.pk).exists() else [*others, event.actor]


def judged(event: Event) -> list[User]:
    """Return everybody at the game, and who sat there until a moderator's act.

    Of an end the letter about the end tells.
    """
    if event.details.get("what") in {*QUIET_DEEDS, Deed.ADJUDICATE, Deed.ABORT}:
        return []
    former = User.objects.filter(pk=event.details.get("player"))
    return [*players(event), *former]


def still_playing_and_former(event: Event) -> list[User]:
    """Return everybody who plays on, and whose seat is sought for."""
    return [*still_playing(event), *([event.actor] if event.actor else [])]


def mover(event: Event) -> list[User]:
    """Return who is to move, unless they did it themselves or the game has moved on since."""
    game = event.game
    if game.seat_to_move is None or game.turn_number != event.turn_number:
        return []
    user = player_at(game, game.seat_to_move)
    return [user] if user and user.pk != event.actor_id else []


def waiting_for_somebody(event: Event) -> list[User | str]:
    """Return who waits for a player whom no mail reaches: the others who play, and the host."""
    others = [user for user in still_playing(event) if user.pk != event.details.get("user")]
    return [*others, *filter(None, [settings.HOST_ADDRESS])]


def maker(event: Event) -> list[User]:
    """Return who made the table, unless they did it themselves."""
    return [event.game.maker] if event.game.maker_id != event.actor_id else []


def maker_once(event: Event) -> list[User]:
    """Return who made the table, the first time that this person leaves it.

    Who comes and goes again and again cannot have mail sent without end.
    """
    earlier = Event.objects.filter(game=event.game, kind=event.kind, actor=event.actor)
    return [] if earlier.filter(pk__lt=event.pk).exists() else maker(event)


def invited(event: Event) -> list[User | str]:
    """Return whoever is asked to sit down: a player, or an address; not who blocked who asks."""
    if event.invitation is None or is_unwelcome(event.invitation):
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
    Event.Kind.LEFT: (Kind.TABLE_NEWS, maker_once),
    Event.Kind.DECLINED: (Kind.TABLE_NEWS, maker),
    Event.Kind.CLOSED: (Kind.TABLE_NEWS, left_waiting),
    Event.Kind.STARTED: (Kind.GAME_BEGUN, players),
    Event.Kind.TURN_PLAYED: (Kind.YOUR_TURN, mover),
    Event.Kind.REMINDER_DUE: (Kind.REMINDER, mover),
    Event.Kind.DEPARTED: (Kind.PLAYER_LEFT, left_behind),
    Event.Kind.SEAT_SOUGHT: (Kind.PLAYER_LEFT, still_playing_and_former),
    Event.Kind.SEAT_TAKEN_OVER: (Kind.PLAYER_LEFT, still_playing),
    Event.Kind.MODERATED: (Kind.MODERATED, judged),
    Event.Kind.VACATION_BEGUN: (Kind.VACATION, mover),
    Event.Kind.OFFER_MADE: (Kind.OFFER, still_playing),
    Event.Kind.OFFER_DECLINED: (Kind.OFFER, still_playing),
    Event.Kind.OFFER_WITHDRAWN: (Kind.OFFER, still_playing),
    Event.Kind.OFFER_ACCEPTED: (Kind.OFFER, still_playing),
    Event.Kind.TIME_GRANTED: (Kind.CLOCK, mover),
    Event.Kind.CLOCK_STOPPED: (Kind.CLOCK, waiting_for_somebody),
    Event.Kind.CLOCK_STARTED: (Kind.CLOCK, still_playing),
    Event.Kind.ENDED: (Kind.GAME_OVER, players),
    Event.Kind.MESSAGE_SAID: (Kind.MESSAGE, hearers),
}
"""What each kind of event becomes. Of the others nobody is told: a seat taken is told when the
game begins."""
