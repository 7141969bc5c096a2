"""Process the mails that came in, one after the other: claim, parse, then execute and mark at once.

What a mail causes and that it is done are one transaction, so a processor that dies has done
nothing. Its claim is taken up again after CLAIM_TIMEOUT. After an error of our own (the database, a
bug) a mail is processed again, each time later, and parked after a day.
"""

import logging
import traceback
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F, Q, QuerySet

from games import errors
from games.services.connections import drop_broken_connection
from games.services.maintenance import is_closed
from notifications.models import IncomingMail
from notifications.outbox.retries import retry_delay_after_own_error
from notifications.services.incoming.classify import ProcessingResult, decide
from notifications.services.metrics import count_mail
from notifications.tokens import redact_tokens

log = logging.getLogger(__name__)

BATCH = 100
"""How many mails one call takes up."""

CLAIM_TIMEOUT = timedelta(minutes=10)
"""After this a claim is taken for that of a dead processor."""

MOST_ATTEMPTS = 5
"""A mail whose processor died this many times without a word is parked."""

LONGEST_ERROR = 8000

DISMISSED = "dismissed"
"""What became of a mail that a moderator has looked at and let rest."""

State = IncomingMail.State

_TO_LOOK_AT = (State.PARKED, State.HELD)

_NOT_FAILING: dict[str, Any] = {"due_at": None, "failing_since": None}


class _TakenOver(Exception):
    """Another processor has claimed the mail meanwhile: nothing of ours may stand."""


def process_due(*, now: datetime) -> int:
    """Read and act on the mails that wait, oldest first; return how many were settled.

    Whatever befalls one mail, the next is taken up. Safe in any number of processes. While the
    house is closed for maintenance all wait: what was sent meanwhile is done when it opens, and a
    turn counts from when it came in.
    """
    if is_closed():
        return 0
    return sum(_process(pk, now) for pk in _due(now))


def process_again(mail_ids: Iterable[int], *, now: datetime) -> int:
    """Let parked, held and ignored mails be read once more; return how many.

    Those whose text is kept no more are left out. The time of receipt still counts.
    """
    return reprocessable(mail_ids).update(
        state=State.WAITING, attempts=0, result="", error="", processed_at=None, **_NOT_FAILING
    )


def quarantined(mail_ids: Iterable[int]) -> QuerySet[IncomingMail]:
    """Return those of these mails that wait for somebody to look at them."""
    return IncomingMail.objects.filter(pk__in=list(mail_ids), state__in=_TO_LOOK_AT)


def dismiss(mail_ids: Iterable[int], *, now: datetime) -> int:
    """Let mails that were put aside rest as they are; return how many. Their error is kept."""
    return quarantined(mail_ids).update(state=State.IGNORED, result=DISMISSED, processed_at=now)


def reprocessable(mail_ids: Iterable[int]) -> QuerySet[IncomingMail]:
    """Return those of these mails that were put aside and whose text is still kept."""
    aside = (*_TO_LOOK_AT, State.IGNORED)
    settled = IncomingMail.objects.filter(pk__in=list(mail_ids), state__in=aside)
    return settled.exclude(raw=b"")


def _due(now: datetime) -> list[int]:
    """Return what waits, and what was claimed so long ago that its processor is dead."""
    waiting = IncomingMail.objects.filter(_waits(now)).order_by("received_at", "pk")
    stale = IncomingMail.objects.filter(
        state=State.CLAIMED, claimed_at__lte=now - CLAIM_TIMEOUT
    ).order_by("claimed_at")
    return [
        *stale.values_list("pk", flat=True)[:BATCH],
        *waiting.values_list("pk", flat=True)[:BATCH],
    ]


def _waits(now: datetime) -> Q:
    return Q(state=State.WAITING) & (Q(due_at=None) | Q(due_at__lte=now))


@transaction.atomic
def _claim(pk: int, now: datetime) -> IncomingMail | None:
    """Take a mail by compare-and-set; None when another processor has it."""
    free = _waits(now) | Q(state=State.CLAIMED, claimed_at__lte=now - CLAIM_TIMEOUT)
    fields = {"state": State.CLAIMED, "claimed_at": now, "attempts": F("attempts") + 1}
    if not IncomingMail.objects.filter(free, pk=pk).update(**fields):
        return None
    loaded = IncomingMail.objects.select_related(
        "reply__user", "reply__game", "reply__notice", "reply__invitation__game"
    )
    return loaded.get(pk=pk)


def _process(pk: int, now: datetime) -> bool:
    mail = _claim(pk, now)
    if mail is None:
        return False
    if mail.attempts > MOST_ATTEMPTS:
        return _park(mail, f"broke off {MOST_ATTEMPTS} times", now)
    try:
        return _settle(mail, now)
    except _TakenOver:
        log.warning("mail %s was taken up by another processor meanwhile", mail.pk)
    except errors.ClosedForMaintenance:
        _wait_until_open(mail)
    except Exception:
        log.exception("mail %s could not be processed", mail.pk)
        return _try_later(mail, traceback.format_exc(), now)
    return False


def _settle(mail: IncomingMail, now: datetime) -> bool:
    ruling = decide(mail)
    mail.sender = ruling.sender
    with transaction.atomic():
        outcome = ruling.carry_out(now)
        _mark(mail, outcome, now)
    return True


def _mark(mail: IncomingMail, outcome: ProcessingResult, now: datetime) -> None:
    ours = IncomingMail.objects.filter(
        pk=mail.pk, state=State.CLAIMED, claimed_at=mail.claimed_at, attempts=mail.attempts
    )
    fields = {"sender": mail.sender, "processed_at": now, "claimed_at": None, **vars(outcome)}
    if not ours.update(**fields, **_NOT_FAILING):
        raise _TakenOver
    count_mail(mail, outcome.state, outcome.result)


def _park(mail: IncomingMail, error: str, now: datetime) -> bool:
    """Put a mail aside for the host to look at: it is not tried again by itself."""
    words = redact_tokens(error)[-LONGEST_ERROR:]
    try:
        _mark(mail, ProcessingResult(state=State.PARKED, result="error", error=words), now)
    except _TakenOver:
        return False
    return True


def _wait_until_open(mail: IncomingMail) -> None:
    """Let a mail wait that was being read when the house closed; that was no attempt."""
    ours = IncomingMail.objects.filter(pk=mail.pk, state=State.CLAIMED, claimed_at=mail.claimed_at)
    ours.update(state=State.WAITING, claimed_at=None, attempts=mail.attempts - 1)


def _try_later(mail: IncomingMail, error: str, now: datetime) -> bool:
    """Let a mail wait after an error of our own, or park it after a day; tell whether it is parked.

    That was no attempt: those count the processors that died.
    """
    drop_broken_connection()
    since = mail.failing_since or now
    wait = retry_delay_after_own_error(since, now)
    if wait is None:
        return _park(mail, error, now)
    ours = IncomingMail.objects.filter(pk=mail.pk, state=State.CLAIMED, claimed_at=mail.claimed_at)
    ours.update(
        state=State.WAITING,
        claimed_at=None,
        attempts=mail.attempts - 1,
        due_at=now + wait,
        failing_since=since,
        error=redact_tokens(error)[-LONGEST_ERROR:],
    )
    return False
