"""Write the digests that are due; they are then sent like any other mail.

What a digest tells is fixed here: a number in a reply means the same game whenever and however
often the mail was tried.
"""

import logging
from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from accounts.models import User
from games import wakeups
from games.queries.lists import awaiting
from games.services.batches import drop_broken_connection
from games.services.undo_window import end_undo_of_ends
from notifications.kinds.base import kind_of
from notifications.kinds.digest.kind import KIND, DigestContent
from notifications.models import Cadence, DigestSchedule, Notice, SkipReason
from notifications.outbox.scheduling import skip_reason
from notifications.services.addresses import gets_mail
from notifications.services.metrics import count_notice
from notifications.services.preferences import kinds_at, next_digest_at

log = logging.getLogger(__name__)

BATCH = 200
"""How many digests one call takes up."""

MOST_GAMES = 50
"""How many games one digest numbers, those with the least time first."""


def send_digests(*, now: datetime) -> int:
    """Write the digests that are due; return how many schedules this call took up.

    Safe in any number of processes. A digest without content is not written; the next one is due
    all the same. A schedule that cannot be read does not delay the others.
    """
    due = DigestSchedule.objects.filter(digest_due_at__lte=now).order_by("digest_due_at")
    done = 0
    for pk in list(due.values_list("pk", flat=True)[:BATCH]):
        try:
            with transaction.atomic():
                one = DigestSchedule.objects.filter(pk=pk, digest_due_at__lte=now)
                one = one.select_for_update(of=("self",), skip_locked=True)
                schedule = one.select_related("user").first()
                if schedule is None:
                    continue  # another process has it
                schedule.digest_due_at = next_digest_at(schedule, now)
                schedule.save(update_fields=["digest_due_at"])
                if gets_mail(schedule.user):
                    write_digest(schedule.user, now)
                done += 1
        except Exception:
            log.exception("the digest of schedule %s could not be written", pk)
            drop_broken_connection()
    return done


def write_digest(reader: User, now: datetime) -> None:
    """Write a digest of the games that await its reader and of the news kept for it, if any."""
    end_undo_of_ends(reader, now=now)
    games, news = awaiting(reader)[:MOST_GAMES], take_news(reader)
    if not games and not news:
        return
    # Challenges and offers are numbered too, after the games.
    asking = [notice for notice in news if kind_of(notice.kind).asks_for_answer(notice)]
    asked = dict.fromkeys(notice.game for notice in asking if notice.game not in games)
    both = [*games, *(game for game in asked if game is not None)]
    content: DigestContent = {
        "games": [[number, game.pk, game.turn_number] for number, game in enumerate(both, 1)],
        "news": [notice.pk for notice in news],
    }
    Notice.new(KIND.kind, user=reader, language=reader.language, content=content, now=now).save(
        force_insert=True
    )
    wakeups.notify_workers("notices")


def take_news(reader: User) -> Sequence[Notice]:
    """Take the notices that were kept for the digest out of the outbox, and return the valid."""
    kept = Notice.objects.waiting().filter(
        user=reader, event__isnull=False, kind__in=kinds_at(reader, Cadence.DIGEST)
    )
    news = []
    for notice in kept.select_related("user", "game", "event__invitation").order_by("event_id"):
        reason = skip_reason(notice)
        fields = (reason or SkipReason.TOLD_IN_DIGEST).as_fields()
        still = Notice.objects.waiting().filter(pk=notice.pk)
        if not still.update(state=Notice.State.DROPPED, **fields):
            continue  # another worker took it
        count_notice(notice, "dropped" if reason else "together")
        if not reason:
            news.append(notice)
    return news
