"""What a moderator can do to a club: close it, with a reason that its members are told."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games import club_errors, errors
from games.models import Club, ClubMember
from games.models.club import LONGEST_REASON
from games.moderation import log
from games.moderation.action_names import ClubAction
from games.moderation.permissions import check_is_moderator
from games.services.clubs.base import lock_club
from games.services.clubs.clubs import end_club


@transaction.atomic
def close_club_as_moderator(*, club_id: int, by: User, why: str, now: datetime) -> Club:
    """Close a club, as its owner can. The log names the owner.

    Raises MayNotModerate, NoReason, NoSuchClub, ClubIsClosed, ModeratorsClub.
    """
    check_is_moderator(by)
    if not why.strip():
        raise errors.NoReason
    club = lock_club(club_id)
    members = club.members.select_related("user")
    if members.filter(user=by).exists():
        raise club_errors.ModeratorsClub
    owner = members.get(role=ClubMember.Role.OWNER).user
    end_club(club, now=now, untold=None, reason=why.strip()[:LONGEST_REASON])
    details: dict[str, object] = {"club": club.pk}
    what = ClubAction.CLOSE.value
    log.write_entry(by=by, what=what, why=why, now=now, person=owner, details=details)
    return club
