"""Who is in a club: asking to join, admitting, refusing, leaving, removing, and roles."""

from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.formats import date_format

from accounts.models import User
from accounts.users import lock_user
from games import club_errors as errors
from games.errors import NoReason
from games.models import (
    Club,
    ClubMatch,
    ClubMember,
    ClubNews,
    ClubRequest,
    Game,
    MatchPlayer,
)
from games.models.club import LONGEST_REASON
from games.plain_text import one_line
from games.services.clubs.base import (
    Role,
    acting_manager,
    acting_member,
    acting_owner,
    lock_club,
    managers_of,
    tell,
)
from games.services.ladders.places import leave_ladders_of_club
from games.services.site_status import check_open
from games.services.suspensions import (
    check_not_suspended,
    check_stays,
    is_suspended,
    lock_acting_user,
)

MOST_OWNED = 2
"""How many clubs a player may open or take over; what a club itself chooses is not bounded."""

MOST_MEMBERS = 200
MOST_CLUBS = 20
"""How many clubs a player is a member of, at most."""

MOST_ASKED = 5
"""How many clubs a player asks to join at once."""

AGAIN_AFTER = timedelta(days=30)
"""How long somebody who was refused or removed cannot ask again."""

AGAIN_AFTER_WITHDRAWAL = timedelta(days=1)
"""How long somebody who withdrew cannot: each request is a mail to the managers."""

Tells = ClubNews.Tells


def locked_player(user: User, now: datetime) -> User:
    """Return a person who opens or joins a club, locked.

    Raises AccountClosed, Barred, LeavesSoon, NoGuestsInClubs, NoProgramsInClubs.
    """
    player = lock_acting_user(user, now)
    check_stays(player)
    if player.is_guest:
        raise errors.NoGuestsInClubs
    if player.is_bot:
        raise errors.NoProgramsInClubs
    return player


def has_address(user: User) -> bool:
    """Return whether a user has a confirmed address."""
    return EmailAddress.objects.filter(user=user, verified=True).exists()


def owned_clubs(user: User) -> int:
    """Return how many clubs a user owns."""
    return ClubMember.objects.filter(user=user, role=Role.OWNER).count()


@transaction.atomic
def ask_for_membership(*, club_id: int, user: User, now: datetime) -> ClubRequest:
    """Ask the managers of a club to be admitted.

    Raises AccountClosed, Barred, ClosedForMaintenance, LeavesSoon, NoGuestsInClubs,
    NoProgramsInClubs, NoSuchClub, ClubIsClosed, AlreadyInClub, AskedAlready, AskedLately,
    AskedClubsEnough, InClubsEnough.
    """
    check_not_suspended(user, now)
    check_open()
    club = lock_club(club_id)
    player = locked_player(user, now)
    if club.members.filter(user=player).exists():
        raise errors.AlreadyInClub
    former = club.requests.filter(user=player).first()
    if former is not None:
        if former.again_at is None:
            raise errors.AskedAlready
        if former.again_at > now:
            when = timezone.localtime(former.again_at, player.zone)
            raise errors.AskedLately(when=date_format(when, "DATETIME_FORMAT"))
        former.delete()
    if player.club_requests.filter(again_at=None).count() >= MOST_ASKED:
        raise errors.AskedClubsEnough(most=MOST_ASKED)
    if player.club_memberships.count() >= MOST_CLUBS:
        raise errors.InClubsEnough(most=MOST_CLUBS)
    asked = ClubRequest.objects.create(club=club, user=player, asked_at=now)
    tell(club, managers_of(club), Tells.ASKED, person=player)
    return asked


@transaction.atomic
def withdraw_request(*, club_id: int, user: User, now: datetime) -> None:
    """Withdraw one's request to join a club; one can ask again a day later.

    Raises AccountClosed, Barred, ClosedForMaintenance, NoSuchClub, ClubIsClosed, NoSuchRequest.
    """
    check_not_suspended(user, now)
    check_open()
    club = lock_club(club_id)
    request = _open_request(club, user)
    request.again_at = now + AGAIN_AFTER_WITHDRAWAL
    request.save(update_fields=["again_at"])


@transaction.atomic
def admit(*, club_id: int, person: User, by: User, now: datetime) -> ClubMember:
    """Make somebody who has asked for it a member of a club.

    Who is suspended now, or about to delete their account, cannot be admitted.
    Raises as `acting_manager`, NoSuchRequest, ClubIsFull, InClubsEnough.
    """
    club = acting_manager(club_id, by, now).club
    request = _open_request(club, person)
    if club.members.count() >= MOST_MEMBERS:
        raise errors.ClubIsFull(most=MOST_MEMBERS)
    player = lock_user(person.pk)
    if is_suspended(player, now) or player.deletion_due_at is not None:
        raise errors.NoSuchRequest
    if player.club_memberships.count() >= MOST_CLUBS:
        raise errors.InClubsEnough(most=MOST_CLUBS)
    request.delete()
    member = ClubMember.objects.create(club=club, user=player, joined_at=now)
    tell(club, [player.pk], Tells.ADMITTED)
    return member


@transaction.atomic
def refuse(*, club_id: int, person: User, by: User, now: datetime) -> None:
    """Refuse somebody who has asked to join. Raises as `acting_manager`, NoSuchRequest."""
    club = acting_manager(club_id, by, now).club
    request = _open_request(club, person)
    request.again_at = now + AGAIN_AFTER
    request.save(update_fields=["again_at"])
    tell(club, [person.pk], Tells.REFUSED)


def _open_request(club: Club, person: User) -> ClubRequest:
    """Return the request of somebody to join a locked club. Raises NoSuchRequest."""
    request = club.requests.filter(user=person, again_at=None).first()
    if request is None:
        raise errors.NoSuchRequest
    return request


@transaction.atomic
def leave_club(*, club_id: int, user: User, now: datetime) -> None:
    """Leave a club and its ladders. Games that have begun go on.

    Raises as `acting_member`, and OwnerStays.
    """
    member = acting_member(club_id, user, now)
    if member.role == Role.OWNER:
        raise errors.OwnerStays
    end_membership(member, now=now)


def end_membership(member: ClubMember, *, now: datetime) -> None:
    """Take a member out of a locked club, its ladders, and its matches that have not begun.

    Their open tables are no longer offered to the club.
    """
    club = member.club
    matches = ClubMatch.objects.select_for_update(of=("self",)).filter(
        Q(home=club) | Q(away=club), started_at=None, ended_at=None
    )
    waiting = [match.pk for match in matches.order_by("pk")]
    MatchPlayer.objects.filter(match__in=waiting, club=club, user=member.user_id).delete()
    opened = club.tables.filter(game__creator=member.user_id)
    opened.filter(game__status=Game.Status.OPEN).delete()
    leave_ladders_of_club(club.pk, member.user_id, now=now)
    member.delete()


@transaction.atomic
def remove_member(*, club_id: int, person: User, by: User, text: str, now: datetime) -> None:
    """Remove a member from a club; `text` is the reason, which they are told.

    Managers remove members, the owner removes managers too. Games that have begun go on.
    Raises as `acting_manager`, NoReason, NotTheirClub, OwnerOnly.
    """
    own = acting_manager(club_id, by, now)
    why = one_line(text)[:LONGEST_REASON]
    if not why:
        raise NoReason
    member = _member(own.club, person)
    if member.is_manager and own.role != Role.OWNER:
        raise errors.OwnerOnly
    if member.role == Role.OWNER:
        raise errors.OwnerStays
    end_membership(member, now=now)
    refused = {"asked_at": now, "again_at": now + AGAIN_AFTER}
    ClubRequest.objects.update_or_create(club=own.club, user=person, defaults=refused)
    tell(own.club, [person.pk], Tells.REMOVED, text=why)


def _member(club: Club, person: User) -> ClubMember:
    """Return the membership of somebody in a locked club. Raises NotTheirClub."""
    member = club.members.filter(user=person).first()
    if member is None:
        raise errors.NotTheirClub
    member.club = club
    return member


@transaction.atomic
def set_manager(
    *, club_id: int, person: User, by: User, is_manager: bool, now: datetime
) -> ClubMember:
    """Make a member a manager, or a manager a member again.

    Raises as `acting_owner`, NotTheirClub, OwnerStays.
    """
    own = acting_owner(club_id, by, now)
    member = _member(own.club, person)
    if member.role == Role.OWNER:
        raise errors.OwnerStays
    member.role = Role.MANAGER if is_manager else Role.MEMBER
    member.save(update_fields=["role"])
    return member


@transaction.atomic
def hand_club_over(*, club_id: int, person: User, by: User, now: datetime) -> ClubMember:
    """Make another member the owner of a club; who owned it becomes a manager.

    Raises as `acting_owner`, NotTheirClub, CannotBeOwner.
    """
    own = acting_owner(club_id, by, now)
    member = _member(own.club, person)
    if member.pk == own.pk:
        raise errors.CannotBeOwner
    heir = lock_user(person.pk)
    if is_suspended(heir, now) or heir.deletion_due_at is not None or not has_address(heir):
        raise errors.CannotBeOwner
    if owned_clubs(heir) >= MOST_OWNED:
        raise errors.CannotBeOwner
    make_owner(member, Role.MANAGER)
    return member


def make_owner(member: ClubMember, former: ClubMember.Role) -> None:
    """Make a member of a locked club its owner; who owned it has the role `former` then."""
    member.club.members.filter(role=Role.OWNER).update(role=former)
    member.role = Role.OWNER
    member.save(update_fields=["role"])
    tell(member.club, [member.user_id], Tells.OWNER)


@transaction.atomic
def set_letters(*, club_id: int, user: User, on: bool, now: datetime) -> None:
    """Let a club's letters go to a member, or not. Raises as `acting_member`."""
    member = acting_member(club_id, user, now)
    member.gets_letters = on
    member.save(update_fields=["gets_letters"])
