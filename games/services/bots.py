"""Players that are programs: they sit down when asked and play through the same door."""

import logging
import random
from collections.abc import Callable
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from accounts.models import User
from games import errors
from games.models import Game, Invitation, Offer, OfferAnswer, Seat, Turn
from games.rules.base import AnyRules
from games.rules.random_games import random_turn
from games.services.clock.game_clock import mover
from games.services.invitations import accept, challenge, own_table_locked
from games.services.locking import free_game
from games.services.maintenance import is_closed
from games.services.offers import accept_offer
from games.services.tables import free_seats
from games.services.turns import play_turn

log = logging.getLogger(__name__)

BATCH = 50
PAUSE_AFTER_FAULT = timedelta(minutes=1)

Choice = Callable[[AnyRules, object], str]
"""How a program picks its turn: rules and position to a whole turn's notation."""

chance = random.SystemRandom()


def practice_partner() -> User:
    """Return the account of the practice partner. Raises PartnerCannotPlay without one."""
    found = User.objects.filter(
        username=settings.PRACTICE_PARTNER_USERNAME, is_program=True, is_active=True
    ).first()
    if found is None:
        raise errors.PartnerCannotPlay
    return found


@transaction.atomic
def ask_partner(*, game_id: int, by: User, now: datetime) -> Invitation:
    """Challenge a practice partner, who sits down within seconds.

    Raises as `own_table_locked` does, TableFull, PartnerCannotPlay, TooFewPartners.
    """
    game = own_table_locked(game_id, by, now)
    if free_seats(game) < 1:
        raise errors.TableFull
    return challenge(game_id=game_id, by=by, user=_free_program(game), now=now)


def _free_program(game: Game) -> User:
    """Return the practice partner, or else another program who has nothing to do with the game."""
    here = Q(seats__game=game) | Q(invitations__game=game, invitations__state=Invitation.State.OPEN)
    partner = practice_partner()
    programs = User.objects.filter(is_program=True, is_active=True).order_by("pk")
    free = programs.exclude(pk__in=User.objects.filter(here).values("pk"))
    found = free.filter(pk=partner.pk).first() or free.first()
    if found is None:
        raise errors.TooFewPartners
    return found


def choose_at_random(rules: AnyRules, position: object) -> str:
    """Return a legal turn chosen at random, action by action."""
    return random_turn(rules, position, chance)[0]


def play_for_bots(*, now: datetime) -> int:
    """Let every program do what it is asked: sit down, answer offers, play. Returns how much.

    While the house is closed for maintenance they rest.
    """
    if is_closed():
        return 0
    return _sit_down(now) + _answer_offers(now) + _play(now, choose_at_random)


def _sit_down(now: datetime) -> int:
    asked = Invitation.objects.filter(state=Invitation.State.OPEN, user__is_program=True)
    return sum(_take_seat(invitation, now) for invitation in asked.select_related("user")[:BATCH])


@transaction.atomic
def _take_seat(invitation: Invitation, now: datetime) -> bool:
    assert invitation.user is not None  # noqa: S101  (the filter says so)
    if free_game(invitation.game_id) is None:
        return False
    try:
        accept(invitation_id=invitation.pk, user=invitation.user, now=now)
    except errors.Refusal as refusal:
        log.info("no seat for %s at %s: %s", invitation.user, invitation.game_id, refusal.code)
        return False
    return True


def _answer_offers(now: datetime) -> int:
    """Accept what people offer: a practice partner keeps nobody at the table."""
    given = OfferAnswer.objects.filter(offer=OuterRef(OuterRef("pk")), seat=OuterRef("pk"))
    silent = Seat.objects.filter(
        ~Exists(given), game=OuterRef("game"), user__is_program=True, left_at=None
    )
    standing = Offer.objects.filter(Exists(silent), state=Offer.State.OPEN)
    by_people = standing.filter(seat__user__is_program=False)
    return sum(_accept(offer, now) for offer in by_people[:BATCH])


@transaction.atomic
def _accept(offer: Offer, now: datetime) -> int:
    """Let every program that is asked accept; return how many could."""
    if free_game(offer.game_id) is None:
        return 0
    seats = Seat.objects.filter(game=offer.game_id, user__is_program=True, left_at=None)
    done = 0
    for seat in seats.exclude(offeranswer__offer=offer).select_related("user"):
        assert seat.user is not None  # noqa: S101  (the filter says so)
        try:
            accept_offer(game_id=offer.game_id, user=seat.user, now=now, offer_id=offer.pk)
            done += 1
        except errors.Refusal as refusal:
            log.info("offer at game %s not accepted: %s", offer.game_id, refusal.code)
    return done


def _play(now: datetime, choose: Choice) -> int:
    due = Game.objects.filter(program_due_at__lte=now).order_by("program_due_at")
    ids = list(due.values_list("pk", flat=True)[:BATCH])
    return sum(_play_one(game_id, now, choose) for game_id in ids)


@transaction.atomic
def _play_one(game_id: int, now: datetime, choose: Choice) -> bool:
    """Play one program's turn; False when it was refused, or somebody else has the game locked."""
    game = free_game(game_id)
    if game is None or game.program_due_at is None or game.program_due_at > now:
        return False
    player = mover(game)
    assert player is not None  # noqa: S101  (a program is due)
    try:
        play_turn(
            game_id=game.pk,
            user=player,
            text=choose(game.rules, game.rules.load(game.position)),
            expected_turn=game.turn_number,
            via=Turn.Via.PROGRAM,
            now=now,
        )
    except errors.Refusal as refusal:
        log.info("the program's turn at game %s was refused: %s", game.pk, refusal.code)
        return _pause(game, now)
    except Exception:
        # One broken game must not keep the programs from the others.
        log.exception("no program's turn at game %s", game.pk)
        return _pause(game, now)
    return True


def _pause(game: Game, now: datetime) -> bool:
    same = Game.objects.filter(pk=game.pk, program_due_at=game.program_due_at)
    same.update(program_due_at=now + PAUSE_AFTER_FAULT)
    return False
