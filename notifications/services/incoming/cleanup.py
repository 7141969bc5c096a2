"""Forgets what is not needed any more of mail that came in."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q

from notifications.models import ErrorReply, IncomingMail, ReplyAddress
from notifications.services.account import delete_old_counts

BATCH = 500
ANSWERABLE = timedelta(days=365)
"""How long after its game has ended a reply address is still known."""

_WAITING = (IncomingMail.State.WAITING, IncomingMail.State.CLAIMED)


def delete_old_mails(*, now: datetime) -> int:
    """Empty old mails, delete old reply addresses, error answers and counts; return how many."""
    forgotten = _forget_addresses(now) + _forget_error_answers(now) + delete_old_counts(now=now)
    return _empty_mails(now) + forgotten


def _empty_mails(now: datetime) -> int:
    old = IncomingMail.objects.filter(processed_at__lte=now - settings.KEEP_RAW_MAIL)
    full = old.exclude(state__in=_WAITING).exclude(raw=b"")
    some = list(full.values_list("pk", flat=True)[:BATCH])
    return IncomingMail.objects.filter(pk__in=some).exclude(state__in=_WAITING).update(raw=b"")


def _forget_addresses(now: datetime) -> int:
    nothing = Q(purpose=ReplyAddress.Purpose.NOTHING, created_at__lte=now - settings.KEEP_RAW_MAIL)
    over = Q(game__ended_at__lte=now - ANSWERABLE, created_at__lte=now - ANSWERABLE)
    old = ReplyAddress.objects.filter(nothing | over)
    some = list(old.values_list("pk", flat=True)[:BATCH])
    return ReplyAddress.objects.filter(pk__in=some).delete()[0]


def _forget_error_answers(now: datetime) -> int:
    return ErrorReply.objects.filter(answered_on__lt=(now - timedelta(days=2)).date()).delete()[0]
