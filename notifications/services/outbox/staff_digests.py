"""Once a day what awaits moderators and hosts, in a mail to each; no mail where nothing does.

It tells where the moderators' log stands whenever that has grown: who can bend the database cannot
bend what was mailed. What it tells is counted when it is written, and kept with the notice until
it is sent.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, timedelta
from typing import cast

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Max

from accounts.models import User
from games.moderation import log
from games.moderation.permissions import is_moderator
from games.moderation.staff_stats import DAY, StaffStats, staff_stats
from games.services import wakeups
from notifications.incoming.results import MailResult
from notifications.kinds.staff_digest.kind import KIND, StaffDigestContent
from notifications.models import AddressState, IncomingMail, Notice, StaffDigest
from notifications.services.outbox.notices import new_message_id
from notifications.services.readers import gets_mail


@dataclass(frozen=True)
class MailState:
    """How mail stands: what can still be mended, and what went wrong in the last day."""

    parked: int
    parked_notices: int
    held: int
    unconfirmed: int
    unchecked: int
    failed: int
    suspended: int


def write_staff_digest(*, now: datetime) -> int:
    """Write the digest whose hour has come, if nobody has; return how many people are told.

    Safe in any number of processes: the row of the day is unique. One that was missed while the
    service was down comes late, once.
    """
    day = _day(now)
    if StaffDigest.objects.filter(day=day).exists():
        return 0
    try:
        return _write(day, now)
    except IntegrityError:
        return 0  # another process was first


def _day(now: datetime) -> date:
    """Return the newest day whose hour has come, in UTC."""
    return (now.astimezone(UTC) - timedelta(hours=settings.STAFF_DIGEST_HOUR)).date()


@transaction.atomic
def _write(day: date, now: datetime) -> int:
    before, anchor = StaffDigest.objects.order_by("-day").first(), log.newest_anchor()
    acts = anchor.number if anchor else 0
    row = StaffDigest.objects.create(day=day, written_at=now, acts=acts)
    found = _content(now) | _of_log(before.acts if before else 0, anchor)
    content = cast(StaffDigestContent, found)
    if not content:
        return 0
    notices = [_notice(reader, content, now) for reader in staff()]
    Notice.objects.bulk_create(notices)
    StaffDigest.objects.filter(pk=row.pk).update(told=len(notices))
    if notices:
        wakeups.notify_workers("notices")
    return len(notices)


def mailed_log_entries() -> int:
    """Return how many acts the log had when a digest counted most of them."""
    return StaffDigest.objects.aggregate(most=Max("acts"))["most"] or 0


def staff() -> Iterable[User]:
    """Yield every moderator and host who can be told by mail."""
    for user in User.objects.filter(is_staff=True, is_active=True).order_by("pk"):
        if is_moderator(user) and gets_mail(user):
            yield user


def _notice(reader: User, content: StaffDigestContent, now: datetime) -> Notice:
    return Notice(
        kind=KIND.kind,
        user=reader,
        language=reader.language,
        content=content,
        message_id=new_message_id(),
        created_at=now,
        due_at=now,
    )


def _content(now: datetime) -> dict[str, object]:
    """Return what is told, as JSON; empty when there is nothing to tell."""
    found, mail = staff_stats(now), mail_state(now)
    content = _of_games(found) | {name: count for name, count in asdict(mail).items() if count}
    return {name: value for name, value in content.items() if value}


def _of_log(known: int, anchor: log.Anchor | None) -> dict[str, object]:
    """Return how the log has grown, with where it stands now: the mail keeps that from us all."""
    acts = anchor.number if anchor else 0
    if acts < known:
        return {"log_was": known, "log_is": acts}
    return {"new_acts": acts - known, "anchor": str(anchor)} if acts > known else {}


def _of_games(found: StaffStats) -> dict[str, object]:
    return {
        "open_reports": found.open_reports,
        "oldest_report": found.oldest_report.isoformat() if found.oldest_report else "",
        "held_games": found.held_games,
        "long_stopped_games": found.long_stopped_games,
        "late_games": found.late_games,
        "timeouts": found.timeouts if found.is_unusual else 0,
        "usual_timeouts": round(found.usual_timeouts, 1) if found.is_unusual else 0,
        "out_of_time": [list(one) for one in found.out_of_time],
        "outages": [
            [one.kind, one.began_at.isoformat(), one.ended_at.isoformat() if one.ended_at else ""]
            for one in found.outages
        ],
    }


def mail_state(now: datetime) -> MailState:
    """Count what of mail wants mending: what is parked and kept still, the rest of the last day."""
    mails, states = IncomingMail.objects, IncomingMail.State
    held = mails.filter(state=states.HELD, processed_at__gt=now - DAY)
    failed = Notice.objects.filter(state=Notice.State.FAILED)
    return MailState(
        parked=mails.filter(state=states.PARKED).exclude(raw=b"").count(),
        parked_notices=Notice.objects.filter(state=Notice.State.PARKED).count(),
        held=held.exclude(result__in=(MailResult.UNCONFIRMED, MailResult.UNCHECKED)).count(),
        unconfirmed=held.filter(result=MailResult.UNCONFIRMED).count(),
        unchecked=held.filter(result=MailResult.UNCHECKED).count(),
        failed=failed.filter(created_at__gt=now - DAY).count(),
        suspended=AddressState.objects.filter(suspended_at__gt=now - DAY).count(),
    )
