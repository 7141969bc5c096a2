"""Parses a mail that came in and decides what to do about it. Nothing is changed here."""

from dataclasses import dataclass, replace
from email.utils import parseaddr
from enum import Enum

from allauth.account.models import EmailAddress
from django.conf import settings

from accounts.addresses import normal_or_none
from accounts.models import User
from notifications.incoming.receiving import header_values
from notifications.incoming.results import MailResult
from notifications.mail_commands.turn_text import begins_with_turn
from notifications.mail_parser import (
    AWAY,
    Authentication,
    ParsedMail,
    UnreadableMail,
    Verdict,
    authenticate,
    parse,
)
from notifications.models import IncomingMail, ReplyAddress
from notifications.services.replies import destination, hash_of
from notifications.tokens import redact_tokens

LONGEST_SENDER, LONGEST_RESULT, LONGEST_ERROR = 320, 40, 1000


class Treatment(Enum):
    """What to do about a mail."""

    PARK = "cannot be parsed: an administrator has to look at it"
    IGNORE = "no person wrote it, or there is nothing to answer"
    BOUNCE = "a mail of ours came back"
    COMPLAINT = "a reader marked a mail of ours as spam"
    HOLD = "not known to be from the player"
    EXECUTE = "execute the commands in it"


@dataclass(frozen=True)
class Decision:
    """What to do about a mail, and why.

    `mail` is None if it cannot be parsed. `result` and `error` are what the row of an ignored, held
    or parked mail says. `told_why` is the reason that the sender of a held
    mail is told, if any; `player` is who wrote to the fixed address.
    """

    treatment: Treatment
    mail: ParsedMail | None
    result: str = ""
    error: str = ""
    told_why: str = ""
    player: User | None = None

    @property
    def sender(self) -> str:
        """All senders of the mail, as its row says."""
        return ", ".join(self.mail.senders)[:LONGEST_SENDER] if self.mail else ""


def decide(incoming: IncomingMail) -> Decision:  # noqa: PLR0911 (one for each treatment)
    """Parse a mail and return what to do about it."""
    # Only SMTP tells for sure that the envelope's sender is empty.
    has_envelope = incoming.envelope_from or incoming.door == IncomingMail.Door.SMTP
    try:
        mail = parse(
            bytes(incoming.raw),
            domain=settings.MAIL_DOMAIN,
            envelope_from=incoming.envelope_from if has_envelope else None,
        )
    except UnreadableMail as error:
        reason = error.reason
        return Decision(Treatment.PARK, None, reason, error=f"cannot be read: {reason}")
    # An address without a normal form never equals one that is stored.
    mail = replace(mail, senders=tuple(normal_or_none(one) or one for one in mail.senders))
    if mail.complaint is not None:
        return Decision(Treatment.COMPLAINT, mail)
    reply = incoming.reply
    if reply is None and incoming.token_hash == hash_of(settings.PLAY_ADDRESS):
        return decide_at_play_address(mail)
    if reply is None:
        ignored: str = MailResult.FORGOTTEN_ADDRESS
    elif mail.bounce is not None and is_report(incoming):
        return Decision(Treatment.BOUNCE, mail)
    else:
        ignored = _ignore_reason(mail, incoming, reply)
    if reply is None or ignored:
        return Decision(Treatment.IGNORE, mail, ignored[:LONGEST_RESULT])

    is_from_player = is_from_owner(mail, reply)
    if settings.AUTHSERV_IDS:
        found = check_authentication(mail)
        if found.verdict != Verdict.PASS:
            # Anybody may have written it. Only the player is told: one whose provider does not
            # sign would otherwise lose on time without a word.
            is_missing = found.verdict == Verdict.MISSING
            return Decision(
                Treatment.HOLD,
                mail,
                MailResult.UNCHECKED if is_missing else MailResult.UNCONFIRMED,
                error=redact_tokens(", ".join(found.results))[:LONGEST_ERROR],
                told_why=MailResult.UNCONFIRMED if is_from_player else "",
            )
    if not is_from_player:
        return Decision(Treatment.HOLD, mail, MailResult.STRANGER, told_why=MailResult.STRANGER)
    return Decision(Treatment.EXECUTE, mail)


def decide_at_play_address(mail: ParsedMail) -> Decision:
    """Decide about a mail to the fixed address: it is obeyed or dropped, never answered with why.

    Only the host's mail server tells whose it is; an answer to a forged sender would go to somebody
    who wrote nothing.
    """
    if mail.automatic or mail.bounce is not None:
        return Decision(Treatment.IGNORE, mail, (mail.automatic or "bounce")[:LONGEST_RESULT])
    if not settings.AUTHSERV_IDS or check_authentication(mail).verdict != Verdict.PASS:
        return Decision(Treatment.IGNORE, mail, MailResult.UNCONFIRMED)
    verified = EmailAddress.objects.filter(email__in=mail.senders, verified=True)
    users = User.objects.filter(pk__in=verified.values("user"), is_active=True, is_bot=False)
    if len(mail.senders) != 1 or users.count() != 1:
        return Decision(Treatment.IGNORE, mail, MailResult.STRANGER)
    return Decision(Treatment.EXECUTE, mail, player=users.get())


def is_report(incoming: IncomingMail) -> bool:
    """Tell whether a mail that says it is a bounce came where and how only mail servers send it.

    They write to the address for bounces, with an empty envelope sender (RFC 5321, 6.1).
    """
    if incoming.box != IncomingMail.Box.BOUNCE or incoming.envelope_from:
        return False
    if incoming.door == IncomingMail.Door.SMTP:
        return True
    paths = header_values(bytes(incoming.raw), "Return-Path")
    return not paths or paths[0].strip() == "<>"


def _ignore_reason(mail: ParsedMail, incoming: IncomingMail, reply: ReplyAddress) -> str:
    """Return why there is nothing to execute, as a slug, or nothing."""
    if incoming.box == IncomingMail.Box.BOUNCE or mail.bounce is not None:
        return MailResult.NO_BOUNCE
    if mail.automatic == AWAY and begins_with_turn(mail.lines, reply.game):
        pass  # a person who is about to leave
    elif mail.automatic:
        return mail.automatic
    else:
        our_sender = normal_or_none(parseaddr(settings.DEFAULT_FROM_EMAIL)[1])
        if any(one == our_sender or destination(one) is not None for one in mail.senders):
            return MailResult.OWN
    if reply.purpose == ReplyAddress.Purpose.NOTHING:
        return MailResult.NOTHING_TO_ANSWER
    return ""


def is_from_owner(mail: ParsedMail, reply: ReplyAddress) -> bool:
    """Tell whether every sender is a verified address of the person who may answer."""
    senders = set(mail.senders)
    if reply.user is None:
        return senders == {reply.address}
    if not senders or not reply.user.is_active:
        return False
    verified = EmailAddress.objects.filter(user=reply.user, verified=True)
    return senders <= set(verified.values_list("email", flat=True))


def check_authentication(mail: ParsedMail) -> Authentication:
    """Return what the mail server named by settings.AUTHSERV_IDS says about the sender."""
    return authenticate(mail, settings.AUTHSERV_IDS, every_header=settings.AUTHSERV_EVERY_HEADER)
