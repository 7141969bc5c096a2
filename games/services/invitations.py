"""New games: tables opened for somebody, invitations to them, the answers, and rematches."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from django.conf import settings
from django.core import signing
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction

from accounts.addresses import normalize_address
from accounts.models import Block, User
from accounts.users import lock_user, lock_users
from games import errors
from games.models import Ending, Event, Game, Invitation, TableLink, Terms
from games.queries.people import is_stranger_refused, player_named
from games.services.conduct.asking import check_may_ask
from games.services.levels import LOWEST, check_level, free_program
from games.services.locking import locked_game_for
from games.services.programs import check_may_invite, check_program_accepts
from games.services.tables import (
    check_no_guest,
    close_invitation,
    create_link,
    free_seats,
    open_table,
    open_table_locked,
    own_table_locked,
    take_seat,
)
from games.services.turns import finish_game

_SALT = "games.invitation"

Whom = Literal["anybody", "player", "address", "link", "partner"]


@dataclass(frozen=True)
class Opponent:
    """The opponent a table waits for: `name` is a user name or an address, as `whom` says.

    "link" is whoever is given the link to the table. `level` is that of a program.
    """

    whom: Whom
    name: str = ""
    level: int = LOWEST


# A table and its first invitation, in one step ---------------------------------------------------


@transaction.atomic
def propose(
    *,
    creator: User,
    rules_slug: str,
    options: dict[str, object],
    terms: Terms,
    opponent: Opponent,
    is_public: bool,
    creator_seat: int | None,
    now: datetime,
    is_lesson: bool = False,
) -> Game:
    """Create a table and invite `opponent` to it. If that is refused, there is no table either.

    A table for anybody is public, one for whoever has its link is not. In a lesson each turn is
    judged while the game is played: it is against programs alone.
    Raises as `open_table`, `challenge` and `invite` do, GuestsPlayPrograms, and NoLessonWithPeople.
    """
    if is_lesson and opponent.whom != "partner":
        raise errors.NoLessonWithPeople
    if opponent.whom == "anybody":
        check_no_guest(creator)
    if opponent.whom == "player":
        lock_users([creator.pk, player_named(opponent.name).pk])
    game = open_table(
        creator=creator,
        rules_slug=rules_slug,
        options=options,
        terms=terms,
        is_public=opponent.whom != "link" and (is_public or opponent.whom == "anybody"),
        creator_seat=creator_seat,
        is_lesson=is_lesson,
        now=now,
    )
    ask(game_id=game.pk, by=creator, opponent=opponent, now=now)
    if opponent.whom == "partner":
        # As many as there are seats, so that a player who is alone starts at once.
        while free_seats(game):
            ask_partner(game_id=game.pk, by=creator, now=now, level=opponent.level)
        game.refresh_from_db()
    return game


def ask(*, game_id: int, by: User, opponent: Opponent, now: datetime) -> None:
    """Invite one more opponent to a table.

    Raises as `challenge` and `invite` do, and NoSuchPlayer.
    """
    match opponent.whom:
        case "player":
            challenge(game_id=game_id, by=by, user=player_named(opponent.name), now=now)
        case "address":
            invite(game_id=game_id, by=by, email=opponent.name, now=now)
        case "link":
            create_link(game_id=game_id, by=by, now=now)
        case "partner":
            ask_partner(game_id=game_id, by=by, now=now, level=opponent.level)


@transaction.atomic
def ask_rematch(*, game_id: int, user: User, now: datetime) -> Game:
    """Challenge the same players to the same game, everybody one seat further on.

    If another player has asked already, this accepts. While the rematch waits, asking twice
    changes nothing. After it was declined, withdrawn or expired, only a player who has not asked
    yet can ask. Returns the new game.
    Raises AccountClosed, Barred, NoSuchGame, NotAPlayer, GameNotOver, RematchMade,
    RematchAskedAlready, and as `open_table`, `challenge` and `accept` do.
    """
    game = locked_game_for(user, game_id, now)
    seats = list(game.seats.select_related("user"))
    if not any(seat.user_id == user.pk for seat in seats):
        raise errors.NotAPlayer
    if game.status not in (Game.Status.FINISHED, Game.Status.ABORTED):
        raise errors.GameNotOver
    rematch = game.rematch
    if rematch is not None:
        if rematch.seats.filter(user=user).exists():
            return rematch
        invitation = rematch.invitations.open().filter(user=user).first()
        if invitation is None:
            raise errors.RematchMade
        return accept(invitation_id=invitation.pk, user=user, now=now)
    if has_asked_for_rematch(game, user):
        raise errors.RematchAskedAlready

    lock_users(seat.user_id for seat in seats if seat.user_id is not None)
    next_seat = {seat.user_id: (seat.number + 1) % len(seats) for seat in seats}
    rematch = open_table(
        creator=user,
        rules_slug=game.rules_slug,
        options=game.options,
        terms=game.terms,
        is_public=game.is_public,
        creator_seat=next_seat[user.pk],
        rematch_of=game,
        now=now,
    )
    for seat in seats:
        if seat.user is not None and seat.user_id != user.pk:
            challenge(
                game_id=rematch.pk,
                by=user,
                user=seat.user,
                seat_number=next_seat[seat.user_id],
                now=now,
                level=seat.level,
            )
    rematch.refresh_from_db()  # it has begun if all the others are bots
    return rematch


def has_asked_for_rematch(game: Game, user: User) -> bool:
    """Return whether a player has asked for a rematch of this game, whatever became of it."""
    return game.rematches.filter(creator=user).exists()


# Inviting ----------------------------------------------------------------------------------------


@transaction.atomic
def challenge(
    *,
    game_id: int,
    by: User,
    user: User,
    now: datetime,
    seat_number: int | None = None,
    level: int | None = None,
) -> Invitation:
    """Reserve a seat for a player and invite them.

    A bot of this server accepts at once, and plays at `level`.

    Raises as `own_table_locked` does, `check_program_accepts` too, ProgramsAskNobody,
    GuestsPlayPrograms, PlayerIsGuest, PlayerIsGone,
    TakesNoChallenges, AlreadySeated, AlreadyInvited, TableFull, AskedEnough.
    """
    game = own_table_locked(game_id, by, now)
    if not user.is_played_here:
        check_no_guest(by)
    if user.is_guest:
        raise errors.PlayerIsGuest(name=user)
    if not user.is_active:
        raise errors.PlayerIsGone(name=user)
    if Block.objects.filter(by=user, of=by).exists() or is_stranger_refused(user, by):
        raise errors.TakesNoChallenges
    if game.seats.filter(user=user).exists():
        raise errors.AlreadySeated(name=user)
    if game.invitations.open().filter(user=user).exists():
        raise errors.AlreadyInvited(name=user)
    if free_seats(game) < 1:
        raise errors.TableFull
    check_may_invite(by, user)
    check_program_accepts(game, user, {by.pk}, now)
    check_may_ask(by, [user], now)
    level = (level or LOWEST) if user.is_played_here else None
    invitation = Invitation.objects.create(
        game=game, by=by, user=user, seat_number=seat_number, level=level, created_at=now
    )
    game.record_event(Event.Kind.CHALLENGED, now=now, actor=by, invitation=invitation)
    if user.is_played_here:
        accept(invitation_id=invitation.pk, user=user, now=now)
        invitation.refresh_from_db()
    return invitation


@transaction.atomic
def invite(*, game_id: int, by: User, email: str, now: datetime) -> Invitation:
    """Reserve a seat for the reader of an e-mail address, who gets a link.

    Raises as `own_table_locked` does, GuestsPlayPrograms, ProgramsAskNobody, BadAddress,
    AddressNotLatin,
    TooManyInvitations, InvitedEnough, AlreadyInvited, TableFull.
    """
    game = own_table_locked(game_id, by, now)
    check_no_guest(by)
    check_may_invite(by, None)
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
    _check_may_invite(by, address, now)
    if game.invitations.open().filter(email=address).exists():
        raise errors.AlreadyInvited(name=address)
    if free_seats(game) < 1:
        raise errors.TableFull
    invitation = Invitation.objects.create(game=game, by=by, email=address, created_at=now)
    game.record_event(Event.Kind.INVITED, now=now, actor=by, invitation=invitation)
    return invitation


def _check_may_invite(by: User, address: str, now: datetime) -> None:
    """Raise InvitedEnough if a person has invited an address too often without success.

    What follows a plus in an address mostly leads to the same person.
    """
    most, counted_for = settings.INVITATIONS_TO_AN_ADDRESS, settings.INVITATIONS_COUNTED_FOR
    lately = Invitation.objects.filter(by=by, user=None, created_at__gt=now - counted_for)
    in_vain = lately.exclude(state=Invitation.State.ACCEPTED).values_list("email", flat=True)
    if sum(_without_tag(email) == _without_tag(address) for email in in_vain) >= most:
        raise errors.InvitedEnough(address=address, most=most, days=counted_for.days)


def _without_tag(address: str) -> str:
    local, _, domain = address.rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"


def practice_partner() -> User:
    """Return the user of the practice partner. Raises PartnerCannotPlay without one."""
    found = User.objects.filter(
        username=settings.PRACTICE_PARTNER_USERNAME, is_bot=True, is_active=True, owner=None
    ).first()
    if found is None:
        raise errors.PartnerCannotPlay
    return found


@transaction.atomic
def ask_partner(*, game_id: int, by: User, now: datetime, level: int = LOWEST) -> Game:
    """Seat the practice partner with a level, or another bot if it is there already.

    Returns the game.

    Raises as `own_table_locked` does, NoSuchLevel, TableFull, PartnerCannotPlay, TooFewPartners.
    """
    game = own_table_locked(game_id, by, now)
    check_level(game.rules_slug, level)
    if free_seats(game) < 1:
        raise errors.TableFull
    practice_partner()
    found = free_program(game)
    if found is None:
        raise errors.TooFewPartners
    return challenge(game_id=game_id, by=by, user=found, now=now, level=level).game


# Answering ---------------------------------------------------------------------------------------


@transaction.atomic
def accept(
    *, invitation_id: int, user: User, now: datetime, received_at: datetime | None = None
) -> Game:
    """Take the reserved seat. `received_at` is as for `open_table_locked`.

    An invitation to an address is for everybody who has its link: the caller has checked that.
    Raises AccountClosed, Barred, BadLink, InvitationAnswered, NotInvited, ClosedForMaintenance,
    GuestsPlayPrograms, LeavesSoon, SeatedAlready, TableFull.
    """
    invitation, game = _lock_open_invitation(invitation_id, user, now, received_at)
    if invitation.user_id not in (None, user.pk):
        raise errors.NotInvited
    check_no_guest(user)
    close_invitation(invitation, Invitation.State.ACCEPTED, now=now)
    take_seat(game, user, number=invitation.seat_number, now=now, level=invitation.level)
    return game


@transaction.atomic
def decline(
    *,
    invitation_id: int,
    user: User | None,
    now: datetime,
    received_at: datetime | None = None,
    reason: str = "",
) -> Game:
    """Refuse the reserved seat. A table that nobody can fill any more is closed.

    `user` is None if an invitation to an address is declined by its link. `received_at` is as for
    `open_table_locked`. `reason` is a slug that the API gives the
    challenger (“busy”), or empty.
    Raises AccountClosed, Barred, BadLink, InvitationAnswered, NotInvited, ClosedForMaintenance.
    """
    invitation, game = _lock_open_invitation(invitation_id, user, now, received_at)
    if invitation.user_id not in (None, user.pk if user else None):
        raise errors.NotInvited
    close_declined(game, invitation, actor=user, now=now, reason=reason)
    return game


def close_declined(
    game: Game,
    invitation: Invitation,
    *,
    actor: User | None,
    now: datetime,
    reason: str = "",
) -> None:
    """Decline an open invitation to a locked table; close a table that nobody can fill any more."""
    close_invitation(invitation, Invitation.State.DECLINED, now=now)
    only_for_invited = not game.is_public or game.rematch_of_id is not None
    has_link = TableLink.objects.filter(game=game).exists()
    closed = only_for_invited and not has_link and not game.invitations.open().exists()
    details: dict[str, object] = {"closed": closed}
    if reason:
        details["reason"] = reason
    game.record_event(
        Event.Kind.DECLINED, now=now, actor=actor, invitation=invitation, details=details
    )
    if closed:
        finish_game(game, Ending.DECLINED, now=now, actor=actor)


def _lock_open_invitation(
    invitation_id: int, user: User | None, now: datetime, received_at: datetime | None
) -> tuple[Invitation, Game]:
    """Return an open invitation that `user` answers, and its table, the table locked."""
    found = Invitation.objects.filter(pk=invitation_id).first()
    if found is None:
        raise errors.BadLink
    try:
        game = open_table_locked(found.game_id, user, now, received_at)
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
