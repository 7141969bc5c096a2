"""How often one player may ask something of another: the other is told by mail each time."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q

from accounts.models import User
from games import errors
from games.models import Event, Game, Seat

ASKING = (Event.Kind.CHALLENGED, Event.Kind.OFFER_MADE, Event.Kind.TIME_GRANTED)
"""What a player does alone, as often as they like, that another person is told of."""

_DAY = timedelta(days=1)


def check_may_ask(by: User, others: Iterable[User], now: datetime) -> None:
    """Raise AskedEnough if `by` has asked one of the others for too much within a day.

    Bots of this server are asked as often as anybody likes. Nothing is locked: of two requests
    at the same moment both may pass, and the outbox holds back what is too much in any case.
    """
    lately = Event.objects.done_since(by, now - _DAY).filter(kind__in=ASKING)
    for person in others:
        if person.is_played_here or person.pk == by.pk:
            continue
        games = Seat.objects.filter(user=person).values("game")
        of_person = Q(invitation__user=person) | Q(invitation=None, game__in=games)
        if lately.filter(of_person).count() >= settings.ASKS_A_DAY:
            raise errors.AskedEnough(name=person, most=settings.ASKS_A_DAY)


def others_at(game: Game, by: User) -> list[User]:
    """Return the players of a game who are told what `by` asks of all of them."""
    seats = game.seats.still_playing().select_related("user").exclude(user=by)
    return [seat.user for seat in seats if seat.user is not None]
