"""Empties the outbox: claim, then send outside any transaction, then mark.

A worker that dies between claim and mark loses nothing: its claim is taken up again after
CLAIM_LASTS, with the same Message-ID.
"""

import logging
import time
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db.models import Q

from notifications.models import Kind, Notice
from notifications.services import waits
from notifications.services.freshness import why_not
from notifications.services.letters import Letter, compose
from notifications.services.post import Post, ServerDown
from notifications.services.readers import address_of
from notifications.services.verdicts import Verdict, verdict, words

log = logging.getLogger(__name__)

BATCH = 100
"""How many notices one call takes up."""

CLAIM_LASTS = timedelta(minutes=10)
"""After this a claim is taken for that of a dead worker."""

ROUND_LASTS = 60.0
"""Seconds (of real time) after which a call takes up no more, so that no claim grows old."""

State = Notice.State


def send_due(*, now: datetime) -> int:
    """Send the mails that are due over one connection; return how many left the outbox.

    Whatever befalls one notice, the next is tried; only a mail server that does not answer ends
    the round, and everybody waits a while.
    """
    until = time.monotonic() + ROUND_LASTS
    done = 0
    with Post() as post:
        for pk in _due(now):
            if time.monotonic() > until:
                break
            notice = _claim(pk, now)
            try:
                done += notice is not None and _deliver(notice, post, now)
            except ServerDown as down:
                _pause_all(now, str(down))
                break
    return done


def _due(now: datetime) -> Iterable[int]:
    """Return what waits and is due, and what was claimed so long ago that its worker is dead."""
    waiting = Notice.objects.filter(state=State.WAITING, due_at__lte=now).order_by("due_at", "pk")
    stale = Notice.objects.filter(state=State.CLAIMED, claimed_at__lte=now - CLAIM_LASTS)
    return [
        *waiting.values_list("pk", flat=True)[:BATCH],
        *stale.order_by("claimed_at").values_list("pk", flat=True)[:BATCH],
    ]


def _claim(pk: int, now: datetime) -> Notice | None:
    """Take a notice by compare-and-set; None when another worker has it."""
    free = Q(state=State.WAITING, due_at__lte=now) | Q(
        state=State.CLAIMED, claimed_at__lte=now - CLAIM_LASTS
    )
    if not Notice.objects.filter(free, pk=pk).update(state=State.CLAIMED, claimed_at=now):
        return None
    return Notice.objects.select_related("user", "game__maker", "event__invitation__by").get(pk=pk)


def _deliver(notice: Notice, post: Post, now: datetime) -> bool:
    """Send one claimed notice and write down what became of it; tell whether it left the outbox.

    Raises ServerDown when the server, not this mail, is at fault.
    """
    try:
        reason = why_not(notice)
        letter = None if reason else compose(notice, now=now)
    except Exception as error:
        log.exception("notice %s cannot be written", notice.pk)
        return _finish(notice, State.FAILED, reason=words(error))
    if letter is None:
        return _finish(notice, State.DROPPED, reason=reason)
    return _send(notice, letter, post, now)


def _send(notice: Notice, letter: Letter, post: Post, now: datetime) -> bool:
    notice.attempts += 1
    address = address_of(notice)
    try:
        post.send(letter)
    except ServerDown as down:
        _put_back(notice, str(down), now)
        raise
    except Exception as error:
        return _undelivered(notice, verdict(error), now, address)
    return _finish(notice, State.SENT, sent_at=now, reason="", address=address)


def _undelivered(notice: Notice, found: Verdict, now: datetime, address: str) -> bool:
    log.warning("notice %s to %s: %s", notice.pk, address, found.reason)
    if found.meaning == "refused":
        return _finish(notice, State.FAILED, reason=found.reason, address=address)
    left = _put_back(notice, found.reason, now)
    if found.meaning == "server":
        raise ServerDown(found.reason)
    return left


def _put_back(notice: Notice, reason: str, now: datetime) -> bool:
    """Let a notice wait, each time longer; give it up at last."""
    wait = waits.wait_after(notice.attempts)
    if wait is None:
        return _finish(notice, State.FAILED, reason=reason)
    fields = {"state": State.WAITING, "due_at": now + wait, "claimed_at": None}
    _mark(notice, **fields, reason=reason)
    return False


def _finish(notice: Notice, state: State, **fields: object) -> bool:
    """Write down the end of a notice; what only it knew (a code) is forgotten."""
    _mark(notice, state=state, claimed_at=None, content={}, **fields)
    return True


def _mark(notice: Notice, **fields: object) -> None:
    ours = Notice.objects.filter(pk=notice.pk, state=State.CLAIMED, claimed_at=notice.claimed_at)
    if not ours.update(attempts=notice.attempts, **fields):
        log.warning("notice %s was taken up by another worker meanwhile", notice.pk)


def _pause_all(now: datetime, reason: str) -> None:
    """Let everything that is due wait: one attempt a while is enough for a server that is down."""
    due = Notice.objects.filter(state=State.WAITING, due_at__lte=now)
    paused = due.update(due_at=now + waits.SERVER_PAUSE, reason=reason)
    log.warning("the mail server does not take mail, %s more notices wait: %s", paused, reason)


def retry(notice_ids: Iterable[int], *, now: datetime) -> int:
    """Let failed notices be tried again from the beginning; return how many.

    Account mails are left out: what they said is forgotten, and their codes have expired.
    """
    failed = Notice.objects.filter(pk__in=list(notice_ids), state=State.FAILED)
    return failed.exclude(kind=Kind.ACCOUNT).update(
        state=State.WAITING, due_at=now, attempts=0, reason=""
    )
