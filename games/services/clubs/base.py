"""The lock of a club and who may act in it: every change of a club begins so.

Everything that changes members, roles or requests holds the lock of the club's row. Locks are
taken in one order: games, clubs by key, users by key, matches, ladders by key.
"""

from collections.abc import Iterable
from datetime import datetime

from django.db.models import BigIntegerField

from accounts.models import User
from games import club_errors as errors
from games.models import Club, ClubAnnouncement, ClubMatch, ClubMember, ClubNews
from games.services.site_status import check_open
from games.services.suspensions import check_not_suspended

Role = ClubMember.Role


def lock_club(club_id: int) -> Club:
    """Return an open club, locked until the transaction ends. Raises NoSuchClub, ClubIsClosed."""
    rows = Club.objects.select_for_update(of=("self",))
    found = rows.filter(pk=club_id).first() if club_id <= BigIntegerField.MAX_BIGINT else None
    if found is None:
        raise errors.NoSuchClub
    if found.closed_at is not None:
        raise errors.ClubIsClosed
    return found


def acting_member(club_id: int, user: User, now: datetime) -> ClubMember:
    """Return the membership of a member who acts, with the club locked.

    Raises AccountClosed, Barred, ClosedForMaintenance, NoSuchClub, ClubIsClosed, NotInClub.
    """
    check_not_suspended(user, now)
    check_open()
    club = lock_club(club_id)
    member = club.members.filter(user=user).first()
    if member is None:
        raise errors.NotInClub
    member.club, member.user = club, user
    return member


def acting_manager(club_id: int, user: User, now: datetime) -> ClubMember:
    """Return the membership of a manager who acts. Raises as `acting_member`, and ManagersOnly."""
    member = acting_member(club_id, user, now)
    if not member.is_manager:
        raise errors.ManagersOnly
    return member


def acting_owner(club_id: int, user: User, now: datetime) -> ClubMember:
    """Return the membership of an owner who acts. Raises as `acting_member`, and OwnerOnly."""
    member = acting_member(club_id, user, now)
    if member.role != Role.OWNER:
        raise errors.OwnerOnly
    return member


def tell(
    club: Club,
    readers: Iterable[int],
    tells: ClubNews.Tells,
    *,
    text: str = "",
    person: User | None = None,
    announcement: ClubAnnouncement | None = None,
    match: ClubMatch | None = None,
) -> None:
    """Note that these people are to be told something of a club by mail."""
    ClubNews.objects.bulk_create(
        ClubNews(
            club=club,
            reader_id=reader,
            tells=tells,
            text=text,
            person=person,
            announcement=announcement,
            match=match,
        )
        for reader in readers
    )


def managers_of(club: Club) -> list[int]:
    """Return the keys of the users who own or manage a club, and get its letters."""
    managers = club.members.exclude(role=Role.MEMBER).filter(gets_letters=True)
    return list(managers.order_by("pk").values_list("user", flat=True))
