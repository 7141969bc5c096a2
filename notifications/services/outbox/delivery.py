"""Empties the outbox: claim, then send outside any transaction, then mark.

A worker that dies between claim and mark loses nothing: its claim is taken up again after
CLAIM_LASTS, with the same Message-ID.
"""

import logging
import time
from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from notifications.models import Kind, Notice
from notifications.services.addresses import suspend
from notifications.services.letters.notice import Letter, compose
from notifications.services.outbox import told, waits
from notifications.services.outbox.cadence import wait_until
from notifications.services.outbox.claims import CLAIM_LASTS, claim, due
from notifications.services.outbox.freshness import NO_WAY, TOLD_TOGETHER, why_not
from notifications.services.outbox.post import Post, ServerDown
from notifications.services.outbox.readers import address_of
from notifications.services.outbox.undelivered import undelivered
from notifications.services.outbox.verdicts import Verdict, verdict, words
from notifications.services.replies import new_reply, number_games

__all__ = ["CLAIM_LASTS", "retry", "send_due"]

log = logging.getLogger(__name__)

ROUND_LASTS = 60.0
"""Seconds (of real time) after which a call takes up no more, so that no claim grows old."""

Group = Sequence[Notice]
"""Claimed notices that are told in one mail; the first of them leads."""

State = Notice.State


def send_due(*, now: datetime) -> int:
    """Send the mails that are due over one connection; return how many notices left the outbox.

    Whatever befalls one notice, the next is tried; only a mail server that does not answer ends
    the round, and everybody waits a while.
    """
    until = time.monotonic() + ROUND_LASTS
    done = 0
    with Post() as post:
        for pk in due(now):
            if time.monotonic() > until:
                break
            try:
                done += _deliver(claim(pk, now), post, now)
            except ServerDown as down:
                _pause_all(now, str(down))
                break
    return done


def _deliver(group: Group, post: Post, now: datetime) -> int:
    """Send claimed notices as one mail and write down what became of them; return how many left.

    Raises ServerDown when the server, not this mail, is at fault.
    """
    wanted = [notice for notice in group if _is_wanted(notice, now)]
    left = len(group) - len(wanted)
    if not wanted or _wait(wanted, now):
        return left
    try:
        letter = _written(wanted, now)
    except Exception as error:
        log.exception("notice %s cannot be written", wanted[0].pk)
        return left + _give_up(wanted, now, reason=words(error))
    return left + _send(wanted, letter, post, now)


def _is_wanted(notice: Notice, now: datetime) -> bool:
    """Tell whether a notice is still worth sending; it is marked where it is not."""
    try:
        reason = why_not(notice)
    except Exception as error:
        log.exception("notice %s cannot be read", notice.pk)
        _give_up([notice], now, reason=words(error))
        return False
    if reason:
        _drop(notice, reason, now)
    return not reason


def _wait(group: Group, now: datetime) -> bool:
    """Put notices back that had better wait; tell whether they do."""
    untils = [wait_until(notice, now=now) for notice in group]
    if not all(untils):
        return False
    for notice, until in zip(group, untils, strict=True):
        _mark(notice, state=State.WAITING, claimed_at=None, due_at=until)
    return True


def _written(group: Group, now: datetime) -> Letter:
    lead, *others = group
    token = new_reply(lead, now=now)
    if numbered := lead.content.get("games"):
        number_games(token, numbered)
    return compose(lead, others, now=now)


def _send(group: Group, letter: Letter, post: Post, now: datetime) -> int:
    for notice in group:
        notice.attempts += 1
    address = address_of(group[0])
    try:
        post.send(letter)
    except ServerDown as down:
        _put_back(group, str(down), now)
        raise
    except Exception as error:
        return _not_sent(group, verdict(error), now, address)
    return _sent(group, letter, now, address)


@transaction.atomic
def _sent(group: Group, letter: Letter, now: datetime, address: str) -> int:
    lead, *others = group
    _finish([lead], State.SENT, sent_at=now, reason="", address=address)
    _finish(others, State.DROPPED, reason=TOLD_TOGETHER)
    if lead.user is not None:
        told.remember(lead.user, letter.told)
    return len(group)


def _not_sent(group: Group, found: Verdict, now: datetime, address: str) -> int:
    log.warning("notice %s to %s: %s", group[0].pk, address, found.reason)
    if found.meaning == "refused":
        if found.no_such_address:
            suspend(address=address, diagnostic=found.reason, notice=group[0], now=now)
        return _give_up(group, now, reason=found.reason, address=address)
    left = _put_back(group, found.reason, now)
    if found.meaning == "server":
        raise ServerDown(found.reason)
    return left


def _put_back(group: Group, reason: str, now: datetime) -> int:
    """Let notices wait, each time longer; give them up at last. Return how many were given up."""
    given_up = [notice for notice in group if waits.wait_after(notice.attempts) is None]
    for notice in group:
        wait = waits.wait_after(notice.attempts)
        if wait is not None:
            fields = {"state": State.WAITING, "due_at": now + wait, "claimed_at": None}
            _mark(notice, **fields, reason=reason)
    return _give_up(given_up, now, reason=reason)


@transaction.atomic
def _drop(notice: Notice, reason: str, now: datetime) -> None:
    _finish([notice], State.DROPPED, reason=reason)
    if reason in NO_WAY:
        _not_told(notice, now)


@transaction.atomic
def _give_up(group: Group, now: datetime, **fields: object) -> int:
    left = _finish(group, State.FAILED, **fields)
    for notice in group:
        _not_told(notice, now)
    return left


def _not_told(notice: Notice, now: datetime) -> None:
    """Stop the clock of a turn nobody was told of; a broken game must not hold up the next mail."""
    try:
        with transaction.atomic():
            undelivered(notice, now)
    except Exception:
        log.exception("notice %s did not arrive, and its clock could not be stopped", notice.pk)


def _finish(group: Group, state: State, **fields: object) -> int:
    """Write down the end of notices; what only they knew (a code) is forgotten."""
    for notice in group:
        _mark(notice, state=state, claimed_at=None, content={}, **fields)
    return len(group)


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

    Account mails and digests are left out: what they said is forgotten.
    """
    return retriable(notice_ids).update(state=State.WAITING, due_at=now, attempts=0, reason="")


def retriable(notice_ids: Iterable[int]) -> QuerySet[Notice]:
    """Return those of these notices that failed and could be written again."""
    failed = Notice.objects.filter(pk__in=list(notice_ids), state=State.FAILED)
    return failed.exclude(kind__in=[Kind.ACCOUNT, Kind.DIGEST, Kind.STAFF_DIGEST, Kind.ANSWER])
