"""Processes the mails that came in, one after the other: claim, classify, then act and mark.

What a mail causes and that it is done are one transaction, so a processor that dies has done
nothing. Its claim is taken over after CLAIM_TIMEOUT. After an error of our own (the database, a
bug) a mail is processed again, each time later, and parked after a day.
"""

import logging
import traceback
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db import transaction
from django.db.models import F

from accounts.addresses import normal_or_none
from accounts.models import User
from games import errors
from games.services.batches import drop_broken_connection
from games.services.clock.undelivered_turns import record_contact
from games.services.site_status import is_closed
from notifications.incoming.bounces import handle_bounce, handle_complaint
from notifications.incoming.classify import Decision, Treatment, decide
from notifications.incoming.results import MailResult
from notifications.kinds.account.kind import KIND
from notifications.mail_commands import dispatch
from notifications.mail_parser import ParsedMail
from notifications.models import AccountMailCount, ErrorReply, IncomingMail, ReplyAddress
from notifications.outbox.retries import retry_delay_after_own_error
from notifications.services.account import write_account_notice
from notifications.services.addresses import is_address_suspended, resume_address
from notifications.services.metrics import count_mail
from notifications.services.replies import new_play_reply
from notifications.tokens import redact_tokens

log = logging.getLogger(__name__)

BATCH = 100
"""Mails that one call processes."""

MOST_ATTEMPTS = 5
"""A mail whose processor died this many times is parked."""

LONGEST_ERROR = 8000

State = IncomingMail.State

NOT_FAILING: dict[str, Any] = {"due_at": None, "failing_since": None}


class _TakenOver(Exception):
    """Another processor has claimed the mail meanwhile: nothing of ours may be kept."""


@dataclass(frozen=True)
class ProcessingResult:
    """What became of a mail, as the fields of its row."""

    state: str
    result: str
    error: str = ""
    user: User | None = None


def process_due(*, now: datetime) -> int:
    """Process the mails that wait, oldest first; return how many were settled.

    Whatever happens to one mail, the next is processed. Safe in any number of processes. While the
    site is closed for maintenance all mails wait; a turn counts from when it came in.
    """
    if is_closed():
        return 0
    abandoned = IncomingMail.objects.abandoned(now).order_by("claimed_at")[:BATCH]
    due = IncomingMail.objects.due(now).order_by("received_at", "pk")[:BATCH]
    keys = [*abandoned.values_list("pk", flat=True), *due.values_list("pk", flat=True)]
    return sum(process(pk, now) for pk in keys)


def process(pk: int, now: datetime) -> bool:
    """Process one mail; return whether it is settled (or parked) now."""
    mail = claim(pk, now)
    if mail is None:
        return False
    if mail.attempts > MOST_ATTEMPTS:
        return _park(mail, f"broke off {MOST_ATTEMPTS} times", now)
    ours = IncomingMail.objects.filter(pk=pk, state=State.CLAIMED, claimed_at=mail.claimed_at)
    # What fails with an exception was no attempt: those count processors that died.
    released = {"state": State.WAITING, "claimed_at": None, "attempts": mail.attempts - 1}
    try:
        settle(mail, now)
    except _TakenOver:
        log.warning("mail %s was claimed by another processor meanwhile", pk)
    except errors.ClosedForMaintenance:
        ours.update(**released)  # it waits until the site opens
    except Exception:
        log.exception("mail %s could not be processed", pk)
        error = traceback.format_exc()
        drop_broken_connection()
        since = mail.failing_since or now
        delay = retry_delay_after_own_error(since, now)
        if delay is None:
            return _park(mail, error, now)
        shown = redact_tokens(error)[-LONGEST_ERROR:]
        ours.update(**released, due_at=now + delay, failing_since=since, error=shown)
    else:
        return True
    return False


@transaction.atomic
def claim(pk: int, now: datetime) -> IncomingMail | None:
    """Claim a mail by compare-and-set; return None if another processor has it."""
    free = IncomingMail.objects.due(now) | IncomingMail.objects.abandoned(now)
    fields = {"state": State.CLAIMED, "claimed_at": now, "attempts": F("attempts") + 1}
    if not free.filter(pk=pk).update(**fields):
        return None
    loaded = IncomingMail.objects.select_related(
        "reply__user", "reply__game", "reply__notice", "reply__invitation__game", "reply__puzzle"
    )
    return loaded.get(pk=pk)


def settle(mail: IncomingMail, now: datetime) -> None:
    """Decide what a claimed mail is; act on that and mark it as processed in one transaction."""
    decision = decide(mail)
    mail.sender = decision.sender
    with transaction.atomic():
        mark_processed(mail, act_on(decision, mail, now), now)


def act_on(decision: Decision, incoming: IncomingMail, now: datetime) -> ProcessingResult:
    """Do what was decided about a mail; return what became of it."""
    mail, reply = decision.mail, incoming.reply
    if mail is None:
        return ProcessingResult(State.PARKED, decision.result, decision.error)
    if decision.treatment in (Treatment.BOUNCE, Treatment.COMPLAINT):
        return act_on_report(mail, reply, now)
    if decision.player is not None:
        reply = incoming.reply = new_play_reply(decision.player, now=now)
        IncomingMail.objects.filter(pk=incoming.pk).update(reply=reply)
    if reply is None or decision.treatment == Treatment.IGNORE:
        return ProcessingResult(State.IGNORED, decision.result)
    if decision.treatment == Treatment.HOLD:
        address = normal_or_none(mail.senders[0]) if len(mail.senders) == 1 else None
        if decision.told_why and address is not None:
            answer_stranger(
                address=address,
                reason=decision.told_why,
                language=reply.language,
                in_reply_to=mail.message_id,
                now=now,
            )
        return ProcessingResult(State.HELD, decision.result, decision.error)
    if reply.user is not None:
        record_contact(reply.user, now=incoming.received_at)
        for sender in mail.senders:  # an address that writes to us works
            resume_address(address=sender, now=now)
    answer = dispatch.execute(
        mail,
        reply,
        received_at=incoming.received_at,
        now=now,
        at_play_address=decision.player is not None,
    )
    if answer.result == MailResult.UNANSWERED:
        return ProcessingResult(State.IGNORED, answer.result, user=reply.user)
    user = reply.user if answer.notice is None else answer.notice.user
    return ProcessingResult(State.DONE, answer.result, user=user)


def act_on_report(mail: ParsedMail, reply: ReplyAddress | None, now: datetime) -> ProcessingResult:
    """Act on what a mail server says of a mail of ours: it came back, or was marked as spam."""
    if mail.complaint is not None:
        is_known = handle_complaint(mail.complaint, now=now)
        return ProcessingResult(State.DONE if is_known else State.IGNORED, MailResult.COMPLAINT)
    assert mail.bounce is not None and reply is not None  # noqa: S101, PT018  (a bounce has both)
    result = handle_bounce(mail.bounce, reply, now=now)
    state = State.IGNORED if result == MailResult.STILL_TRYING else State.DONE
    return ProcessingResult(state, result, redact_tokens(mail.bounce.diagnostic), reply.user)


def answer_stranger(
    *, address: str, reason: str, language: str, now: datetime, in_reply_to: str = ""
) -> bool:
    """Write to the sender of a held mail, once a day; return whether that was done.

    The answer does not say whose reply address it was. `reason` is STRANGER or
    UNCONFIRMED; `in_reply_to` is the Message-ID of their mail.
    """
    today = now.astimezone(UTC).date()
    _, is_first = ErrorReply.objects.get_or_create(
        address=address, reason=reason, answered_on=today
    )
    if not is_first or is_address_suspended(address):
        return False
    notice = write_account_notice(
        template_prefix=KIND.template(reason),
        address=address,
        reader=None,
        language=language,
        context={},
        in_reply_to=in_reply_to,
        group=AccountMailCount.Group.REQUESTED,
        now=now,
    )
    return notice is not None


def mark_processed(mail: IncomingMail, result: ProcessingResult, now: datetime) -> None:
    """Write down what became of a claimed mail. Raises _TakenOver if the claim is lost."""
    ours = IncomingMail.objects.filter(
        pk=mail.pk, state=State.CLAIMED, claimed_at=mail.claimed_at, attempts=mail.attempts
    )
    fields = {"sender": mail.sender, "processed_at": now, "claimed_at": None, **vars(result)}
    if not ours.update(**fields, **NOT_FAILING):
        raise _TakenOver
    count_mail(mail, result.state, result.result)


def _park(mail: IncomingMail, error: str, now: datetime) -> bool:
    """Put a mail aside for an administrator; return whether it was still ours."""
    shown = redact_tokens(error)[-LONGEST_ERROR:]
    try:
        mark_processed(mail, ProcessingResult(State.PARKED, MailResult.ERROR, shown), now)
    except _TakenOver:
        return False
    return True
