"""Offers at a running game, and the answers: what each kind means stands in agreements.py."""

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import User
from games import errors
from games.clock.clock import StopReason
from games.clock.time_control import TimeControl
from games.models import Event, Game, Offer, Seat
from games.services.agreements import AGREEMENTS, Details, pace_details, pause_details
from games.services.events import record_event
from games.services.locking import running_game

MOST_OF_A_KIND = 3
"""How many different offers of one kind a player may make in one position."""


def offer_end(*, game_id: int, user: User, now: datetime) -> Offer:
    """Offer everybody to end the game by agreement. Raises as `make_offer` does."""
    return make_offer(game_id=game_id, user=user, kind=Offer.Kind.AGREED_END, details={}, now=now)


def offer_pause(*, game_id: int, user: User, days: int, now: datetime) -> Offer:
    """Offer everybody to stop the clock for 3, 7, 14 or 30 days.

    Raises as `make_offer` does, BadPause, and ClockStands while it stands for any reason.
    """
    details = pause_details(days)
    return make_offer(game_id=game_id, user=user, kind=Offer.Kind.PAUSE, details=details, now=now)


def offer_pace(*, game_id: int, user: User, pace: TimeControl, now: datetime) -> Offer:
    """Offer everybody to play on at another pace. Raises as `make_offer` does, and BadPace."""
    if not pace.is_possible:
        raise errors.BadPace
    details = pace_details(pace)
    return make_offer(game_id=game_id, user=user, kind=Offer.Kind.PACE, details=details, now=now)


@transaction.atomic
def make_offer(
    *, game_id: int, user: User, kind: Offer.Kind, details: Details, now: datetime
) -> Offer:
    """Offer something to everybody else at a running game.

    Raises NoSuchGame, NotAPlayer, HasLeft, GameNotRunning, HeldByModerator, ClosedForMaintenance,
    TooLate, SeatIsSought, OfferStands, OfferedAlready, and what the kind refuses.
    """
    game, seat = running_game(game_id, user, now)
    if game.stop_reason == StopReason.SUBSTITUTE:
        raise errors.SeatIsSought
    AGREEMENTS[kind].check(game, details)
    if game.offers.filter(state=Offer.State.OPEN, kind=kind).exists():
        raise errors.OfferStands
    if _is_pestering(game, seat, kind, details):
        raise errors.OfferedAlready
    offer = Offer.objects.create(
        game=game,
        seat=seat,
        kind=kind,
        details=dict(details),
        turn_number=game.turn_number,
        made_at=now,
    )
    _tell(offer, Event.Kind.OFFER_MADE, user, now)
    return offer


def _is_pestering(game: Game, seat: Seat, kind: str, details: Details) -> bool:
    """Tell whether the others have answered that, or enough like it, in this position."""
    before = game.offers.filter(seat=seat, kind=kind, turn_number=game.turn_number)
    made = list(before.exclude(state=Offer.State.ACCEPTED).values_list("details", flat=True))
    return dict(details) in made or len(made) >= MOST_OF_A_KIND


@transaction.atomic
def accept_offer(*, game_id: int, user: User, now: datetime, offer_id: int | None = None) -> Game:
    """Accept a standing offer (the only one when `offer_id` is None); the last makes it so.

    Raises NoSuchGame, NotAPlayer, HasLeft, GameNotRunning, HeldByModerator, ClosedForMaintenance,
    TooLate, NoOffer, SeveralOffers, and what the kind refuses.
    """
    game, seat = running_game(game_id, user, now)
    offer = _only(_to_answer(game, seat), offer_id)
    agreement = AGREEMENTS[offer.kind]
    agreement.check(game, offer.details)
    offer.answers.create(seat=seat, answered_at=now)
    if offer.answers.count() + 1 == game.seats.filter(left_at=None).count():
        _close(offer, Offer.State.ACCEPTED, now)
        if not agreement.ends:
            _tell(offer, Event.Kind.OFFER_ACCEPTED, user, now)
        agreement.take_effect(game, offer.details, user, now)
    return game


@transaction.atomic
def decline_offer(*, game_id: int, user: User, now: datetime, offer_id: int | None = None) -> Game:
    """Decline a standing offer (the only one when `offer_id` is None), accepted before or not.

    Raises as `accept_offer` does.
    """
    game, seat = running_game(game_id, user, now)
    offer = _only(_standing(game).exclude(seat=seat), offer_id)
    _close(offer, Offer.State.DECLINED, now)
    _tell(offer, Event.Kind.OFFER_DECLINED, user, now)
    return game


@transaction.atomic
def withdraw_offer(*, game_id: int, user: User, now: datetime, offer_id: int | None = None) -> Game:
    """Take one's own offer back (the only one when `offer_id` is None).

    Raises as `accept_offer` does.
    """
    game, seat = running_game(game_id, user, now)
    offer = _only(_standing(game).filter(seat=seat), offer_id)
    _close(offer, Offer.State.WITHDRAWN, now)
    _tell(offer, Event.Kind.OFFER_WITHDRAWN, user, now)
    return game


def lapse_unanswered(game: Game, seat: Seat, *, now: datetime) -> None:
    """Let the standing offers lapse: who plays on instead of answering them has answered."""
    asked = _to_answer(game, seat)
    asked.update(state=Offer.State.LAPSED, closed_at=now)


def _standing(game: Game) -> QuerySet[Offer]:
    return game.offers.filter(state=Offer.State.OPEN)


def _to_answer(game: Game, seat: Seat) -> QuerySet[Offer]:
    return _standing(game).exclude(seat=seat).exclude(answers__seat=seat)


def _only(offers: QuerySet[Offer], offer_id: int | None) -> Offer:
    """Return the offer that is meant. Raises NoOffer, SeveralOffers."""
    found = list(offers if offer_id is None else offers.filter(pk=offer_id))
    if not found:
        raise errors.NoOffer
    if len(found) > 1:
        raise errors.SeveralOffers
    return found[0]


def _close(offer: Offer, state: Offer.State, now: datetime) -> None:
    offer.state = state
    offer.closed_at = now
    offer.save(update_fields=["state", "closed_at"])


def _tell(offer: Offer, kind: Event.Kind, actor: User, now: datetime) -> None:
    details: dict[str, object] = {"kind": str(offer.kind), "offer": offer.pk}
    record_event(offer.game, kind, now=now, actor=actor, details=details)
