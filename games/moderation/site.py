"""What administrators do to the site: declare outages, maintenance, announcements."""

from datetime import datetime, timedelta

from django.db import IntegrityError, transaction

from accounts.models import User
from games import errors, wakeups
from games.models import Announcement, Outage
from games.moderation import log
from games.moderation.action_names import SiteAction
from games.services.site_status import clear_site_status

LONGEST_ANNOUNCEMENT = 400
"""Characters, in each language."""

LONGEST_DECLARED = timedelta(days=30)
"""A declared outage that is longer is taken for a mistake."""

LONGEST_NOTE = 200
"""Characters of the public note of an outage."""

# Outages and maintenance -------------------------------------------------------------------------


@transaction.atomic
def declare_outage(
    *, began_at: datetime, ended_at: datetime, note: str, by: User, why: str, now: datetime
) -> Outage:
    """Record a past outage that was not detected (when mail was down, say).

    The note is public; the reason is for moderators, in the log.
    Raises NotAnAdministrator, NoReason, BadOutage.
    """
    _check_may_close(by)
    if not began_at < ended_at <= now or ended_at - began_at > LONGEST_DECLARED:
        raise errors.BadOutage(most=LONGEST_DECLARED.days)
    outage = Outage.objects.create(
        kind=Outage.Kind.DECLARED,
        began_at=began_at,
        ended_at=ended_at,
        noted_at=now,
        note=_clean_note(note),
        by=by,
    )
    _log_outage(SiteAction.DECLARE_OUTAGE, outage, by, why, now)
    return outage


@transaction.atomic
def begin_maintenance(*, note: str, by: User, why: str, now: datetime) -> Outage:
    """Close the site for maintenance: pages are shown, writing is refused with the note.

    All clocks are stopped. Raises NotAnAdministrator, NoReason, BadOutage, ClosedAlready.
    """
    _check_may_close(by)
    outage = Outage(
        kind=Outage.Kind.MAINTENANCE,
        began_at=now,
        ended_at=None,
        noted_at=now,
        note=_clean_note(note),
        by=by,
    )
    try:
        with transaction.atomic():
            outage.save(force_insert=True)
    except IntegrityError:
        raise errors.ClosedAlready from None
    _log_outage(SiteAction.BEGIN_MAINTENANCE, outage, by, why, now)
    clear_site_status()
    return outage


@transaction.atomic
def end_maintenance(*, by: User, why: str, now: datetime) -> Outage:
    """Open the site again. Every clock resumes with the time it had left.

    Maintenance that took no time leaves no outage. Raises NotAnAdministrator, NoReason, NotClosed.
    """
    _check_may_close(by)
    outage = Outage.current_maintenance()
    if outage is None:
        raise errors.NotClosed
    ongoing = Outage.objects.filter(pk=outage.pk, ended_at=None)
    if now <= outage.began_at:
        ongoing.delete()
    elif not ongoing.update(ended_at=now):
        raise errors.NotClosed  # another administrator was first
    outage.ended_at = now
    _log_outage(SiteAction.END_MAINTENANCE, outage, by, why, now)
    clear_site_status()
    wakeups.notify_workers("mails")
    return outage


def _check_may_close(by: User) -> None:
    if not by.has_perm("games.add_outage"):
        raise errors.NotAnAdministrator


def _clean_note(note: str) -> str:
    words = " ".join(note.split())
    if len(words) > LONGEST_NOTE or not words.isprintable():
        raise errors.BadOutage(most=LONGEST_DECLARED.days)
    return words


def _log_outage(action: SiteAction, outage: Outage, by: User, why: str, now: datetime) -> None:
    details: dict[str, object] = {
        "outage": outage.pk,
        "began": outage.began_at.isoformat(),
        "ended": outage.ended_at.isoformat() if outage.ended_at else "",
        "note": outage.note,
    }
    log.write_entry(by=by, what=action.value, why=why, now=now, details=details)


# Announcements -----------------------------------------------------------------------------------


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

    Raises NotAnAdministrator, NoReason, BadAnnouncement.
    """
    _check_may(by, "add")
    announcement = Announcement(from_at=from_at, until=until, by=by)
    _set_texts(announcement, english, french, now)
    announcement.save(force_insert=True)
    _log_announcement(SiteAction.ANNOUNCE, announcement, by, why, now)
    return announcement


@transaction.atomic
def change_announcement(
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
    """Change an announcement. Readers who dismissed it see it again if its text changes.

    Raises NotAnAdministrator, NoReason, BadAnnouncement, NoSuchAnnouncement.
    """
    _check_may(by, "change")
    announcement = _lock_announcement(announcement_id)
    announcement.from_at, announcement.until = from_at, until
    _set_texts(announcement, english, french, now)
    announcement.save()
    _log_announcement(SiteAction.CHANGE_ANNOUNCEMENT, announcement, by, why, now)
    return announcement


@transaction.atomic
def withdraw_announcement(*, announcement_id: int, by: User, why: str, now: datetime) -> None:
    """Delete an announcement; the log keeps its text.

    Raises NotAnAdministrator, NoReason, NoSuchAnnouncement.
    """
    _check_may(by, "delete")
    announcement = _lock_announcement(announcement_id)
    _log_announcement(SiteAction.WITHDRAW_ANNOUNCEMENT, announcement, by, why, now)
    announcement.delete()


def _check_may(by: User, verb: str) -> None:
    if not by.has_perm(f"games.{verb}_announcement"):
        raise errors.NotAnAdministrator


def _lock_announcement(announcement_id: int) -> Announcement:
    found = Announcement.objects.select_for_update().filter(pk=announcement_id).first()
    if found is None:
        raise errors.NoSuchAnnouncement
    return found


def _set_texts(announcement: Announcement, english: str, french: str, now: datetime) -> None:
    """Set both texts, without needless spaces. Raises BadAnnouncement, of its times too."""
    announcement.english, announcement.french = " ".join(english.split()), " ".join(french.split())
    texts = (announcement.english, announcement.french)
    fit = all(text and len(text) <= LONGEST_ANNOUNCEMENT and text.isprintable() for text in texts)
    if not fit or not announcement.from_at < announcement.until or announcement.until <= now:
        raise errors.BadAnnouncement(most=LONGEST_ANNOUNCEMENT)


def _log_announcement(
    action: SiteAction, announcement: Announcement, by: User, why: str, now: datetime
) -> None:
    details: dict[str, object] = {
        "announcement": announcement.pk,
        "english": announcement.english,
        "french": announcement.french,
        "from": announcement.from_at.isoformat(),
        "until": announcement.until.isoformat(),
    }
    log.write_entry(by=by, what=action.value, why=why, now=now, details=details)
    clear_site_status()
