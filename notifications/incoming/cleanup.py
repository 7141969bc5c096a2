"""Deletes what is no longer needed of mail that came in."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q

from notifications.models import ErrorReply, IncomingMail, ReplyAddress
from notifications.services.account import delete_old_counts

BATCH = 500
ANSWERABLE = timedelta(days=365)
"""How long after its game has ended a reply address is still known."""


def delete_old_mails(*, now: datetime) -> int:
    """Empty old mails, delete old reply addresses, error answers and counts; return how many."""
    keep_since = now - settings.KEEP_RAW_MAIL
    processed = IncomingMail.objects.processed()
    full = processed.with_text().filter(processed_at__lte=keep_since)
    keys = list(full.values_list("pk", flat=True)[:BATCH])
    count = processed.filter(pk__in=keys).update(raw=b"")

    unanswerable = Q(purpose=ReplyAddress.Purpose.NOTHING, created_at__lte=keep_since)
    forgotten = now - ANSWERABLE
    over = Q(game__ended_at__lte=forgotten, created_at__lte=forgotten)
    old_addresses = ReplyAddress.objects.filter(unanswerable | over)
    keys = list(old_addresses.values_list("pk", flat=True)[:BATCH])
    count += ReplyAddress.objects.filter(pk__in=keys).delete()[0]

    day_before_yesterday = (now - timedelta(days=2)).date()
    count += ErrorReply.objects.filter(answered_on__lt=day_before_yesterday).delete()[0]
    return count + delete_old_counts(now=now)
