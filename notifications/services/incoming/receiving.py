"""Takes mail in: every door calls this, and it only keeps the mail. Reading comes later."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q

from games.services import bell
from notifications.models import IncomingMail
from notifications.services.incoming.envelopes import identity_of, message_id_of
from notifications.services.replies import Destination, blotted, destination, with_hash
from notifications.tokens import hidden

MAX_SIZE = 256 * 1024
"""Bytes of a whole mail."""

HOUR = timedelta(hours=1)
LONGEST = 320
"""Characters kept of an address or a Message-ID."""


class NotTaken(Exception):
    """A mail that is not kept; nothing has changed."""


class UnknownRecipient(NotTaken):
    """No such address was ever given out."""


class TooLarge(NotTaken):
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


def is_known(recipient: str) -> bool:
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
        raise TooLarge
    to = destination(recipient)
    reply = with_hash(to.token_hash) if to else None
    if to is None or reply is None:
        raise UnknownRecipient
    raw = blotted(raw, to.token)
    identity = _identity(raw, to)
    if known := identity.known():
        return known
    if _came_lately(to, now) >= settings.MAILS_AN_HOUR:
        raise TooMany
    fields = {
        "raw": raw,
        "reply": reply,
        "box": to.box,
        "door": door,
        "envelope_from": hidden(envelope_from)[:LONGEST],
        "received_at": now,
    }
    return _kept(identity, fields)


def _kept(identity: _Identity, fields: dict[str, object]) -> IncomingMail:
    try:
        with transaction.atomic():
            mail = IncomingMail.objects.create(**vars(identity), **fields)
    except IntegrityError:
        # The same mail came through another door at this very moment.
        if known := identity.known():
            return known
        raise
    bell.ring("mails")
    return mail


def _identity(raw: bytes, to: Destination) -> _Identity:
    message_id = hidden(message_id_of(raw))[:LONGEST]
    return _Identity(to.token_hash, message_id, sha256(identity_of(raw)).hexdigest())


def _came_lately(to: Destination, now: datetime) -> int:
    lately = IncomingMail.objects.filter(token_hash=to.token_hash, received_at__gt=now - HOUR)
    return lately.count()
