"""Players that are programs: they sit down when asked and play through the same door."""

import logging
import random
from collections.abc import Callable
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from accounts.models import User
from games.models import Game, Invitation, Offer, OfferAnswer, Seat, Turn
from games.rules.base import AnyRules
from games.services.errors import PartnerCannotPlay, Refusal, TableFull, TooFewPartners
from games.services.invitations import accept, challenge, own_table_locked
from games.services.maintenance import is_closed
from games.services.offers import accept_offer
from games.services.tables import free_seats
from games.services.time.timing import mover
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
        raise PartnerCannotPlay
    return found


@transaction.atomic
def ask_partner(*, game_id: int, by: User, now: datetime) -> Invitation:
    """Challenge a practice partner, who sits down within seconds.

    Raises as `own_table_locked` does, TableFull, PartnerCannotPlay, TooFewPartners.
    """
    game = own_table_locked(game_id, by, now)
    if free_seats(game) < 1:
        raise TableFull
    return challenge(game_id=game_id, by=by, user=_free_program(game), now=now)


def _free_program(game: Game) -> User:
    """Return the practice partner, or else another program who has nothing to do with the game."""
    here = Q(seats__game=game) | Q(invitations__game=game, invitations__state=Invitation.State.OPEN)
    partner = practice_partner()
    programs = User.objects.filter(is_program=True, is_active=True).order_by("pk")
    free = programs.exclude(pk__in=User.objects.filter(here).values("pk"))
    found = free.filter(pk=partner.pk).first() or free.first()
    if found is None:
        raise TooFewPartners
    return found


def random_turn(rules: AnyRules, position: object) -> str:
    """Return a legal turn chosen at random, action by action."""
    start, actions = rules.turn(position), []
    while rules.turn(position) == start and rules.to_move(position) is not None:
        action = chance.choice(rules.legal_actions(position))
        actions.append(action)
        position = rules.play(position, action)
    return rules.format_turn(actions)


def act(*, now: datetime) -> int:
    """Let every program do what it is asked: sit down, answer offers, play. Returns how much.

    While the house is closed for maintenance they rest.
    """
    if is_closed():
        return 0
    return _sit_down(now) + _answer_offers(now) + _play(now, random_turn)


def _sit_down(now: datetime) -> int:
    asked = Invitation.objects.filter(state=Invitation.State.OPEN, user__is_program=True)
    done = 0
    for invitation in asked.select_related("user")[:BATCH]:
        assert invitation.user is not None  # noqa: S101  (the filter says so)
        try:
            accept(invitation_id=invitation.pk, user=invitation.user, now=now)
            done += 1
        except Refusal as refusal:
            log.info("no seat for %s at %s: %s", invitation.user, invitation.game_id, refusal.code)
    return done


def _answer_offers(now: datetime) -> int:
    """Accept what people offer: a practice partner keeps nobody at the table."""
    given = OfferAnswer.objects.filter(offer=OuterRef(OuterRef("pk")), seat=OuterRef("pk"))
    silent = Seat.objects.filter(
        ~Exists(given), game=OuterRef("game"), user__is_program=True, left_at=None
    )
    standing = Offer.objects.filter(Exists(silent), state=Offer.State.OPEN)
    by_people = standing.filter(seat__user__is_program=False)
    return sum(_accept(offer, now) for offer in by_people[:BATCH])


def _accept(offer: Offer, now: datetime) -> int:
    """Let every program that is asked accept; return how many could."""
    seats = Seat.objects.filter(game=offer.game_id, user__is_program=True, left_at=None)
    done = 0
    for seat in seats.exclude(offeranswer__offer=offer).select_related("user"):
        assert seat.user is not None  # noqa: S101  (the filter says so)
        try:
            accept_offer(game_id=offer.game_id, user=seat.user, now=now, offer_id=offer.pk)
            done += 1
        except Refusal as refusal:
            log.info("offer at game %s not accepted: %s", offer.game_id, refusal.code)
    return done


def _play(now: datetime, choose: Choice) -> int:
    due = Game.objects.filter(program_due_at__lte=now).order_by("program_due_at")
    return sum(_play_one(game, now, choose) for game in due[:BATCH])


def _play_one(game: Game, now: datetime, choose: Choice) -> bool:
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
    except Refusal as refusal:
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
