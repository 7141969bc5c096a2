"""Empties the outbox: claim, then send outside any transaction, then mark.

A worker that dies between claim and mark loses nothing: its claim is taken up again after
CLAIM_TIMEOUT, with the same Message-ID. What became of a mail is final only where the mail server
says so: after an error of our own (the database, a template, a bug) it is tried again.
"""

import logging
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Q, QuerySet

from games.services.batches import drop_broken_connection
from notifications.kinds.compose import compose
from notifications.kinds.lookup import all_kinds, kind_of
from notifications.models import Notice, SkipReason
from notifications.services import mailed_messages
from notifications.services.addresses import suspend_address
from notifications.services.emails.base import InlineImageEmail
from notifications.services.metrics import count_notice
from notifications.services.outbox import retries
from notifications.services.outbox.claims import CLAIM_TIMEOUT, claim_notices, due_notices
from notifications.services.outbox.connection import MailConnection, ServerDown
from notifications.services.outbox.relevance import skip_reason
from notifications.services.outbox.scheduling import wait_until
from notifications.services.outbox.smtp_errors import ErrorClass, classify_error, describe_error
from notifications.services.outbox.undelivered import undelivered, undelivered_before
from notifications.services.replies import new_reply, number_games

__all__ = ["CLAIM_TIMEOUT", "retry", "send_due"]

log = logging.getLogger(__name__)

ROUND_TIMEOUT = 60.0
"""Seconds (of real time) after which a call takes up no more, so that no claim grows old."""

MARK_WAITS = (1.0, 3.0, 6.0)
"""Seconds before a mail that was sent is marked once more, where the database failed: unmarked it
would be sent again."""

stopping = threading.Event()
"""Set when this process is to end: the round ends after the mail in hand."""

Group = Sequence[Notice]
"""Claimed notices that are told in one mail; the first of them leads."""

State = Notice.State


def send_due(*, now: datetime) -> int:
    """Send the mails that are due over one connection; return how many notices left the outbox.

    Whatever befalls one notice, the next is tried; a mail server that does not answer ends the
    round, and everybody waits a while. Raises what the database raises when nothing can be marked:
    the claim is then taken up again.
    """
    until = time.monotonic() + ROUND_TIMEOUT
    done = 0
    with MailConnection() as post:
        for pk in due_notices(now):
            if stopping.is_set() or time.monotonic() > until:
                break
            try:
                done += _deliver(claim_notices(pk, now), post, now)
            except ServerDown as down:
                _pause_all(now, str(down))
                break
    return done


def _deliver(group: Group, post: MailConnection, now: datetime) -> int:
    """Send claimed notices as one mail and write down what became of them; return how many left.

    Raises ServerDown when the server, not this mail, is at fault.
    """
    wanted, left = _wanted(group, now)
    try:
        if not wanted or _wait(wanted, now):
            return left
        letter, address = _written(wanted, now), kind_of(wanted[0].kind).address(wanted[0])
        if not _begin(wanted, address, now):
            return left
    except Exception as error:
        return left + _try_later(wanted, error, now)
    return left + _send(wanted, letter, address, post, now)


def _wanted(group: Group, now: datetime) -> tuple[list[Notice], int]:
    """Return the notices that are still worth sending, and how many of the others left."""
    wanted, left = [], 0
    for notice in group:
        try:
            reason = skip_reason(notice)
            if reason:
                _drop(notice, reason, now)
                left += 1
            else:
                wanted.append(notice)
        except Exception as error:
            left += _try_later([notice], error, now)
    return wanted, left


def _wait(group: Group, now: datetime) -> bool:
    """Put notices back that had better wait; tell whether they do."""
    untils = [wait_until(notice, now=now) for notice in group]
    if not all(untils):
        return False
    for notice, until in zip(group, untils, strict=True):
        _mark(notice, state=State.WAITING, claimed_at=None, due_at=until)
    return True


def _written(group: Group, now: datetime) -> InlineImageEmail:
    lead, *others = group
    token = new_reply(lead, kind_of(lead.kind).reply_purpose_of(lead), now=now)
    if numbered := lead.content.get("games"):
        number_games(token, numbered)
    return compose(lead, others, now=now)


@transaction.atomic
def _begin(group: Group, address: str, now: datetime) -> bool:
    """Note that notices are about to be sent; tell whether all of them are still ours.

    If not, nothing is noted: what is ours is taken up again with the claim.
    """
    ours = [_mark(notice, unconfirmed_at=now, address=address) for notice in group]
    transaction.set_rollback(not all(ours))
    return all(ours)


def _send(
    group: Group, letter: InlineImageEmail, address: str, post: MailConnection, now: datetime
) -> int:
    """Send a letter and write down what became of it; return how many notices left.

    Until then the notices are noted as sent without confirmation: a failure that shows that the
    server did not take the mail takes the note away.
    """
    for notice in group:
        notice.attempts += 1
    try:
        post.send(letter)
    except Exception as error:
        if post.unconfirmed:
            for notice in group:
                notice.unconfirmed_at = now
        return _not_sent(group, error, address, now)
    return _sent(group, letter, now)


def _sent(group: Group, letter: InlineImageEmail, now: datetime) -> int:
    """Write down that a mail was sent, whatever it costs: else it would be sent again."""
    for wait in MARK_WAITS:
        try:
            return _mark_sent(group, letter, now)
        except (OperationalError, InterfaceError):
            log.warning("notice %s was sent and could not be marked", group[0].pk, exc_info=True)
            time.sleep(wait)
            drop_broken_connection()
    return _mark_sent(group, letter, now)


@transaction.atomic
def _mark_sent(group: Group, letter: InlineImageEmail, now: datetime) -> int:
    lead, *others = group
    for notice in group:
        notice.unconfirmed_at = notice.failing_since = None
    _finish([lead], State.SENT, sent_at=now, reason="")
    _finish(others, State.DROPPED, SkipReason.TOLD_TOGETHER)
    _remember(lead, letter)
    return len(group)


def _remember(lead: Notice, letter: InlineImageEmail) -> None:
    """Remember which messages a mail brought; unremembered, the next mail brings them again."""
    if lead.user is None:
        return
    with _logged("notice %s was sent, what it told cannot be remembered", lead.pk):
        mailed_messages.mark_mailed(lead.user, letter.told)


def _not_sent(group: Group, error: Exception, address: str, now: datetime) -> int:
    """Write down why a mail was not sent; return how many notices left. Raises ServerDown."""
    found = (
        ErrorClass("server", str(error)) if isinstance(error, ServerDown) else classify_error(error)
    )
    if found.meaning == "ours":
        return _try_later(group, error, now)
    log.warning("notice %s to %s: %s", group[0].pk, address, found.reason)
    for notice in group:
        notice.failing_since = None
    try:
        left = _answered(group, found, address, now)
    except (OperationalError, InterfaceError) as failure:
        return _try_later(group, failure, now)
    if found.meaning == "server":
        raise ServerDown(found.reason)
    return left


def _answered(group: Group, found: ErrorClass, address: str, now: datetime) -> int:
    """Do what the mail server's answer means; return how many notices left."""
    if found.meaning != "refused":
        return _put_back(group, found.reason, now)
    if found.no_such_address:
        suspend_address(address=address, diagnostic=found.reason, notice=group[0], now=now)
    return _give_up(group, now, reason=found.reason)


def _put_back(group: Group, reason: str, now: datetime) -> int:
    """Let notices wait, each time longer; give them up at last. Return how many were given up."""
    given_up = [notice for notice in group if retries.retry_delay(notice.attempts) is None]
    for notice in group:
        wait = retries.retry_delay(notice.attempts)
        if wait is not None:
            fields = {"state": State.WAITING, "due_at": now + wait, "claimed_at": None}
            if _mark(notice, **fields, reason=reason):
                count_notice(notice, "deferred")
    return _give_up(given_up, now, reason=reason)


def _try_later(group: Group, error: Exception, now: datetime) -> int:
    """Let notices wait after an error of our own, or park them; return how many were parked.

    Raises what the database raises when that cannot be written down.
    """
    log.error("notice %s could not be sent", group[0].pk, exc_info=error)
    drop_broken_connection()
    return sum(_try_one_later(notice, describe_error(error), now) for notice in group)


@transaction.atomic
def _try_one_later(notice: Notice, reason: str, now: datetime) -> bool:
    notice.failing_since = notice.failing_since or now
    wait = retries.retry_delay_after_own_error(notice.failing_since, now)
    if wait is None:
        # Its content is kept: a host may have it tried again.
        fields: dict[str, object] = {"state": State.PARKED}
    else:
        fields = {"state": State.WAITING, "due_at": now + wait}
    if not _mark(notice, claimed_at=None, reason=reason, **fields):
        return False
    count_notice(notice, "retried" if wait else "parked")
    if wait is None:
        _not_told(notice, now)
        return True
    with _logged("notice %s waits, and its clock could not be stopped", notice.pk):
        undelivered_before(now + wait, notice, now)
    return False


@transaction.atomic
def _drop(notice: Notice, reason: SkipReason, now: datetime) -> None:
    """Write down that a notice is not sent; or that it was, if nobody knows better."""
    if notice.unconfirmed_at is not None and not reason.is_undeliverable:
        unconfirmed = SkipReason.UNCONFIRMED
        _finish([notice], State.SENT, unconfirmed, sent_at=notice.unconfirmed_at)
    else:
        _finish([notice], State.DROPPED, reason)
    if reason.is_undeliverable:
        _not_told(notice, now)


@transaction.atomic
def _give_up(group: Group, now: datetime, *, reason: str) -> int:
    left = _finish(group, State.FAILED, reason=reason)
    for notice in group:
        _not_told(notice, now)
    return left


def _not_told(notice: Notice, now: datetime) -> None:
    """Stop the clock of a turn nobody was told of; a broken game must not hold up the next mail.

    Raises what the database raises: all that belongs to it is then tried again.
    """
    with _logged("notice %s did not arrive, and its clock could not be stopped", notice.pk):
        undelivered(notice, now)


@contextmanager
def _logged(said: str, key: int) -> Iterator[None]:
    """Undo and log what fails, but raise what the database raises."""
    try:
        with transaction.atomic():
            yield
    except (OperationalError, InterfaceError):
        raise
    except Exception:
        log.exception(said, key)


def _finish(
    group: Group, state: State, skip_reason: SkipReason | None = None, **fields: object
) -> int:
    """Write down the end of notices; what only they knew (a code) is forgotten."""
    outcome = "together" if skip_reason == SkipReason.TOLD_TOGETHER else state.value
    if skip_reason is not None:
        fields |= skip_reason.as_fields()
    for notice in group:
        if _mark(notice, state=state, claimed_at=None, content={}, **fields):
            count_notice(notice, outcome)
    return len(group)


def _mark(notice: Notice, **fields: object) -> bool:
    """Write to a claimed notice; tell whether it was still ours."""
    known = {name: getattr(notice, name) for name in _COUNTED}
    ours = Notice.objects.filter(pk=notice.pk, state=State.CLAIMED, claimed_at=notice.claimed_at)
    marked = ours.update(**known | fields) > 0
    if not marked:
        log.warning("notice %s was taken up by another worker meanwhile", notice.pk)
    return marked


_COUNTED = ("attempts", "failing_since", "unconfirmed_at")
"""What is written down whenever anything is."""


def _pause_all(now: datetime, reason: str) -> None:
    """Let everything that is due wait: one attempt a while is enough for a server that is down."""
    due = Notice.objects.filter(state=State.WAITING, due_at__lte=now)
    paused = due.update(due_at=now + retries.SERVER_PAUSE, reason=reason)
    log.warning("the mail server does not take mail, %s more notices wait: %s", paused, reason)


def retry(notice_ids: Iterable[int], *, now: datetime) -> int:
    """Let notices that failed or are parked be tried again from the beginning; return how many.

    Of those that failed, account mails, answers and digests are left out: what they said is
    forgotten.
    """
    return retriable(notice_ids).update(
        state=State.WAITING, due_at=now, attempts=0, reason="", skip_reason="", failing_since=None
    )


def retriable(notice_ids: Iterable[int]) -> QuerySet[Notice]:
    """Return those of these notices that were given up or parked and can be written again."""
    forgotten = [kind.kind for kind in all_kinds() if not kind.can_be_sent_again]
    failed = Q(state=State.FAILED) & ~Q(kind__in=forgotten)
    return Notice.objects.filter(failed | Q(state=State.PARKED), pk__in=list(notice_ids))
