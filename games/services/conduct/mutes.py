"""Muting a seat: its messages are hidden from one player."""

from datetime import datetime

from accounts.models import User
from games import errors
from games.models import Game, Mute, Seat
from games.services.suspensions import check_not_suspended


def mute(*, game_id: int, user: User, seat_number: int, now: datetime) -> Mute:
    """Hide a seat's messages from `user`, on the page and in mails. Muting twice changes nothing.

    Raises AccountClosed, Barred, NoSuchGame, NotAPlayer, BadSeat, OwnSeat.
    """
    check_not_suspended(user, now)
    seat = _others_seat(game_id, user, seat_number)
    made, _ = Mute.objects.get_or_create(user=user, seat=seat, defaults={"at": now})
    return made


def unmute(*, game_id: int, user: User, seat_number: int, now: datetime) -> bool:
    """Show a seat's messages to `user` again; return whether it was muted. Raises as `mute`."""
    check_not_suspended(user, now)
    seat = _others_seat(game_id, user, seat_number)
    return bool(Mute.objects.filter(user=user, seat=seat).delete()[0])


def _others_seat(game_id: int, user: User, number: int) -> Seat:
    if not Game.objects.filter(pk=game_id).exists():
        raise errors.NoSuchGame
    seats = {seat.number: seat for seat in Seat.objects.filter(game=game_id)}
    if not any(seat.user_id == user.pk for seat in seats.values()):
        raise errors.NotAPlayer
    if number not in seats:
        raise errors.BadSeat
    if seats[number].user_id == user.pk:
        raise errors.OwnSeat
    return seats[number]
