"""Bots: they accept invitations and offers, and play through `play_turn` as people do."""

import logging
import random
from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from games import errors
from games.models import Game, Invitation, Offer, OfferAnswer, Seat, Turn
from games.rules.base import AnyRules
from games.rules.random_games import random_turn
from games.services.clock.game_clock import mover
from games.services.invitations import accept
from games.services.locking import free_game
from games.services.offers import accept_offer
from games.services.site_status import is_closed
from games.services.turns import play_turn

log = logging.getLogger(__name__)

BATCH = 50
PAUSE_AFTER_FAULT = timedelta(minutes=1)

Choice = Callable[[AnyRules, object], str]
"""How a bot picks its turn: from rules and position to a whole turn's notation."""

chance = random.SystemRandom()


def choose_at_random(rules: AnyRules, position: object) -> str:
    """Return a legal turn chosen at random, action by action."""
    return random_turn(rules, position, chance)[0]


def play_for_bots(*, now: datetime) -> int:
    """Let every bot accept invitations and offers, and play; return how many times one did.

    Bots do nothing during maintenance.
    """
    if is_closed():
        return 0
    done = accept_invitations(now) + accept_offers(now)
    due = Game.objects.filter(bot_due_at__lte=now).order_by("bot_due_at")
    for game_id in list(due.values_list("pk", flat=True)[:BATCH]):
        done += play_due_turn(game_id, now, choose_at_random)
    return done


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


def accept_offers(now: datetime) -> int:
    """Let bots accept what people offer, so that nobody has to play on against a bot."""
    answered = OfferAnswer.objects.filter(offer=OuterRef(OuterRef("pk")), seat=OuterRef("pk"))
    silent_bots = Seat.objects.still_playing().filter(
        ~Exists(answered), game=OuterRef("game"), user__is_bot=True, user__owner=None
    )
    by_people = Q(seat__user__is_bot=False) | Q(seat__user__owner__isnull=False)
    offers = Offer.objects.open().filter(by_people, Exists(silent_bots))
    return sum(_accept_offer(offer, now) for offer in offers[:BATCH])


@transaction.atomic
def _accept_offer(offer: Offer, now: datetime) -> int:
    """Let every bot that is asked accept; return how many could."""
    if free_game(offer.game_id) is None:
        return 0
    bots = {"user__is_bot": True, "user__owner": None}
    seats = Seat.objects.still_playing().filter(game=offer.game_id, **bots)
    done = 0
    for seat in seats.exclude(offeranswer__offer=offer).select_related("user"):
        assert seat.user is not None  # noqa: S101  (the filter says so)
        try:
            accept_offer(game_id=offer.game_id, user=seat.user, now=now, offer_id=offer.pk)
            done += 1
        except errors.Refusal as refusal:
            log.info("a bot cannot accept an offer at game %s: %s", offer.game_id, refusal.code)
    return done


def play_due_turn(game_id: int, now: datetime, choose: Choice) -> bool:
    """Play one bot's turn; return False if it was refused, or another transaction has the game.

    The turn is chosen before the row is locked: that can take long, and nobody who resigns or
    writes meanwhile should wait for it.
    """
    seen = Game.objects.filter(pk=game_id, bot_due_at__lte=now).first()
    if seen is None:
        return False
    try:
        text = choose(seen.rules, seen.rules.load(seen.position))
        with transaction.atomic():
            game = free_game(game_id)
            if game is None or game.bot_due_at is None or game.bot_due_at > now:
                return False
            if (game.turn_number, game.position) != (seen.turn_number, seen.position):
                return False
            player = mover(game)
            assert player is not None  # noqa: S101  (a bot is due)
            play_turn(
                game_id=game_id,
                user=player,
                text=text,
                expected_turn=game.turn_number,
                via=Turn.Via.BOT,
                now=now,
            )
    except errors.Refusal as refusal:
        log.info("the bot's turn at game %s was refused: %s", game_id, refusal.code)
    except Exception:
        # One broken game must not keep the bots from the others.
        log.exception("the bot cannot play at game %s", game_id)
    else:
        return True
    same = Game.objects.filter(pk=game_id, bot_due_at=seen.bot_due_at)
    same.update(bot_due_at=now + PAUSE_AFTER_FAULT)
    return False
