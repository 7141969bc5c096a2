"""Once a day, mail moderators and administrators the open tasks, if there are any.

Whenever the moderation log has grown, the mail has its newest anchor: somebody who can change the
database cannot change what was mailed. Everything is counted when the digest is written and kept
in the notice until it is sent.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import cast

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Max

from accounts.models import User
from games import wakeups
from games.moderation import log
from games.moderation.permissions import is_moderator
from games.moderation.staff_stats import DAY, staff_stats
from notifications.incoming.results import MailResult
from notifications.kinds.staff_digest.kind import KIND, StaffDigestContent
from notifications.models import AddressState, IncomingMail, Notice, StaffDigest
from notifications.services.addresses import gets_mail


@dataclass(frozen=True)
class MailState:
    """Mails and notices that can still be processed or sent again, and problems of the last day."""

    parked: int
    parked_notices: int
    held: int
    unconfirmed: int
    unchecked: int
    failed: int
    suspended: int


def write_staff_digest(*, now: datetime) -> int:
    """Write the digest that is due, if nobody has; return how many people are told.

    Safe in any number of processes: the row of the day is unique. One that was missed while the
    service was down comes once, late.
    """
    # The newest day whose hour has come, in UTC.
    day = (now.astimezone(UTC) - timedelta(hours=settings.STAFF_DIGEST_HOUR)).date()
    if StaffDigest.objects.filter(day=day).exists():
        return 0
    try:
        return write_digest_of_day(day, now)
    except IntegrityError:
        return 0  # another process was first


@transaction.atomic
def write_digest_of_day(day: date, now: datetime) -> int:
    """Write a digest for each reader, or none if there is nothing to tell; return how many."""
    before, anchor = StaffDigest.objects.order_by("-day").first(), log.newest_anchor()
    entries = anchor.number if anchor else 0
    row = StaffDigest.objects.create(day=day, written_at=now, acts=entries)
    content = digest_content(before.acts if before else 0, anchor, now)
    if not content:
        return 0
    notices = [
        Notice.new(KIND.kind, user=user, language=user.language, content=content, now=now)
        for user in staff()
    ]
    Notice.objects.bulk_create(notices)
    StaffDigest.objects.filter(pk=row.pk).update(told=len(notices))
    if notices:
        wakeups.notify_workers("notices")
    return len(notices)


def staff() -> Iterable[User]:
    """Yield every moderator and administrator who gets mail."""
    for user in User.objects.filter(is_staff=True, is_active=True).order_by("pk"):
        if is_moderator(user) and gets_mail(user):
            yield user


def digest_content(
    known_entries: int, anchor: log.Anchor | None, now: datetime
) -> StaffDigestContent:
    """Return what is told, as JSON; empty if there is nothing to tell.

    `known_entries` is how many entries the moderation log had at the last digest.
    """
    found, mail = staff_stats(now), mail_state(now)
    content: StaffDigestContent = {
        "open_reports": found.open_reports,
        "oldest_report": found.oldest_report.isoformat() if found.oldest_report else "",
        "held_games": found.held_games,
        "ending_holds": found.ending_holds,
        "long_stopped_games": found.long_stopped_games,
        "late_games": found.late_games,
        "timeouts": found.timeouts if found.is_unusual else 0,
        "usual_timeouts": round(found.usual_timeouts, 1) if found.is_unusual else 0,
        "out_of_time": [list(one) for one in found.out_of_time],
        "outages": [
            [one.kind, one.began_at.isoformat(), one.ended_at.isoformat() if one.ended_at else ""]
            for one in found.outages
        ],
        "parked": mail.parked,
        "parked_notices": mail.parked_notices,
        "held": mail.held,
        "unconfirmed": mail.unconfirmed,
        "unchecked": mail.unchecked,
        "failed": mail.failed,
        "suspended": mail.suspended,
    }
    content = cast(StaffDigestContent, {name: value for name, value in content.items() if value})
    entries = anchor.number if anchor else 0
    if entries < known_entries:
        content |= {"log_was": known_entries, "log_is": entries}
    elif entries > known_entries:
        content |= {"new_acts": entries - known_entries, "anchor": str(anchor)}
    return content


def mail_state(now: datetime) -> MailState:
    """Count what can still be processed again, and of the rest what happened in the last day."""
    held = IncomingMail.objects.held_since(now - DAY)
    failed = Notice.objects.filter(state=Notice.State.FAILED)
    return MailState(
        parked=IncomingMail.objects.parked().count(),
        parked_notices=Notice.objects.filter(state=Notice.State.PARKED).count(),
        held=held.exclude(result__in=(MailResult.UNCONFIRMED, MailResult.UNCHECKED)).count(),
        unconfirmed=held.filter(result=MailResult.UNCONFIRMED).count(),
        unchecked=held.filter(result=MailResult.UNCHECKED).count(),
        failed=failed.filter(created_at__gt=now - DAY).count(),
        suspended=AddressState.objects.filter(suspended_at__gt=now - DAY).count(),
    )


def mailed_log_entries() -> int:
    """Return how many entries of the moderation log a digest has counted."""
    return StaffDigest.objects.aggregate(most=Max("acts"))["most"] or 0
