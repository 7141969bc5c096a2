"""Bots answer invitations and offers at once. How they play is in `thinking.py`."""

import logging
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from games import errors
from games.models import Invitation, Offer, OfferAnswer, Seat
from games.services.invitations import accept
from games.services.locking import free_game
from games.services.offers import accept_offer, decline_offer
from games.services.site_status import is_closed

log = logging.getLogger(__name__)

BATCH = 50


def answer_for_bots(*, now: datetime) -> int:
    """Let every bot answer invitations and offers; return how many times one did.

    Bots do nothing during maintenance.
    """
    if is_closed():
        return 0
    return accept_invitations(now) + answer_offers(now)


def accept_invitations(now: datetime) -> int:
    """Let bots take the seats that are reserved for them; return how many did."""
    invitations = Invitation.objects.open().filter(user__is_bot=True, user__owner=None)
    invitations = invitations.select_related("user")
    return sum(_accept_invitation(invitation, now) for invitation in invitations[:BATCH])


@transaction.atomic
def _accept_invitation(invitation: Invitation, now: datetime) -> bool:
    assert invitation.user is not None  # noqa: S101  (the filter says so)
    if free_game(invitation.game_id) is None:
        return False
    try:
        accept(invitation_id=invitation.pk, user=invitation.user, now=now)
    except errors.Refusal as refusal:
        log.info("%s cannot join game %s: %s", invitation.user, invitation.game_id, refusal.code)
        return False
    return True


def answer_offers(now: datetime) -> int:
    """Let bots answer what people offer; return how many answers there were.

    In a rated game they agree to a pause only: an end or a turn taken back would change the result
    for nothing. In others they accept, so that nobody has to play on against a bot.
    """
    answered = OfferAnswer.objects.filter(offer=OuterRef(OuterRef("pk")), seat=OuterRef("pk"))
    silent_bots = Seat.objects.still_playing().filter(
        ~Exists(answered), game=OuterRef("game"), user__is_bot=True, user__owner=None
    )
    by_people = Q(seat__user__is_bot=False) | Q(seat__user__owner__isnull=False)
    offers = Offer.objects.open().filter(by_people, Exists(silent_bots)).select_related("game")
    return sum(_answer_offer(offer, now) for offer in offers[:BATCH])


@transaction.atomic
def _answer_offer(offer: Offer, now: datetime) -> int:
    """Let every bot that is asked accept, or the first one decline; return how many could."""
    if free_game(offer.game_id) is None:
        return 0
    bots = {"user__is_bot": True, "user__owner": None}
    seats = Seat.objects.still_playing().filter(game=offer.game_id, **bots)
    seats = seats.exclude(offeranswer__offer=offer).select_related("user")
    accepts = offer.kind == Offer.Kind.PAUSE or not offer.game.is_rated
    answer = accept_offer if accepts else decline_offer
    done = 0
    for seat in seats if accepts else seats[:1]:
        assert seat.user is not None  # noqa: S101  (the filter says so)
        try:
            answer(game_id=offer.game_id, user=seat.user, now=now, offer_id=offer.pk)
            done += 1
        except errors.Refusal as refusal:
            log.info("a bot cannot answer an offer at game %s: %s", offer.game_id, refusal.code)
    return done
