"""One mail for everything that awaits a player: written when it is due, then sent like any other.

What it tells is fixed when it is written: a number in an answer means the same game whenever and
however often the mail was tried.
"""

import logging
from collections.abc import Iterable
from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.models import Game
from games.queries import awaiting
from games.services import wakeups
from games.services.batches import drop_broken_connection
from notifications.kinds.digest.kind import KIND, DigestContent
from notifications.kinds.lookup import kind_of
from notifications.models import Cadence, MailPlan, Notice, SkipReason
from notifications.models.plan import DAILY
from notifications.services.outbox.digest_times import next_after_hours, next_daily
from notifications.services.outbox.notices import new_message_id
from notifications.services.outbox.relevance import skip_reason
from notifications.services.preferences import kinds_at
from notifications.services.readers import gets_mail

log = logging.getLogger(__name__)

BATCH = 200
"""How many digests one call takes up."""

MOST_GAMES = 50
"""How many games one digest numbers, those with the least time first."""


def send_digests(*, now: datetime) -> int:
    """Put the digests that are due into the outbox; return how many plans this call took up.

    Safe in any number of processes. Who has nothing to hear gets none; the next one is due all
    the same. A plan that cannot be read does not hold up the others.
    """
    due = MailPlan.objects.filter(digest_due_at__lte=now).order_by("digest_due_at")
    return sum(_take(pk, now) for pk in list(due.values_list("pk", flat=True)[:BATCH]))


def _take(plan_id: int, now: datetime) -> bool:
    try:
        return _write(plan_id, now)
    except Exception:
        log.exception("no digest could be written for plan %s", plan_id)
        drop_broken_connection()
        return False


@transaction.atomic
def _write(plan_id: int, now: datetime) -> bool:
    due = MailPlan.objects.filter(pk=plan_id, digest_due_at__lte=now)
    plan = due.select_for_update(of=("self",), skip_locked=True).select_related("user").first()
    if plan is None or plan.digest_due_at is None:
        return False
    plan.digest_due_at = next_due(plan, now)
    plan.save(update_fields=["digest_due_at"])
    if gets_mail(plan.user):
        _tell(plan.user, now)
    return True


def next_due(plan: MailPlan, now: datetime) -> datetime | None:
    """Return when the next digest of a plan is due after `now`; None: it has none.

    One that was missed while the service was down comes once, late, not several times.
    """
    if plan.digest_every is None:
        return None
    if plan.digest_every == DAILY:
        return next_daily(plan.digest_hour, plan.user.zone, now)
    return next_after_hours(plan.digest_every, plan.digest_due_at or now, now)


def _tell(reader: User, now: datetime) -> None:
    games = awaiting(reader)[:MOST_GAMES]
    news = list(_news(reader))
    if not games and not news:
        return
    asked = [game for game in _asked(news) if game not in games]
    both = enumerate([*games, *asked], start=1)
    numbered = [[n, game.pk, game.turn_number] for n, game in both]
    content: DigestContent = {"games": numbered, "news": news}
    Notice.objects.create(
        kind=KIND.kind,
        user=reader,
        language=reader.language,
        content=content,
        message_id=new_message_id(),
        created_at=now,
        due_at=now,
    )
    wakeups.notify_workers("notices")


def _asked(news: Iterable[int]) -> list[Game]:
    """Return the games, and tables, of the challenges and offers among what was kept."""
    kept = Notice.objects.filter(pk__in=list(news)).select_related("game", "event").order_by("pk")
    asking = [notice for notice in kept if kind_of(notice.kind).asks_for_answer(notice)]
    return list(dict.fromkeys(notice.game for notice in asking if notice.game is not None))


def _news(reader: User) -> Iterable[int]:
    """Return what was kept for the digest and still holds, taken out of the outbox."""
    kept = Notice.objects.filter(user=reader, state=Notice.State.WAITING, event__isnull=False)
    kept = kept.filter(kind__in=kinds_at(reader, Cadence.DIGEST))
    for notice in kept.select_related("user", "game", "event__invitation").order_by("pk"):
        reason = skip_reason(notice)
        still = Notice.objects.filter(pk=notice.pk, state=Notice.State.WAITING)
        fields = (reason or SkipReason.TOLD_IN_DIGEST).as_fields()
        taken = still.update(state=Notice.State.DROPPED, **fields)
        if taken and not reason:
            yield notice.pk


def keep_plan(
    *,
    user: User,
    later_hours: int,
    digest_every: int | None,
    digest_hour: int,
    now: datetime,
) -> MailPlan:
    """Remember a person's hours; the next digest is due at the next of them.

    A plan that stays as it was keeps the time of its next digest.
    """
    plan, _ = MailPlan.objects.get_or_create(user=user)
    before = (plan.digest_every, plan.digest_hour)
    plan.later_hours, plan.digest_every, plan.digest_hour = later_hours, digest_every, digest_hour
    if before != (digest_every, digest_hour):
        plan.digest_due_at = None
        plan.digest_due_at = next_due(plan, now)
    plan.save()
    return plan
