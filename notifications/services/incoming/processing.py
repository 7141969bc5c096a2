"""Reads the mails that came in, one after the other: claim, read, then act and mark at once.

What a mail causes and that it is done are one transaction: a processor that dies has done nothing
of it, and its claim is taken up again after CLAIM_LASTS.
"""

import logging
import traceback
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import DatabaseError, InterfaceError, transaction
from django.db.models import F, Q, QuerySet

from games.services.errors.house import ClosedForMaintenance
from games.services.maintenance import is_closed
from notifications.models import IncomingMail
from notifications.services.incoming.judging import Outcome, judge
from notifications.tokens import hidden

log = logging.getLogger(__name__)

BATCH = 100
"""How many mails one call takes up."""

CLAIM_LASTS = timedelta(minutes=10)
"""After this a claim is taken for that of a dead processor."""

MOST_ATTEMPTS = 5
"""A mail that ended this many attempts without a word (a kill, a lost database) is parked."""

LONGEST_ERROR = 8000

DISMISSED = "dismissed"
"""What became of a mail that a moderator has looked at and let rest."""

State = IncomingMail.State

_TO_LOOK_AT = (State.PARKED, State.HELD)


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
    return rereadable(mail_ids).update(
        state=State.WAITING, attempts=0, result="", error="", processed_at=None
    )


def put_aside(mail_ids: Iterable[int]) -> QuerySet[IncomingMail]:
    """Return those of these mails that wait for somebody to look at them."""
    return IncomingMail.objects.filter(pk__in=list(mail_ids), state__in=_TO_LOOK_AT)


def dismiss(mail_ids: Iterable[int], *, now: datetime) -> int:
    """Let mails that were put aside rest as they are; return how many. Their error is kept."""
    return put_aside(mail_ids).update(state=State.IGNORED, result=DISMISSED, processed_at=now)


def rereadable(mail_ids: Iterable[int]) -> QuerySet[IncomingMail]:
    """Return those of these mails that were put aside and whose text is still kept."""
    aside = (*_TO_LOOK_AT, State.IGNORED)
    settled = IncomingMail.objects.filter(pk__in=list(mail_ids), state__in=aside)
    return settled.exclude(raw=b"")


def _due(now: datetime) -> list[int]:
    """Return what waits, and what was claimed so long ago that its processor is dead."""
    waiting = IncomingMail.objects.filter(state=State.WAITING).order_by("received_at", "pk")
    stale = IncomingMail.objects.filter(
        state=State.CLAIMED, claimed_at__lte=now - CLAIM_LASTS
    ).order_by("claimed_at")
    return [
        *stale.values_list("pk", flat=True)[:BATCH],
        *waiting.values_list("pk", flat=True)[:BATCH],
    ]


def _claim(pk: int, now: datetime) -> IncomingMail | None:
    """Take a mail by compare-and-set; None when another processor has it."""
    free = Q(state=State.WAITING) | Q(state=State.CLAIMED, claimed_at__lte=now - CLAIM_LASTS)
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
    except ClosedForMaintenance:
        _wait_until_open(mail)
    except (DatabaseError, InterfaceError) as error:
        _put_back(mail, error)
    except Exception:
        log.exception("mail %s is parked", mail.pk)
        return _park(mail, traceback.format_exc(), now)
    return False


def _settle(mail: IncomingMail, now: datetime) -> bool:
    ruling = judge(mail)
    mail.sender = ruling.sender
    with transaction.atomic():
        outcome = ruling.carry_out(now)
        _mark(mail, outcome, now)
    return True


def _mark(mail: IncomingMail, outcome: Outcome, now: datetime) -> None:
    ours = IncomingMail.objects.filter(
        pk=mail.pk, state=State.CLAIMED, claimed_at=mail.claimed_at, attempts=mail.attempts
    )
    fields = {"sender": mail.sender, "processed_at": now, "claimed_at": None, **vars(outcome)}
    if not ours.update(**fields):
        raise _TakenOver


def _park(mail: IncomingMail, error: str, now: datetime) -> bool:
    """Put a mail aside for the host to look at: it is not tried again by itself."""
    words = hidden(error)[-LONGEST_ERROR:]
    try:
        _mark(mail, Outcome(state=State.PARKED, result="error", error=words), now)
    except _TakenOver:
        return False
    return True


def _wait_until_open(mail: IncomingMail) -> None:
    """Let a mail wait that was being read when the house closed; that was no attempt."""
    ours = IncomingMail.objects.filter(pk=mail.pk, state=State.CLAIMED, claimed_at=mail.claimed_at)
    ours.update(state=State.WAITING, claimed_at=None, attempts=mail.attempts - 1)


def _put_back(mail: IncomingMail, error: Exception) -> None:
    """Let a mail wait for the database; an error of it that stays is counted by the attempts."""
    log.warning("mail %s waits, the database failed: %s", mail.pk, error)
    ours = IncomingMail.objects.filter(pk=mail.pk, state=State.CLAIMED, claimed_at=mail.claimed_at)
    ours.update(state=State.WAITING, claimed_at=None, error=hidden(str(error))[:LONGEST_ERROR])
