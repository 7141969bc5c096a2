"""What a mail that came in is, and what is to be done about it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from django.conf import settings

from accounts.models import User
from games.services.time.freezes import contact
from notifications.models import IncomingMail, ReplyAddress
from notifications.reading import AWAY, Bounce, Mail, Unreadable, read
from notifications.services import acting
from notifications.services.incoming.error_answers import answer_stranger
from notifications.services.incoming.returns import STILL_TRYING, came_back
from notifications.services.incoming.senders import is_from_its_person, why_ignored
from notifications.tokens import hidden

State = IncomingMail.State

STRANGER = "stranger"
"""From an address that is not verified as the player's."""


LONGEST_SENDER, LONGEST_RESULT = 320, 40


@dataclass(frozen=True)
class Outcome:
    """What became of a mail, as the fields of its row."""

    state: str
    result: str
    error: str = ""
    user: User | None = None


@dataclass(frozen=True)
class Ruling:
    """What is to be done about a mail from `sender`.

    `carry_out`, called within one transaction, does it and returns what became of the mail.
    """

    sender: str
    carry_out: Callable[[datetime], Outcome]


def judge(taken: IncomingMail) -> Ruling:
    """Read a mail and return what is to be done; nothing is done yet."""
    try:
        mail = read(
            bytes(taken.raw), domain=settings.MAIL_DOMAIN, envelope_from=_envelope_from(taken)
        )
    except Unreadable as error:
        return _settled(State.PARKED, error.reason, error=f"cannot be read: {error.reason}")
    sender = ", ".join(mail.senders)[:LONGEST_SENDER]
    if taken.reply is None:
        return _settled(State.IGNORED, "forgotten-address", sender=sender)
    return Ruling(sender, _about(mail, taken, taken.reply))


def _envelope_from(taken: IncomingMail) -> str | None:
    """Return the envelope's sender; None where the door may not have been told."""
    known = taken.envelope_from or taken.door == IncomingMail.Door.SMTP
    return taken.envelope_from if known else None


def _settled(state: str, result: str, *, error: str = "", sender: str = "") -> Ruling:
    return Ruling(sender, _mere(state, result, error))


def _mere(state: str, result: str, error: str = "") -> Callable[[datetime], Outcome]:
    """Return what does nothing but to say what the mail is."""
    return lambda now: Outcome(state, result[:LONGEST_RESULT], error)


def _about(mail: Mail, taken: IncomingMail, reply: ReplyAddress) -> Callable[[datetime], Outcome]:
    if mail.bounce is not None:
        return partial(_returned, mail.bounce, reply)
    if taken.box == IncomingMail.Box.BOUNCE:
        return _mere(State.IGNORED, "no-bounce")
    reason = why_ignored(mail)
    if reason == AWAY and acting.begins_with_turn(mail, reply.game):
        reason = ""
    if reason:
        return _mere(State.IGNORED, reason)
    if reply.purpose == ReplyAddress.Purpose.NOTHING:
        return _mere(State.IGNORED, "nothing-to-answer")
    if not is_from_its_person(mail, reply):
        return partial(_held, mail, reply)
    return partial(_acted, mail, taken, reply)


def _returned(bounce: Bounce, reply: ReplyAddress, now: datetime) -> Outcome:
    result = came_back(bounce, reply, now=now)
    state = State.IGNORED if result == STILL_TRYING else State.DONE
    return Outcome(state, result, hidden(bounce.diagnostic), reply.user)


def _held(mail: Mail, reply: ReplyAddress, now: datetime) -> Outcome:
    """Keep a stranger's mail; tell them once a day, if it is plain who they are."""
    if len(mail.senders) == 1:
        address = mail.senders[0]
        answer_stranger(
            address=address,
            reason=STRANGER,
            language=reply.language,
            in_reply_to=mail.message_id,
            now=now,
        )
    return Outcome(State.HELD, STRANGER)


def _acted(mail: Mail, taken: IncomingMail, reply: ReplyAddress, now: datetime) -> Outcome:
    if reply.user is not None:
        contact(reply.user, now=taken.received_at)
    answer = acting.act(mail, reply, received_at=taken.received_at, now=now)
    if answer.notice is None:
        return Outcome(State.IGNORED, answer.result, user=reply.user)
    return Outcome(State.DONE, answer.result, user=answer.notice.user)
