"""Open a club, describe it, close it; and what becomes of it when its owner cannot act."""

import unicodedata
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import Case, IntegerField, Q, Value, When
from django.utils.text import slugify

from accounts.models import User
from games import club_errors as errors
from games.errors import Muted
from games.models import Club, ClubMatch, ClubMember, ClubNews, ClubRequest
from games.models.club import LONGEST_NAME, LONGEST_TEXT
from games.plain_text import one_line, tidy
from games.services.clubs.base import Role, acting_owner, lock_club, tell
from games.services.clubs.matches import call_off
from games.services.clubs.members import (
    MOST_CLUBS,
    MOST_OWNED,
    end_membership,
    has_address,
    locked_player,
    make_owner,
    owned_clubs,
)
from games.services.ladders.places import end_ladders_of_club
from games.services.site_status import check_open
from games.services.suspensions import check_not_suspended

SHORTEST_NAME = 3
LONG_SUSPENSION = timedelta(days=28)
"""Whose suspension lasts so long no longer owns a club."""

Tells = ClubNews.Tells


def fold_name(name: str) -> str:
    """Return a name as names of clubs are compared: “Café Ludo” is “CAFÉ LUDO”."""
    return unicodedata.normalize("NFKC", name).casefold()


def _checked(name: str, description: str) -> tuple[str, str]:
    """Return a name and a description as they are kept. Raises BadClub."""
    name, description = one_line(name), tidy(description)
    if not SHORTEST_NAME <= len(name) <= LONGEST_NAME or len(description) > LONGEST_TEXT:
        raise errors.BadClub
    if len(fold_name(name)) > 2 * LONGEST_NAME or not any(map(str.isalnum, name)):
        raise errors.BadClub
    return name, description


def _check_is_free(name: str, but: int = 0) -> None:
    """Raise ClubNameTaken if an open club, other than the one with this key, has this name."""
    named = Club.objects.filter(folded_name=fold_name(name), closed_at=None)
    if named.exclude(pk=but).exists():
        raise errors.ClubNameTaken


@transaction.atomic
def open_club(*, user: User, name: str, description: str = "", now: datetime) -> Club:
    """Open a club, which `user` owns.

    Raises AccountClosed, Barred, ClosedForMaintenance, LeavesSoon, NoGuestsInClubs,
    NoProgramsInClubs, Muted, OwnerNeedsAddress, OwnsEnough, InClubsEnough, BadClub, ClubNameTaken.
    """
    check_not_suspended(user, now)
    check_open()
    player = locked_player(user, now)
    if player.is_muted(now):
        raise Muted
    if not has_address(player):
        raise errors.OwnerNeedsAddress
    if owned_clubs(player) >= MOST_OWNED:
        raise errors.OwnsEnough
    if player.club_memberships.count() >= MOST_CLUBS:
        raise errors.InClubsEnough(most=MOST_CLUBS)
    name, description = _checked(name, description)
    club = _made_club(name, description, now)
    ClubMember.objects.create(club=club, user=player, role=Role.OWNER, joined_at=now)
    return club


def _made_club(name: str, description: str, now: datetime) -> Club:
    """Return a new club with a free address. Raises ClubNameTaken.

    The database refuses a second club of a name or address that is opened at the same moment.
    """
    while True:
        _check_is_free(name)
        try:
            with transaction.atomic():
                return Club.objects.create(
                    name=name,
                    folded_name=fold_name(name),
                    slug=_free_slug(name),
                    description=description,
                    opened_at=now,
                )
        except IntegrityError:
            continue  # the name or the address has just been taken: look again


def _free_slug(name: str) -> str:
    """Return an address that no club has, and that is not that of another page."""
    root = slugify(name)[:LONGEST_NAME].strip("-_") or "club"
    taken = set(Club.objects.filter(slug__startswith=root).values_list("slug", flat=True))
    taken |= {"new", "matches", "letters"}
    number, slug = 1, root
    while slug in taken:
        number += 1
        slug = f"{root}-{number}"
    return slug


@transaction.atomic
def describe_club(*, club_id: int, user: User, name: str, text: str, now: datetime) -> Club:
    """Give a club another name and description; its address stays.

    Raises as `acting_owner`, Muted, BadClub, ClubNameTaken.
    """
    club = acting_owner(club_id, user, now).club
    if user.is_muted(now):
        raise Muted
    name, text = _checked(name, text)
    _check_is_free(name, but=club.pk)
    club.name, club.folded_name, club.description = name, fold_name(name), text
    club.save(update_fields=["name", "folded_name", "description"])
    return club


@transaction.atomic
def close_club(*, club_id: int, user: User, now: datetime) -> None:
    """Close a club for good: its owner can. Its members are told. Raises as `acting_owner`."""
    end_club(acting_owner(club_id, user, now).club, now=now, untold=user)


def end_club(club: Club, *, now: datetime, untold: User | None, reason: str = "") -> None:
    """Close a locked club and tell its members, but not `untold`; `reason` is a moderator's.

    Matches that have not begun are not played, and nobody is on its ladders any more. Games that
    have begun go on, and so do matches.
    """
    members = club.members.order_by("pk").values_list("user", flat=True)
    readers = [pk for pk in members if untold is None or pk != untold.pk]
    tell(club, readers, Tells.CLOSED, text=reason)
    theirs = Q(home=club) | Q(away=club)
    matches = ClubMatch.objects.select_for_update(of=("self",)).filter(theirs)
    for match in matches.filter(started_at=None, ended_at=None).order_by("pk"):
        call_off(match, ClubMatch.NotPlayed.CLOSED, now=now)
    end_ladders_of_club(club.pk, now=now)
    club.members.all().delete()
    club.requests.all().delete()
    club.tables.all().delete()
    club.closed_at = now
    club.save(update_fields=["closed_at"])


# Owners and members who cannot act ----------------------------------------------------------------


def leave_clubs(person: User, *, now: datetime) -> None:
    """Take somebody whose account is closed or deleted out of every club."""
    ClubRequest.objects.filter(user=person).delete()
    for club_id in list(person.club_memberships.values_list("club", flat=True)):
        take_out(club_id, person, now=now)


@transaction.atomic
def take_out(club_id: int, person: User, *, now: datetime) -> bool:
    """Take somebody whose account is closed out of a club; return whether they were in it.

    Of an owner's club the oldest manager becomes the owner, else the oldest member; without any,
    the club is closed, and its owner's words are deleted.
    """
    try:
        club = lock_club(club_id)
    except errors.ClubIsClosed:
        return False
    member = club.members.filter(user=person).first()
    if member is None:
        return False
    if member.role == Role.OWNER and not _pass_on(club, member, now):
        end_club(club, now=now, untold=person)
        club.name = club.folded_name = club.description = ""
        club.slug = f"club-{club.pk}-closed"
        club.save(update_fields=["name", "folded_name", "description", "slug"])
        return True
    member.refresh_from_db()
    end_membership(member, now=now)
    return True


@transaction.atomic
def replace_owner(club_id: int, *, now: datetime) -> bool:
    """Make another member the owner of a club whose owner is suspended for long.

    Who owned it stays a member. Nothing changes if nobody else can own it.
    """
    club = lock_club(club_id)
    owner = club.members.select_related("user").get(role=Role.OWNER)
    until = owner.user.barred_until
    if until is None or until < now + LONG_SUSPENSION:
        return False
    return _pass_on(club, owner, now)


def _pass_on(club: Club, owner: ClubMember, now: datetime) -> bool:
    """Make the oldest manager, else the oldest member, who can act the owner of a locked club."""
    here = Q(user__barred_until=None) | Q(user__barred_until__lte=now)
    rank = Case(When(role=Role.MANAGER, then=0), default=Value(1), output_field=IntegerField())
    others = club.members.exclude(pk=owner.pk).filter(
        here, user__is_active=True, user__deletion_due_at=None
    )
    heir = others.order_by(rank, "joined_at", "pk").first()
    if heir is None:
        return False
    heir.club = club
    make_owner(heir, Role.MEMBER)
    return True
