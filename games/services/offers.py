"""Offers at a running game: today, to end it by agreement."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.models import Event, Game, Offer, Seat
from games.services.conclusion import end_by_rules
from games.services.errors import NoOffer, OfferedAlready, OfferStands
from games.services.events import record_event
from games.services.locking import running_game


@transaction.atomic
def offer_end(*, game_id: int, user: User, now: datetime) -> Offer:
    """Offer everybody to end the game by agreement.

    Raises NoSuchGame, NotAPlayer, GameNotRunning, TooLate, OfferStands,
    OfferedAlready.
    """
    game, seat = running_game(game_id, user, now)
    if game.offers.filter(state=Offer.State.OPEN).exists():
        raise OfferStands
    if game.offers.filter(seat=seat, turn_number=game.turn_number).exists():
        raise OfferedAlready
    offer = Offer.objects.create(
        game=game,
        seat=seat,
        kind=Offer.Kind.AGREED_END,
        turn_number=game.turn_number,
        made_at=now,
    )
    _tell(offer, Event.Kind.OFFER_MADE, user, now)
    return offer


@transaction.atomic
def accept_offer(*, game_id: int, user: User, now: datetime) -> Game:
    """Accept the standing offer; the last to accept makes it so.

    Raises NoSuchGame, NotAPlayer, GameNotRunning, TooLate, NoOffer.
    """
    game, seat = running_game(game_id, user, now)
    offer = _offer_to(game, seat)
    if offer.answers.filter(seat=seat).exists():
        raise NoOffer
    offer.answers.create(seat=seat, answered_at=now)
    if offer.answers.count() + 1 == game.seats.filter(left_at=None).count():
        _close(offer, Offer.State.ACCEPTED, now)
        outcome = game.rules.agreed_end(game.rules.load(game.position))
        end_by_rules(game, outcome, now=now, actor=user)
    return game


@transaction.atomic
def decline_offer(*, game_id: int, user: User, now: datetime) -> Game:
    """Decline the standing offer.

    Raises NoSuchGame, NotAPlayer, GameNotRunning, TooLate, NoOffer.
    """
    game, seat = running_game(game_id, user, now)
    offer = _offer_to(game, seat)
    _close(offer, Offer.State.DECLINED, now)
    _tell(offer, Event.Kind.OFFER_DECLINED, user, now)
    return game


@transaction.atomic
def withdraw_offer(*, game_id: int, user: User, now: datetime) -> Game:
    """Take one's own offer back.

    Raises NoSuchGame, NotAPlayer, GameNotRunning, TooLate, NoOffer.
    """
    game, seat = running_game(game_id, user, now)
    offer = game.offers.filter(state=Offer.State.OPEN, seat=seat).first()
    if offer is None:
        raise NoOffer
    _close(offer, Offer.State.WITHDRAWN, now)
    _tell(offer, Event.Kind.OFFER_WITHDRAWN, user, now)
    return game


def lapse_unanswered(game: Game, seat: Seat, *, now: datetime) -> None:
    """Let the standing offer lapse: who plays on instead of answering it has answered."""
    asked = game.offers.filter(state=Offer.State.OPEN).exclude(seat=seat)
    asked.exclude(answers__seat=seat).update(state=Offer.State.LAPSED, closed_at=now)


def _offer_to(game: Game, seat: Seat) -> Offer:
    offer = game.offers.filter(state=Offer.State.OPEN).exclude(seat=seat).first()
    if offer is None:
        raise NoOffer
    return offer


def _close(offer: Offer, state: Offer.State, now: datetime) -> None:
    offer.state = state
    offer.closed_at = now
    offer.save(update_fields=["state", "closed_at"])


def _tell(offer: Offer, kind: Event.Kind, actor: User, now: datetime) -> None:
    details: dict[str, object] = {"kind": str(offer.kind), "offer": offer.pk}
    record_event(offer.game, kind, now=now, actor=actor, details=details)
