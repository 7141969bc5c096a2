"""What a mail that came in is, and what is to be done about it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from django.conf import settings

from accounts.addresses import normal_or_none
from accounts.models import User
from games.services.clock.undelivered_turns import record_contact
from notifications.mail_parser import AWAY, Bounce, ParsedMail, UnreadableMail, parse
from notifications.models import IncomingMail, ReplyAddress
from notifications.services import mail_commands
from notifications.services.incoming.bounce_handling import STILL_TRYING, handle_bounce
from notifications.services.incoming.error_replies import answer_stranger
from notifications.services.incoming.senders import (
    UNCONFIRMED,
    is_from_its_person,
    why_ignored,
    why_not_authentic,
    with_normal_senders,
)
from notifications.tokens import redact_tokens

State = IncomingMail.State

STRANGER = "stranger"
"""From an address that is not verified as the player's."""


LONGEST_SENDER, LONGEST_RESULT, LONGEST_ERROR = 320, 40, 1000


@dataclass(frozen=True)
class ProcessingResult:
    """What became of a mail, as the fields of its row."""

    state: str
    result: str
    error: str = ""
    user: User | None = None


@dataclass(frozen=True)
class Decision:
    """What is to be done about a mail from `sender`.

    `carry_out`, called within one transaction, does it and returns what became of the mail.
    """

    sender: str
    carry_out: Callable[[datetime], ProcessingResult]


def decide(taken: IncomingMail) -> Decision:
    """Read a mail and return what is to be done; nothing is done yet."""
    try:
        mail = with_normal_senders(
            parse(
                bytes(taken.raw), domain=settings.MAIL_DOMAIN, envelope_from=_envelope_from(taken)
            )
        )
    except UnreadableMail as error:
        return _settled(State.PARKED, error.reason, error=f"cannot be read: {error.reason}")
    sender = ", ".join(mail.senders)[:LONGEST_SENDER]
    if taken.reply is None:
        return _settled(State.IGNORED, "forgotten-address", sender=sender)
    return Decision(sender, _about(mail, taken, taken.reply))


def _envelope_from(taken: IncomingMail) -> str | None:
    """Return the envelope's sender; None where the door may not have been told."""
    known = taken.envelope_from or taken.door == IncomingMail.Door.SMTP
    return taken.envelope_from if known else None


def _settled(state: str, result: str, *, error: str = "", sender: str = "") -> Decision:
    return Decision(sender, _mere(state, result, error))


def _mere(state: str, result: str, error: str = "") -> Callable[[datetime], ProcessingResult]:
    """Return what does nothing but to say what the mail is."""
    return lambda now: ProcessingResult(state, result[:LONGEST_RESULT], error)


def _about(
    mail: ParsedMail, taken: IncomingMail, reply: ReplyAddress
) -> Callable[[datetime], ProcessingResult]:
    if mail.bounce is not None:
        return partial(_returned, mail.bounce, reply)
    if taken.box == IncomingMail.Box.BOUNCE:
        return _mere(State.IGNORED, "no-bounce")
    reason = why_ignored(mail)
    if reason == AWAY and mail_commands.begins_with_turn(mail, reply.game):
        reason = ""
    if reason:
        return _mere(State.IGNORED, reason)
    if reply.purpose == ReplyAddress.Purpose.NOTHING:
        return _mere(State.IGNORED, "nothing-to-answer")
    return _decide_on_answer(mail, taken, reply)


def _decide_on_answer(
    mail: ParsedMail, taken: IncomingMail, reply: ReplyAddress
) -> Callable[[datetime], ProcessingResult]:
    """Return what is to be done about an answer that a person seems to have written."""
    result, found = why_not_authentic(mail)
    if result:
        return partial(_hold_unconfirmed, mail, reply, result, found)
    if not is_from_its_person(mail, reply):
        return partial(_held, mail, reply)
    return partial(_acted, mail, taken, reply)


def _returned(bounce: Bounce, reply: ReplyAddress, now: datetime) -> ProcessingResult:
    result = handle_bounce(bounce, reply, now=now)
    state = State.IGNORED if result == STILL_TRYING else State.DONE
    return ProcessingResult(state, result, redact_tokens(bounce.diagnostic), reply.user)


def _held(mail: ParsedMail, reply: ReplyAddress, now: datetime) -> ProcessingResult:
    """Keep a stranger's mail; tell them once a day, if it is plain who they are."""
    _answer_sender(mail, reply, STRANGER, now)
    return ProcessingResult(State.HELD, STRANGER)


def _hold_unconfirmed(
    mail: ParsedMail, reply: ReplyAddress, result: str, found: str, now: datetime
) -> ProcessingResult:
    """Hold a mail whose sender may be forged.

    Only the person whose reply address it came to is told, once a day: a player whose provider
    does not sign would lose on time without a word. Anybody else may never have written.
    """
    if is_from_its_person(mail, reply):
        _answer_sender(mail, reply, UNCONFIRMED, now)
    return ProcessingResult(State.HELD, result, redact_tokens(found)[:LONGEST_ERROR])


def _answer_sender(mail: ParsedMail, reply: ReplyAddress, reason: str, now: datetime) -> None:
    address = normal_or_none(mail.senders[0]) if len(mail.senders) == 1 else None
    if address is not None:
        answer_stranger(
            address=address,
            reason=reason,
            language=reply.language,
            in_reply_to=mail.message_id,
            now=now,
        )


def _acted(
    mail: ParsedMail, taken: IncomingMail, reply: ReplyAddress, now: datetime
) -> ProcessingResult:
    if reply.user is not None:
        record_contact(reply.user, now=taken.received_at)
    answer = mail_commands.execute(mail, reply, received_at=taken.received_at, now=now)
    if answer.notice is None:
        return ProcessingResult(State.IGNORED, answer.result, user=reply.user)
    return ProcessingResult(State.DONE, answer.result, user=answer.notice.user)
