"""What a manager writes to all members of a club, by mail and on its page."""

from datetime import datetime, timedelta

from django.db import transaction

from accounts.models import User
from games import club_errors, errors
from games.models import ClubAnnouncement, ClubNews
from games.models.club import LONGEST_TEXT
from games.plain_text import tidy
from games.services.clubs.base import acting_manager, tell

BETWEEN = timedelta(days=1)
"""How long after an announcement a club can send the next one."""


@transaction.atomic
def announce(*, club_id: int, user: User, text: str, now: datetime) -> ClubAnnouncement:
    """Write to all members of a club who want its letters.

    Raises as `acting_manager`, Muted, NothingSaid, MessageTooLong, AnnouncedLately.
    """
    club = acting_manager(club_id, user, now).club
    if user.is_muted(now):
        raise errors.Muted
    words = tidy(text)
    if not words:
        raise errors.NothingSaid
    if len(words) > LONGEST_TEXT:
        raise errors.MessageTooLong(most=LONGEST_TEXT, length=len(words))
    if club.announcements.filter(written_at__gt=now - BETWEEN).exists():
        raise club_errors.AnnouncedLately
    announcement = ClubAnnouncement.objects.create(club=club, by=user, text=words, written_at=now)
    readers = club.members.filter(gets_letters=True).exclude(user=user)
    keys = readers.order_by("pk").values_list("user", flat=True)
    tell(club, keys, ClubNews.Tells.ANNOUNCEMENT, announcement=announcement)
    return announcement
