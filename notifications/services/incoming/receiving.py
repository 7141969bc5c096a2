"""Takes mail in: every door calls this, and it only keeps the mail. Reading comes later."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q

from games.services import wakeups
from notifications.models import IncomingMail, ReplyAddress
from notifications.services.incoming.raw_headers import identity_of, message_id_of
from notifications.services.replies import Destination, destination, redact_token, with_hash
from notifications.tokens import redact_tokens

MAX_SIZE = 256 * 1024
"""Bytes of a whole mail."""

HOUR = timedelta(hours=1)
LONGEST = 320
"""Characters kept of an address or a Message-ID."""


class NotTaken(Exception):
    """A mail that is not kept; nothing has changed."""


class UnknownRecipient(NotTaken):
    """No such address was ever given out."""


class MailTooLarge(NotTaken):
    """More than MAX_SIZE bytes."""


class TooMany(NotTaken):
    """So many mails came to this address lately that this one must come again later."""


@dataclass(frozen=True)
class _Identity:
    token_hash: str
    message_id: str
    digest: str

    def known(self) -> IncomingMail | None:
        """Return the same mail if it has come before."""
        same = Q(digest=self.digest)
        if self.message_id:
            same |= Q(message_id=self.message_id)
        return IncomingMail.objects.filter(same, token_hash=self.token_hash).first()


def is_known_recipient(recipient: str) -> bool:
    """Tell whether this is an address that we gave out."""
    to = destination(recipient)
    return to is not None and with_hash(to.token_hash) is not None


@transaction.atomic
def receive(
    raw: bytes, *, recipient: str, envelope_from: str, door: str, now: datetime
) -> IncomingMail:
    """Keep a mail that came in; once this is committed it cannot be lost.

    A mail that has come before (by its Message-ID or by what was written) is returned as it is
    known. Raises UnknownRecipient, TooLarge, TooMany.
    """
    if len(raw) > MAX_SIZE:
        raise MailTooLarge
    to = destination(recipient)
    reply = with_hash(to.token_hash) if to else None
    if to is None or reply is None:
        raise UnknownRecipient
    raw = redact_token(raw, to.token)
    identity = _identity(raw, to)
    _lock(reply)
    if known := identity.known():
        return known
    if _came_lately(to, now) >= settings.MAILS_AN_HOUR:
        raise TooMany
    fields = {
        "raw": raw,
        "reply": reply,
        "box": to.box,
        "door": door,
        "envelope_from": _text(envelope_from),
        "received_at": now,
    }
    return _kept(identity, fields)


def _lock(reply: ReplyAddress) -> None:
    """Let other mails to this address wait until the transaction ends: they are counted."""
    ReplyAddress.objects.select_for_update(no_key=True).filter(pk=reply.pk).first()


def _kept(identity: _Identity, fields: dict[str, object]) -> IncomingMail:
    try:
        with transaction.atomic():
            mail = IncomingMail.objects.create(**vars(identity), **fields)
    except IntegrityError:
        # The same mail came through another door at this very moment.
        if known := identity.known():
            return known
        raise
    wakeups.notify_workers("mails")
    return mail


def _identity(raw: bytes, to: Destination) -> _Identity:
    message_id = _text(message_id_of(raw))
    return _Identity(to.token_hash, message_id, sha256(identity_of(raw)).hexdigest())


def _text(value: str) -> str:
    """Return what a sender wrote as it can be kept: PostgreSQL keeps no NUL."""
    return redact_tokens(value.replace("\0", ""))[:LONGEST]


def _came_lately(to: Destination, now: datetime) -> int:
    lately = IncomingMail.objects.filter(token_hash=to.token_hash, received_at__gt=now - HOUR)
    return lately.count()
