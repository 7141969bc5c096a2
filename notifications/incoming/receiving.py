"""Keeps the mails that come in. Every way in calls `receive`; they are processed later."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from hashlib import sha256

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q

from games import wakeups
from games.models import Game, LadderChallenge
from games.services.clock.game_clock import mover
from notifications.mail_parser.attachments import without_attachments
from notifications.models import IncomingMail, ReplyAddress
from notifications.services.replies import destination, is_play_address, redact_raw, with_hash
from notifications.tokens import redact_tokens

MAX_SIZE = 10 * 1024 * 1024
"""Bytes of a whole mail that is taken. Its attachments are not kept."""

MOST_AT_PLAY_ADDRESS = 2000
"""Mails of all senders together that the fixed address takes in an hour."""

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


def is_known_recipient(recipient: str) -> bool:
    """Tell whether this is an address that we gave out."""
    to = destination(recipient)
    if to is None:
        return False
    return is_play_address(recipient) or with_hash(to.token_hash, to.box) is not None


def first_known_recipient(recipients: Iterable[str]) -> str:
    """Return the first of these addresses that we gave out, or nothing."""
    return next(filter(is_known_recipient, recipients), "")


@transaction.atomic
def receive(
    raw: bytes, *, recipient: str, envelope_from: str, door: str, now: datetime
) -> IncomingMail:
    """Keep a mail that came in, without attachments; once this is committed it cannot be lost.

    If the same mail has come before (by its Message-ID or by what was written), returns that one.
    Raises UnknownRecipient, MailTooLarge, TooMany.
    """
    if len(raw) > MAX_SIZE:
        raise MailTooLarge
    to = destination(recipient)
    reply = with_hash(to.token_hash, to.box) if to else None
    if to is None or (reply is None and not is_play_address(recipient)):
        raise UnknownRecipient
    raw = redact_raw(without_attachments(raw), to.token)
    message_id = _storable(message_id_of(raw))
    digest = sha256(identity_of(raw)).hexdigest()
    # Other mails to this address wait until the transaction ends: they are counted.
    if reply is not None:
        ReplyAddress.objects.select_for_update(no_key=True).filter(pk=reply.pk).first()
    to_address = IncomingMail.objects.filter(token_hash=to.token_hash)
    same = Q(digest=digest) | Q(message_id=message_id) if message_id else Q(digest=digest)
    if known := to_address.filter(same).first():
        return known
    lately = to_address.filter(received_at__gt=now - HOUR)
    if reply is None:
        # Anybody can write there: nobody may use up what another may send.
        if lately.count() >= MOST_AT_PLAY_ADDRESS:
            raise TooMany
        lately = lately.filter(envelope_from=_storable(envelope_from))
    if lately.count() >= settings.MAILS_AN_HOUR:
        raise TooMany
    try:
        with transaction.atomic():
            mail = IncomingMail.objects.create(
                token_hash=to.token_hash,
                message_id=message_id,
                digest=digest,
                raw=raw,
                reply=reply,
                box=to.box,
                door=door,
                envelope_from=_storable(envelope_from),
                received_at=now,
            )
    except IntegrityError:
        # The same mail came in another way at this very moment.
        if known := to_address.filter(same).first():
            return known
        raise
    wakeups.notify_workers("mails")
    return mail


def _storable(value: str) -> str:
    """Return what a sender wrote as it can be stored: PostgreSQL stores no NUL."""
    return redact_tokens(value.replace("\0", ""))[:LONGEST]


def has_unread_mail(game: Game) -> bool:
    """Tell whether a player sent a mail before the deadline that is not processed yet.

    Any mail of the player to move counts: one answer to a digest may be about many games, and a
    vacation about all. Of the others one about this game counts: they may accept a pause.
    """
    ours = Q(reply__game=game) | Q(reply__purpose=ReplyAddress.Purpose.DIGEST)
    others = Q(reply__user__in=game.seats.values("user")) & ours
    mails = IncomingMail.objects.unprocessed().filter(Q(reply__user=mover(game)) | others)
    return mails.filter(received_at__lte=game.deadline).exists()


def with_unread_mail(games: Sequence[Game]) -> set[int]:
    """Return the keys of those of many games of whose players any mail is not processed yet.

    That is more than `has_unread_mail` asks of each.
    """
    seated = {game.pk: {seat.user_id for seat in game.seats.all()} for game in games}
    users = {user for seats in seated.values() for user in seats}
    mails = IncomingMail.objects.unprocessed().filter(reply__user__in=users)
    writers = set(mails.values_list("reply__user", flat=True))
    return {key for key, seats in seated.items() if seats & writers}


def has_unread_answer(table: Game) -> bool:
    """Tell whether somebody who is invited answered before the table expires, not processed yet."""
    invited = table.invitations.open().filter(user__isnull=False).values("user")
    of_digest = Q(reply__purpose=ReplyAddress.Purpose.DIGEST, reply__user__in=invited)
    answers = IncomingMail.objects.unprocessed().filter(Q(reply__game=table) | of_digest)
    return answers.filter(received_at__lte=table.expires_at).exists()


def has_unread_ladder_answer(challenge: LadderChallenge) -> bool:
    """Tell whether the challenged of a ladder sent any mail in time that is not processed yet."""
    mails = IncomingMail.objects.unprocessed().filter(reply__user=challenge.challenged_id)
    return mails.filter(received_at__lte=challenge.due_at).exists()


# Headers of a raw mail --------------------------------------------------------------------------
#
# Python's own parser is not used: a mail of a few kilobytes can make it hang.

LONGEST_HEADERS = 64 * 1024
"""Bytes of headers that are read."""

MOST_RECIPIENTS = 50
"""Addresses of a mail that are looked up."""

_HEADERS_END = re.compile(rb"\r?\n\r?\n")
_WRITTEN_BY_SENDER = (b"from", b"date", b"subject")
_ADDRESS = re.compile(r"[\w.+-]{1,64}@[\w.-]{1,255}", re.ASCII)
_RECIPIENT_HEADERS = ("Delivered-To", "X-Original-To", "Envelope-To", "To", "Cc")


def message_id_of(raw: bytes) -> str:
    """Return a mail's Message-ID as its header has it, empty without one."""
    return next(iter(header_values(raw, "Message-ID")), "")


def identity_of(raw: bytes) -> bytes:
    """Return what stays the same when a mail comes twice, whatever servers added on the way."""
    headers, body = _split(raw)
    written = [(name, value) for name, value in _fields(headers) if name in _WRITTEN_BY_SENDER]
    lines = [line.rstrip() for line in body.rstrip().splitlines()]
    return b"\n".join([*(name + b":" + value for name, value in sorted(written)), b"", *lines])


def header_values(raw: bytes, name: str) -> list[str]:
    """Return the values of every header of this name, on one line each."""
    wanted = name.lower().encode()
    fields = _fields(_split(raw)[0])
    return [value.decode("utf-8", "replace") for known, value in fields if known == wanted]


def recipients_of(raw: bytes) -> list[str]:
    """Return the addresses that a mail's headers say it was for, the surest first."""
    values = (value for name in _RECIPIENT_HEADERS for value in header_values(raw, name))
    found = (address for value in values for address in _ADDRESS.findall(value))
    return list(dict.fromkeys(found))[:MOST_RECIPIENTS]


def _split(raw: bytes) -> tuple[bytes, bytes]:
    """Return headers and body; headers beyond LONGEST_HEADERS count as body."""
    end = _HEADERS_END.search(raw, 0, LONGEST_HEADERS)
    if end is None:
        return raw[:LONGEST_HEADERS], raw[LONGEST_HEADERS:]
    return raw[: end.start()], raw[end.end() :]


def _fields(headers: bytes) -> list[tuple[bytes, bytes]]:
    """Return names (in lower case) and values, folded lines joined."""
    found: list[tuple[bytes, list[bytes]]] = []
    for line in headers.splitlines():
        if line[:1] in (b" ", b"\t") and found:
            found[-1][1].append(line.strip())
        elif b":" in line:
            name, _, value = line.partition(b":")
            found.append((name.strip().lower(), [value.strip()]))
    return [(name, b" ".join(value)) for name, value in found]
