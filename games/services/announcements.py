"""What hosts announce on every page: made, changed and withdrawn with a reason for the log."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games import errors
from games.models import Announcement
from games.services import log
from games.services.moderation.action_names import SiteAction
from games.services.site_status import clear_site_status

LONGEST = 400
"""Characters, in each language."""


@transaction.atomic
def publish_announcement(
    *,
    english: str,
    french: str,
    from_at: datetime,
    until: datetime,
    by: User,
    why: str,
    now: datetime,
) -> Announcement:
    """Show a sentence or two on every page from `from_at` until `until`, in the reader's language.

    Raises NotAHost, NoReason, BadAnnouncement.
    """
    _check(by, "add")
    said = Announcement(from_at=from_at, until=until, by=by)
    _word(said, english, french, now)
    said.save(force_insert=True)
    return _logged(SiteAction.ANNOUNCE, said, by, why, now)


@transaction.atomic
def change(
    *,
    announcement_id: int,
    english: str,
    french: str,
    from_at: datetime,
    until: datetime,
    by: User,
    why: str,
    now: datetime,
) -> Announcement:
    """Say it in other words or at another time; who dismissed it sees other words again.

    Raises NotAHost, NoReason, BadAnnouncement, NoSuchAnnouncement.
    """
    _check(by, "change")
    said = _locked(announcement_id)
    said.from_at, said.until = from_at, until
    _word(said, english, french, now)
    said.save()
    return _logged(SiteAction.CHANGE_ANNOUNCEMENT, said, by, why, now)


@transaction.atomic
def withdraw_announcement(*, announcement_id: int, by: User, why: str, now: datetime) -> None:
    """Show an announcement no more; what it said stays in the log.

    Raises NotAHost, NoReason, NoSuchAnnouncement.
    """
    _check(by, "delete")
    said = _locked(announcement_id)
    _logged(SiteAction.WITHDRAW_ANNOUNCEMENT, said, by, why, now)
    said.delete()


def _check(by: User, what: str) -> None:
    if not by.has_perm(f"games.{what}_announcement"):
        raise errors.NotAHost


def _locked(announcement_id: int) -> Announcement:
    said = Announcement.objects.select_for_update().filter(pk=announcement_id).first()
    if said is None:
        raise errors.NoSuchAnnouncement
    return said


def _word(said: Announcement, english: str, french: str, now: datetime) -> None:
    """Put words and times in place. Raises BadAnnouncement."""
    said.english, said.french = " ".join(english.split()), " ".join(french.split())
    texts = (said.english, said.french)
    fit = all(text and len(text) <= LONGEST and text.isprintable() for text in texts)
    if not fit or not said.from_at < said.until or said.until <= now:
        raise errors.BadAnnouncement(most=LONGEST)


def _logged(
    deed: SiteAction, said: Announcement, by: User, why: str, now: datetime
) -> Announcement:
    details: dict[str, object] = {
        "announcement": said.pk,
        "english": said.english,
        "french": said.french,
        "from": said.from_at.isoformat(),
        "until": said.until.isoformat(),
    }
    log.write_entry(by=by, what=deed.value, why=why, now=now, details=details)
    clear_site_status()
    return said
