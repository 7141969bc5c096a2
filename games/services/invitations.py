"""Inviting players, addresses and bots to a table, and their answers."""

from datetime import datetime, timedelta

from django.conf import settings
from django.core import signing
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction

from accounts.addresses import normalize_address
from accounts.models import Block, User
from accounts.users import lock_user
from games import errors
from games.models import Event, Game, Invitation
from games.services import wakeups
from games.services.events import record_event
from games.services.tables import close_invitation, free_seats, open_table_locked, take_seat
from games.services.turns import finish_game

_SALT = "games.invitation"


# Inviting ----------------------------------------------------------------------------------------


@transaction.atomic
def challenge(
    *, game_id: int, by: User, user: User, now: datetime, seat_number: int | None = None
) -> Invitation:
    """Reserve a seat for a player and invite them.

    Raises as `own_table_locked` does, TakesNoChallenges, AlreadySeated, AlreadyInvited, TableFull.
    """
    game = own_table_locked(game_id, by, now)
    if Block.objects.filter(by=user, of=by).exists():
        raise errors.TakesNoChallenges
    if game.seats.filter(user=user).exists():
        raise errors.AlreadySeated(name=user)
    if game.invitations.open().filter(user=user).exists():
        raise errors.AlreadyInvited(name=user)
    if free_seats(game) < 1:
        raise errors.TableFull
    invitation = Invitation.objects.create(
        game=game, by=by, user=user, seat_number=seat_number, created_at=now
    )
    record_event(game, Event.Kind.CHALLENGED, now=now, actor=by, invitation=invitation)
    if user.is_bot:
        wakeups.notify_workers("programs")
    return invitation


@transaction.atomic
def invite(*, game_id: int, by: User, email: str, now: datetime) -> Invitation:
    """Reserve a seat for the reader of an e-mail address, who gets a link.

    Raises as `own_table_locked` does, BadAddress, AddressNotLatin, TooManyInvitations,
    AlreadyInvited, TableFull.
    """
    game = own_table_locked(game_id, by, now)
    try:
        address = normalize_address(email)
        validate_email(address)
    except ValidationError as error:
        refusal = errors.AddressNotLatin if error.code == "local" else errors.BadAddress
        raise refusal(address=email.strip()[:80]) from None
    lock_user(by.pk)
    lately = Invitation.objects.filter(by=by, created_at__gt=now - timedelta(days=1))
    if lately.exclude(email="").count() >= settings.MAILED_INVITATIONS_A_DAY:
        raise errors.TooManyInvitations(most=settings.MAILED_INVITATIONS_A_DAY)
    if game.invitations.open().filter(email=address).exists():
        raise errors.AlreadyInvited(name=address)
    if free_seats(game) < 1:
        raise errors.TableFull
    invitation = Invitation.objects.create(game=game, by=by, email=address, created_at=now)
    record_event(game, Event.Kind.INVITED, now=now, actor=by, invitation=invitation)
    return invitation


def practice_partner() -> User:
    """Return the user of the practice partner. Raises PartnerCannotPlay without one."""
    found = User.objects.filter(
        username=settings.PRACTICE_PARTNER_USERNAME, is_bot=True, is_active=True
    ).first()
    if found is None:
        raise errors.PartnerCannotPlay
    return found


@transaction.atomic
def ask_partner(*, game_id: int, by: User, now: datetime) -> Invitation:
    """Challenge the practice partner, or another bot if it is there already.

    It accepts within seconds.
    Raises as `own_table_locked` does, TableFull, PartnerCannotPlay, TooFewPartners.
    """
    game = own_table_locked(game_id, by, now)
    if free_seats(game) < 1:
        raise errors.TableFull
    partner = practice_partner()
    bots = User.objects.filter(is_bot=True, is_active=True).order_by("pk")
    invited = game.invitations.open().filter(user__isnull=False)
    free = bots.exclude(pk__in=game.seats.filter(user__isnull=False).values("user")).exclude(
        pk__in=invited.values("user")
    )
    found = free.filter(pk=partner.pk).first() or free.first()
    if found is None:
        raise errors.TooFewPartners
    return challenge(game_id=game_id, by=by, user=found, now=now)


def own_table_locked(game_id: int, by: User, now: datetime) -> Game:
    """Return an open table that `by` created, locked until the transaction ends.

    Raises as `open_table_locked` does, and NotTheMaker.
    """
    game = open_table_locked(game_id, by, now)
    if game.creator_id != by.pk:
        raise errors.NotTheMaker
    return game


# Answering ---------------------------------------------------------------------------------------


@transaction.atomic
def accept(*, invitation_id: int, user: User, now: datetime) -> Game:
    """Take the reserved seat.

    An invitation to an address is for everybody who has its link: the caller has checked that.
    Raises AccountClosed, Barred, BadLink, InvitationAnswered, NotInvited, ClosedForMaintenance,
    SeatedAlready, TableFull.
    """
    invitation, game = _lock_open_invitation(invitation_id, user, now)
    if invitation.user_id not in (None, user.pk):
        raise errors.NotInvited
    close_invitation(invitation, Invitation.State.ACCEPTED, now=now)
    take_seat(game, user, number=invitation.seat_number, now=now)
    return game


@transaction.atomic
def decline(*, invitation_id: int, user: User | None, now: datetime) -> Game:
    """Refuse the reserved seat. A table that nobody can fill any more is closed.

    `user` is None if an invitation to an address is declined by its link.
    Raises AccountClosed, Barred, BadLink, InvitationAnswered, NotInvited, ClosedForMaintenance.
    """
    invitation, game = _lock_open_invitation(invitation_id, user, now)
    if invitation.user_id not in (None, user.pk if user else None):
        raise errors.NotInvited
    close_invitation(invitation, Invitation.State.DECLINED, now=now)
    only_for_invited = not game.is_public or game.rematch_of_id is not None
    closed = only_for_invited and not game.invitations.open().exists()
    record_event(
        game,
        Event.Kind.DECLINED,
        now=now,
        actor=user,
        invitation=invitation,
        details={"closed": closed},
    )
    if closed:
        finish_game(game, Game.Ending.DECLINED, now=now, actor=user)
    return game


def _lock_open_invitation(
    invitation_id: int, user: User | None, now: datetime
) -> tuple[Invitation, Game]:
    """Return an open invitation that `user` answers, and its table, the table locked."""
    found = Invitation.objects.filter(pk=invitation_id).first()
    if found is None:
        raise errors.BadLink
    try:
        game = open_table_locked(found.game_id, user, now)
    except errors.TableNotOpen:
        raise errors.InvitationAnswered from None
    found.refresh_from_db()
    if found.state != Invitation.State.OPEN:
        raise errors.InvitationAnswered
    return found, game


def link_token(invitation: Invitation) -> str:
    """Return the signed text that a mailed link carries."""
    return signing.dumps(invitation.pk, salt=_SALT)


def from_token(token: str) -> Invitation:
    """Return the invitation of a mailed link. Raises BadLink if it was changed or is too old."""
    try:
        pk = signing.loads(token, salt=_SALT, max_age=settings.UNANSWERED_TABLE_LIFETIME)
        return Invitation.objects.select_related("game", "by", "user").get(pk=pk)
    except (signing.BadSignature, Invitation.DoesNotExist):
        raise errors.BadLink from None
