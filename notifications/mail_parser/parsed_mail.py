"""Parses a mail: from its bytes to its sender, its headers and the text that a person wrote."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from notifications.mail_parser.addresses import parse_addresses, parse_sender_name
from notifications.mail_parser.automatic import AWAY, automatic_reason, is_away_reply
from notifications.mail_parser.body import own_lines
from notifications.mail_parser.bounces import Bounce, find_bounce
from notifications.mail_parser.complaints import Complaint, find_complaint
from notifications.mail_parser.mime import UnreadableMail, decode_words, parse_structure
from notifications.mail_parser.signatures import without_sender_name

_LONGEST_SUBJECT = 300
_LONGEST_DATE = 100
_MOST_REFERENCES = 50
_RECIPIENT_HEADERS = ("to", "cc", "delivered-to", "x-original-to", "envelope-to")
_ID = re.compile(r"<[^<>\s]{1,998}>")


@dataclass(frozen=True, slots=True)
class ParsedMail:
    """A mail that was parsed.

    `senders` are all addresses of all From headers, in lower case: a mail with more than one must
    be refused, because servers disagree on which one they check. `date` is in UTC. `automatic` is a
    slug that says why no person wrote it (see `automatic`), or empty. `lines` is what the sender
    wrote above the quote, or else between and below quoted lines, without signatures; blank lines
    separate paragraphs. A bounce and a mail of our own have no lines. `is_cut`: it has more than 20
    parts, and only the first 20 were parsed. `headers` are all of the mail's own, the topmost
    first: names in lower case, values unfolded.
    """

    message_id: str
    senders: tuple[str, ...]
    sender_name: str
    recipients: tuple[str, ...]
    subject: str
    date: datetime | None
    in_reply_to: str
    references: tuple[str, ...]
    automatic: str
    bounce: Bounce | None
    complaint: Complaint | None
    lines: tuple[str, ...]
    is_cut: bool
    headers: tuple[tuple[str, str], ...] = field(repr=False)


def parse(raw: bytes, *, domain: str = "", envelope_from: str | None = None) -> ParsedMail:
    """Return what a mail says. Raises UnreadableMail, and nothing else, whatever the bytes are.

    `domain` is that of our own Message-IDs. `envelope_from` is the sender in the envelope, empty
    for a bounce; if it is None, Return-Path is used.
    """
    structure = parse_structure(raw)
    mail = structure.mail
    if not mail.headers:
        raise UnreadableMail("no-headers")
    automatic = automatic_reason(mail, domain=domain, envelope_from=envelope_from)
    bounce = find_bounce(mail)
    complaint = find_complaint(mail)
    if (bounce or complaint) and not automatic:
        automatic = "bounce" if bounce else "complaint"
    name = parse_sender_name(mail.get("from"))
    lines: tuple[str, ...] = ()
    if not (bounce or complaint or automatic == "own"):
        lines = without_sender_name(own_lines(mail), name)
    subject = " ".join(decode_words(mail.get("subject")).split())
    if not automatic and is_away_reply(subject, lines):
        automatic = AWAY
    date: datetime | None
    try:
        date = parsedate_to_datetime(mail.get("date")[:_LONGEST_DATE])
        date = date.replace(tzinfo=UTC) if date.tzinfo is None else date.astimezone(UTC)
    except (TypeError, ValueError, OverflowError, IndexError):
        date = None
    return ParsedMail(
        message_id=_first_id(mail.get("message-id")),
        senders=parse_addresses(mail.get_all("from")),
        sender_name=name,
        recipients=parse_addresses(
            value for name in _RECIPIENT_HEADERS for value in mail.get_all(name)
        ),
        subject=subject[:_LONGEST_SUBJECT],
        date=date,
        in_reply_to=_first_id(mail.get("in-reply-to")),
        references=tuple(_ID.findall(mail.get("references"))[-_MOST_REFERENCES:]),
        automatic=automatic,
        bounce=bounce,
        complaint=complaint,
        lines=lines,
        is_cut=structure.is_cut,
        headers=mail.headers,
    )


def _first_id(header: str) -> str:
    found = _ID.search(header)
    return found[0] if found else ""
