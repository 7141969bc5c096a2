"""Asking somebody to a table, and their answer."""

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
from games.services.conclusion import close_table
from games.services.events import record_event
from games.services.tables import answer, free_seats, open_table_locked, take_seat

_SALT = "games.invitation"


@transaction.atomic
def challenge(
    *, game_id: int, by: User, user: User, now: datetime, seat_number: int | None = None
) -> Invitation:
    """Keep a seat for a player and ask them to take it.

    Raises as `own_table_locked` does, TakesNoChallenges, AlreadySeated, AlreadyInvited, TableFull.
    """
    game = own_table_locked(game_id, by, now)
    if Block.objects.filter(by=user, of=by).exists():
        raise errors.TakesNoChallenges
    if game.seats.filter(user=user).exists():
        raise errors.AlreadySeated(name=user)
    if game.invitations.filter(user=user, state=Invitation.State.OPEN).exists():
        raise errors.AlreadyInvited(name=user)
    invitation = _keep_seat(game, by, now, user=user, seat_number=seat_number)
    record_event(game, Event.Kind.CHALLENGED, now=now, actor=by, invitation=invitation)
    if user.is_program:
        wakeups.notify_workers("programs")
    return invitation


@transaction.atomic
def invite(*, game_id: int, by: User, email: str, now: datetime) -> Invitation:
    """Keep a seat for whoever reads mail at an address; they get a link.

    Raises as `own_table_locked` does, BadAddress, AddressNotLatin, TooManyInvitations,
    AlreadyInvited, TableFull.
    """
    game = own_table_locked(game_id, by, now)
    address = _checked_address(email)
    _check_measure(by, now)
    if game.invitations.filter(email=address, state=Invitation.State.OPEN).exists():
        raise errors.AlreadyInvited(name=address)
    invitation = _keep_seat(game, by, now, email=address)
    record_event(game, Event.Kind.INVITED, now=now, actor=by, invitation=invitation)
    return invitation


def own_table_locked(game_id: int, by: User, now: datetime) -> Game:
    """Return the open table of its maker `by`, locked until the transaction ends.

    Raises as `open_table_locked` does, and NotTheMaker.
    """
    game = open_table_locked(game_id, by, now)
    if game.maker_id != by.pk:
        raise errors.NotTheMaker
    return game


def _checked_address(email: str) -> str:
    """Return the normal form of an address. Raises BadAddress, AddressNotLatin."""
    try:
        address = normalize_address(email)
        validate_email(address)
    except ValidationError as error:
        refused = errors.AddressNotLatin if error.code == "local" else errors.BadAddress
        raise refused(address=email.strip()[:80]) from None
    return address


def _check_measure(by: User, now: datetime) -> None:
    """Raise TooManyInvitations when `by` has had enough mail sent to addresses for a day.

    Locks their row.
    """
    lock_user(by.pk)
    lately = Invitation.objects.filter(by=by, created_at__gt=now - timedelta(days=1))
    if lately.exclude(email="").count() >= settings.MAILED_INVITATIONS_A_DAY:
        raise errors.TooManyInvitations(most=settings.MAILED_INVITATIONS_A_DAY)


def _keep_seat(
    game: Game,
    by: User,
    now: datetime,
    *,
    user: User | None = None,
    email: str = "",
    seat_number: int | None = None,
) -> Invitation:
    if free_seats(game) < 1:
        raise errors.TableFull
    return Invitation.objects.create(
        game=game, by=by, user=user, email=email, seat_number=seat_number, created_at=now
    )


@transaction.atomic
def accept(*, invitation_id: int, user: User, now: datetime) -> Game:
    """Sit down on the seat that was kept.

    An invitation to an address is for whoever can show its link: the caller has checked that.
    Raises AccountClosed, Barred, BadLink, InvitationAnswered, NotInvited, ClosedForMaintenance,
    AlreadySeated, TableFull.
    """
    invitation, game = _standing(invitation_id, user, now)
    if invitation.user_id not in (None, user.pk):
        raise errors.NotInvited
    answer(invitation, Invitation.State.ACCEPTED, now=now)
    take_seat(game, user, number=invitation.seat_number, now=now)
    return game


@transaction.atomic
def decline(*, invitation_id: int, user: User | None, now: datetime) -> Game:
    """Refuse the seat that was kept; a table that nobody can fill any more is closed.

    `user` is None when an invitation to an address is declined by its link.
    Raises AccountClosed, Barred, BadLink, InvitationAnswered, NotInvited, ClosedForMaintenance.
    """
    invitation, game = _standing(invitation_id, user, now)
    if invitation.user_id not in (None, user.pk if user else None):
        raise errors.NotInvited
    answer(invitation, Invitation.State.DECLINED, now=now)
    hopeless = _is_hopeless(game)
    record_event(
        game,
        Event.Kind.DECLINED,
        now=now,
        actor=user,
        invitation=invitation,
        details={"closed": hopeless},
    )
    if hopeless:
        close_table(game, Game.Ending.DECLINED, now=now, actor=user)
    return game


def _standing(invitation_id: int, user: User | None, now: datetime) -> tuple[Invitation, Game]:
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


def _is_hopeless(game: Game) -> bool:
    """Tell whether nobody is left who could take the free seats."""
    closed_circle = not game.is_public or game.rematch_of_id is not None
    return closed_circle and not game.invitations.filter(state=Invitation.State.OPEN).exists()


def link_token(invitation: Invitation) -> str:
    """Return the signed text that a mailed link carries."""
    return signing.dumps(invitation.pk, salt=_SALT)


def from_token(token: str) -> Invitation:
    """Return the invitation of a mailed link. Raises BadLink when tampered with or too old."""
    try:
        pk = signing.loads(token, salt=_SALT, max_age=settings.UNANSWERED_TABLE_LIFETIME)
        return Invitation.objects.select_related("game", "by", "user").get(pk=pk)
    except (signing.BadSignature, Invitation.DoesNotExist):
        raise errors.BadLink from None
