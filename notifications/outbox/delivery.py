"""Send what is in the outbox: claim, then send outside any transaction, then record the result.

Notices of one game to one reader are sent as one mail. Several mails share what they read, but each
is claimed just before it is sent, and marked before and after. A worker that dies between claim and
result loses nothing: after CLAIM_TIMEOUT another one claims its one mail, which keeps its
Message-ID. Only what the mail server says is final: after an error of our own (the database, a
template, a bug) a notice is tried again.
"""

import logging
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from datetime import datetime

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Q, QuerySet

from accounts.models import User
from games.services.batches import drop_broken_connection
from notifications.emails.base import InlineImageEmail
from notifications.kinds.base import all_kinds, compose, kind_of
from notifications.models import MailedMessages, Notice, SkipReason
from notifications.models.notice import CLAIM_TIMEOUT
from notifications.outbox.claims import (
    Group,
    claim_group,
    claim_notices,
    read_groups,
    read_together,
)
from notifications.outbox.retries import SERVER_PAUSE, retry_delay, retry_delay_after_own_error
from notifications.outbox.rows import write_if_ours
from notifications.outbox.scheduling import skip_reason, wait_until
from notifications.outbox.smtp import (
    ErrorClass,
    MailConnection,
    ServerDown,
    classify_error,
    describe_error,
)
from notifications.outbox.undelivered import delivered, undelivered, undelivered_before
from notifications.services import shared_reads
from notifications.services.addresses import suspend_address
from notifications.services.metrics import count_notice
from notifications.services.replies import new_replies, new_reply, number_games

__all__ = ["CLAIM_TIMEOUT", "claim_notices", "remember_messages", "retry", "send_due"]

log = logging.getLogger(__name__)

BATCH = 100
"""How many waiting notices, and how many abandoned ones, one call takes up."""

TOGETHER = 100
"""How many notices are taken up together and share their reads."""

FRESH = 5.0
"""Seconds (of real time) after which what was read for several mails is read anew."""

ROUND_TIMEOUT = 60.0
"""Seconds (of real time) after which a call claims no more, so that no claim grows old."""

MARK_WAITS = (1.0, 3.0, 6.0)
"""Seconds before the database is tried again after a mail was sent: a mail that is not marked as
sent would be sent again."""

stopping = threading.Event()
"""Set when this process is to end: the call ends after the current mail."""

State = Notice.State


def send_due(*, now: datetime) -> int:
    """Send the mails that are due over one connection; return how many notices left the outbox.

    An error with one notice does not stop the others. If the mail server does not answer, the call
    ends and everything that is due waits for SERVER_PAUSE. Raises database errors when no result
    can be recorded: the claim then expires.
    """
    until = time.monotonic() + ROUND_TIMEOUT
    waiting = Notice.objects.due(now).order_by("due_at", "pk").values_list("pk", flat=True)
    abandoned = Notice.objects.abandoned(now).order_by("claimed_at").values_list("pk", flat=True)
    keys = [*waiting[:BATCH], *abandoned[:BATCH]]
    done, together = 0, TOGETHER
    with MailConnection() as connection:
        while keys and not stopping.is_set() and time.monotonic() <= until:
            batch, keys = keys[:together], keys[together:]
            try:
                left, again = deliver_together(batch, connection, now, until)
            except ServerDown as down:
                paused = Notice.objects.due(now).update(due_at=now + SERVER_PAUSE, reason=str(down))
                log.warning(
                    "the mail server takes no mail, %s more notices wait: %s", paused, str(down)
                )
                break
            done += left
            keys = [*again, *keys]
            if again == batch:
                together = 1  # what failed for all is tried for each
    return done


def deliver_together(
    keys: Sequence[int], connection: MailConnection, now: datetime, until: float
) -> tuple[int, Sequence[int]]:
    """Send the mails of some notices with shared reads; return how many left, and what remains.

    Those that remain were not begun: the reads are too old or no longer true, or the call must end.
    Raises ServerDown.
    """
    groups = read_groups(keys, now)
    if not groups:
        return 0, []
    begun = done = 0
    told = set[tuple[int | None, int]]()
    try:
        try:
            reads = read_together(groups, now)
        except Exception as error:
            drop_broken_connection()
            if len(groups) > 1:
                log.warning("notices that cannot be sent together go alone", exc_info=error)
                return 0, keys
            return (_try_later(groups[0], error, now) if claim_group(groups[0], now) else 0), []
        until = min(until, time.monotonic() + FRESH)
        with shared_reads.sharing(reads):
            addressed = make_addresses(groups, now) if len(groups) > 1 else frozenset[int]()
            for group in groups:
                if begun and (stopping.is_set() or reads.is_outdated or time.monotonic() > until):
                    break
                if group[0].game_id is not None:
                    pair = (group[0].user_id, group[0].game_id)
                    if pair in told:
                        break  # the mail before may have told this
                    told.add(pair)
                begun += 1
                if claim_group(group, now):
                    wanted, dropped = drop_unwanted(group, now)
                    done += dropped + _deliver(wanted, addressed, connection, now)
    finally:
        drop_broken_connection()
    rest = {notice.pk for group in groups[begun:] for notice in group}
    return done, [key for key in keys if key in rest]


def drop_unwanted(group: Group, now: datetime) -> tuple[list[Notice], int]:
    """Drop what is no longer worth sending; return the rest, and how many notices left."""
    wanted: list[Notice] = []
    done = 0
    for notice in group:
        try:
            if reason := skip_reason(notice):
                _drop(notice, reason, now)
                done += 1
            else:
                wanted.append(notice)
        except Exception as error:
            done += _try_later([notice], error, now)
    return wanted, done


def make_addresses(groups: Iterable[Group], now: datetime) -> Set[int]:
    """Make the reply addresses of new mails that are sent now; return the keys of their notices."""
    try:
        leads = []
        for group in groups:
            if all(may_wait(notice, now) for notice in group):
                continue
            # What is not wanted is dropped when the mail is claimed, and asked again for that.
            lead = next((notice for notice in group if skip_reason(notice) is None), None)
            if lead is not None:
                leads.append((lead, kind_of(lead.kind).reply_purpose_of(lead)))
        return new_replies(leads, now=now)
    except Exception:
        log.warning("reply addresses are made one by one", exc_info=True)
        drop_broken_connection()
        return frozenset()


def may_wait(notice: Notice, now: datetime) -> bool:
    """Return whether a notice may have to wait."""
    # What one player causes is counted when the mails before it have been sent.
    is_counted = kind_of(notice.kind).is_caused_by_players
    return is_counted or wait_until(notice, now=now) is not None


def _deliver(wanted: Group, addressed: Set[int], connection: MailConnection, now: datetime) -> int:
    """Send claimed notices as one mail and record the result; return how many left the outbox.

    Those that are `addressed` have a new reply address, whose token is not saved yet. Raises
    ServerDown if the fault is the server's, not this mail's.
    """
    try:
        waits = [wait_until(notice, now=now) for notice in wanted]
        if all(waits):  # also if nothing is left to send
            for notice, until in zip(wanted, waits, strict=True):
                _mark(notice, state=State.WAITING, claimed_at=None, due_at=until)
            return 0
        lead, *others = wanted
        kind = kind_of(lead.kind)
        if lead.pk in addressed:
            token = str(lead.content["token"])
        else:
            token = new_reply(lead, kind.reply_purpose_of(lead), now=now)
        if numbered := kind.numbered_games(lead):
            number_games(token, numbered)
        email = compose(lead, others, now=now)
        address = kind.address(lead)
        # From here on nobody knows whether the mail was sent, until the result is recorded.
        if not mark_begun(wanted, address, now):
            return 0  # what is still ours is tried again when the claim expires
    except Exception as error:
        return _try_later(wanted, error, now)
    return _send(wanted, email, address, connection, now)


def mark_begun(group: Group, address: str, now: datetime) -> bool:
    """Note that a mail is being sent, with its token; return False if a claim is not ours."""
    lead, *others = group
    begun: dict[str, object] = {"unconfirmed_at": now, "address": address}
    if not others:
        return _mark(lead, content=lead.content, **begun)
    with transaction.atomic():
        ours = [_mark(lead, content=lead.content, **begun)]
        ours += [_mark(notice, **begun) for notice in others]
        transaction.set_rollback(not all(ours))
    return all(ours)


def _drop(notice: Notice, reason: SkipReason, now: datetime) -> None:
    """Record that a notice is not sent; or that it was sent without confirmation."""
    with transaction.atomic():
        if notice.unconfirmed_at is not None and not reason.is_undeliverable:
            fields: dict[str, object] = {"sent_at": notice.unconfirmed_at}
            _finish([notice], State.SENT, SkipReason.UNCONFIRMED, **fields)
        else:
            _finish([notice], State.DROPPED, reason)
        if reason.is_undeliverable:
            _stop_clock(notice, now)


def _send(
    group: Group, email: InlineImageEmail, address: str, connection: MailConnection, now: datetime
) -> int:
    """Send one mail and record the result; return how many notices left. Raises ServerDown."""
    for notice in group:
        notice.attempts += 1
    try:
        connection.send(email)
    except Exception as error:
        if connection.unconfirmed:
            for notice in group:
                notice.unconfirmed_at = now
        return _record_failure(group, error, address, now)
    return _record_sent(group, email, now)


# The result of an attempt ----------------------------------------------------------------------


def _record_sent(group: Group, email: InlineImageEmail, now: datetime) -> int:
    """Record that a mail was sent, and which messages it brought; return how many notices left."""
    lead, *others = group
    for notice in group:
        notice.unconfirmed_at = notice.failing_since = None
    for wait in (*MARK_WAITS, None):
        try:
            if not others and mark_told(lead, email, now):
                break
            with transaction.atomic():
                _finish([lead], State.SENT, sent_at=now, reason="")
                _finish(others, State.DROPPED, SkipReason.TOLD_TOGETHER)
                with _logged("notice %s was sent; its turn could not be resumed", lead.pk):
                    for notice in group:
                        if delivered(notice, now):
                            shared_reads.outdate()
                # If this fails, the next mail brings the same messages again.
                with _logged("notice %s was sent; its messages are not marked as mailed", lead.pk):
                    if lead.user is not None:
                        remember_messages(lead.user, email.newest_messages)
            break
        except (OperationalError, InterfaceError):
            if wait is None:
                raise
            log.warning("notice %s was sent and could not be marked", lead.pk, exc_info=True)
            time.sleep(wait)
            drop_broken_connection()
    return len(group)


def mark_told(notice: Notice, email: InlineImageEmail, now: datetime) -> bool:
    """Record that a mail was sent; return False, with nothing changed, if more depends on that.

    It may be that the clock of a turn must be resumed, or that messages were brought.
    """
    is_of_game = notice.game_id is not None and not kind_of(notice.kind).numbered_games(notice)
    if not is_of_game or email.newest_messages:
        return False
    result = {"state": State.SENT.value, "sent_at": now, "reason": "", "claimed_at": None}
    fields = _counts(notice) | result | {"content": {}}
    is_marked = write_if_ours(notice, fields, if_running=True)
    if is_marked:
        count_notice(notice, State.SENT.value)
    return is_marked


def remember_messages(reader: User, newest: Mapping[int, int]) -> None:
    """Record that a mail brought the messages up to these, by game (keys of both)."""
    for game_id, message_id in newest.items():
        row, is_new = MailedMessages.objects.get_or_create(
            user=reader, game_id=game_id, defaults={"newest": message_id}
        )
        if not is_new:
            older = MailedMessages.objects.filter(pk=row.pk, newest__lt=message_id)
            older.update(newest=message_id)
        shared_reads.note_mailed(reader, game_id, message_id)


def _record_failure(group: Group, error: Exception, address: str, now: datetime) -> int:
    """Record why a mail was not sent; return how many notices left. Raises ServerDown."""
    shared_reads.outdate()
    found = (
        ErrorClass("server", str(error)) if isinstance(error, ServerDown) else classify_error(error)
    )
    if found.meaning == "ours":
        return _try_later(group, error, now)
    log.warning("notice %s to %s: %s", group[0].pk, address, found.reason)
    for notice in group:
        notice.failing_since = None
    try:
        if found.meaning == "refused":
            if found.no_such_address:
                suspend_address(address=address, diagnostic=found.reason, notice=group[0], now=now)
            return _give_up(group, now, reason=found.reason)
        # Each wait is longer than the one before; after the last one the notice is given up.
        given_up = []
        for notice in group:
            wait = retry_delay(notice.attempts)
            if wait is None:
                given_up.append(notice)
                continue
            due_at = now + wait
            if _mark(
                notice, state=State.WAITING, due_at=due_at, claimed_at=None, reason=found.reason
            ):
                count_notice(notice, "deferred")
        left = _give_up(given_up, now, reason=found.reason)
    except (OperationalError, InterfaceError) as failure:
        return _try_later(group, failure, now)
    if found.meaning == "server":
        raise ServerDown(found.reason)
    return left


@transaction.atomic
def _give_up(group: Group, now: datetime, *, reason: str) -> int:
    left = _finish(group, State.FAILED, reason=reason)
    for notice in group:
        _stop_clock(notice, now)
    return left


def _try_later(group: Group, error: Exception, now: datetime) -> int:
    """Let notices wait after an error of our own, or park them; return how many were parked.

    Raises database errors when that cannot be recorded.
    """
    log.error("notice %s could not be sent", group[0].pk, exc_info=error)
    shared_reads.outdate()
    drop_broken_connection()
    reason, parked = describe_error(error), 0
    for notice in group:
        notice.failing_since = notice.failing_since or now
        wait = retry_delay_after_own_error(notice.failing_since, now)
        with transaction.atomic():
            if wait is None:
                # It keeps its content: an administrator can have it tried again.
                if _mark(notice, state=State.PARKED, claimed_at=None, reason=reason):
                    count_notice(notice, "parked")
                    _stop_clock(notice, now)
                    parked += 1
                continue
            due_at = now + wait
            fields = {"claimed_at": None, "reason": reason, "content": notice.content}
            if _mark(notice, state=State.WAITING, due_at=due_at, **fields):
                count_notice(notice, "retried")
                with _logged("notice %s waits, and its clock could not be stopped", notice.pk):
                    undelivered_before(due_at, notice, now)
    return parked


def _stop_clock(notice: Notice, now: datetime) -> None:
    """Stop the clock of a turn that nobody was told of.

    A broken game must not delay the next mail. Raises database errors: then everything that
    belongs to the result is tried again.
    """
    with _logged("notice %s did not arrive, and its clock could not be stopped", notice.pk):
        undelivered(notice, now)


@contextmanager
def _logged(message: str, key: int) -> Iterator[None]:
    """Undo and log what fails, but raise database errors."""
    try:
        with transaction.atomic():
            yield
    except (OperationalError, InterfaceError):
        raise
    except Exception:
        log.exception(message, key)


def _finish(
    group: Group, state: State, skip_reason: SkipReason | None = None, **fields: object
) -> int:
    """Record the final state of notices, and delete their content (a code, for instance)."""
    outcome = "together" if skip_reason == SkipReason.TOLD_TOGETHER else state.value
    if skip_reason is not None:
        fields |= skip_reason.as_fields()
    for notice in group:
        if _mark(notice, state=state, claimed_at=None, content={}, **fields):
            count_notice(notice, outcome)
    return len(group)


def _mark(notice: Notice, **fields: object) -> bool:
    """Write to a claimed notice, if the claim is still ours; return whether it was."""
    is_ours = write_if_ours(notice, _counts(notice) | fields)
    if not is_ours:
        log.warning("another worker has claimed notice %s meanwhile", notice.pk)
    return is_ours


def _counts(notice: Notice) -> dict[str, object]:
    """Return what is written of a notice with every result."""
    return {
        "attempts": notice.attempts,
        "failing_since": notice.failing_since,
        "unconfirmed_at": notice.unconfirmed_at,
    }


# Trying again ----------------------------------------------------------------------------------


def retry(notice_ids: Iterable[int], *, now: datetime) -> int:
    """Send notices that failed or are parked again, from the first attempt; return how many.

    Of those that failed, account mails, answers and digests are left out: their content is deleted.
    """
    return retriable(notice_ids).update(
        state=State.WAITING, due_at=now, attempts=0, reason="", skip_reason="", failing_since=None
    )


def retriable(notice_ids: Iterable[int]) -> QuerySet[Notice]:
    """Return those of these notices that failed or are parked and can be composed again."""
    forgotten = [kind.kind for kind in all_kinds() if not kind.can_be_sent_again]
    failed = Q(state=State.FAILED) & ~Q(kind__in=forgotten)
    return Notice.objects.filter(failed | Q(state=State.PARKED), pk__in=list(notice_ids))
