"""From the bytes of a mail to what can be asked of it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from notifications.mail_parser.addresses import addresses, name_in
from notifications.mail_parser.automatic import AWAY, is_away_reply, why_automatic
from notifications.mail_parser.body import written
from notifications.mail_parser.bounces import Bounce, bounce_in
from notifications.mail_parser.errors import UnreadableMail
from notifications.mail_parser.mime import Part, parse_structure, words

_LONGEST_SUBJECT = 300
_LONGEST_DATE = 100
_MOST_REFERENCES = 50
_TO = ("to", "cc", "delivered-to", "x-original-to", "envelope-to")
_ID = re.compile(r"<[^<>\s]{1,998}>")


@dataclass(frozen=True, slots=True)
class ParsedMail:
    """A mail as read.

    `senders` are all addresses of all From headers, in lower case: a mail of more than one is to be
    refused, for checks of senders disagree on which counts. `date` is in UTC. `automatic` says why
    no person wrote it, as a slug (see `automatic`), or nothing. `lines` is what the
    sender wrote, above or else between and below what is quoted, without signatures; blank lines
    part its paragraphs. A bounce and an own mail have no lines. `is_cut`: it has more than 20
    parts, and only the first 20 were looked at. `headers` are all of the mail's own, the topmost
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
    lines: tuple[str, ...]
    is_cut: bool
    headers: tuple[tuple[str, str], ...] = field(repr=False)


def parse(raw: bytes, *, domain: str = "", envelope_from: str | None = None) -> ParsedMail:
    """Return what a mail says. Raises UnreadableMail, and nothing else, whatever the bytes are.

    `domain` is that of our own Message-IDs. `envelope_from` is the sender in the envelope, empty
    for a bounce; where it is None, Return-Path is believed.
    """
    parsed = parse_structure(raw)
    mail = parsed.mail
    if not mail.headers:
        raise UnreadableMail("no-headers")
    automatic = why_automatic(mail, own_ids=_own_ids(domain), envelope_from=envelope_from)
    bounce = bounce_in(mail)
    if bounce and not automatic:
        automatic = "bounce"
    lines = () if bounce or automatic == "own" else written(mail)
    subject = " ".join(words(mail.get("subject")).split())
    if not automatic and is_away_reply(subject, lines):
        automatic = AWAY
    return ParsedMail(
        message_id=_first_id(mail.get("message-id")),
        senders=addresses(mail.get_all("from")),
        sender_name=name_in(mail.get("from")),
        recipients=addresses(value for name in _TO for value in mail.get_all(name)),
        subject=subject[:_LONGEST_SUBJECT],
        date=_date(mail),
        in_reply_to=_first_id(mail.get("in-reply-to")),
        references=tuple(_ID.findall(mail.get("references"))[-_MOST_REFERENCES:]),
        automatic=automatic,
        bounce=bounce,
        lines=lines,
        is_cut=parsed.is_cut,
        headers=mail.headers,
    )


def _own_ids(domain: str) -> re.Pattern[str] | None:
    """Return the form of our Message-IDs: people of the same domain have others."""
    return re.compile(rf"<notice\.[^@\s]+@{re.escape(domain)}>", re.IGNORECASE) if domain else None


def _first_id(header: str) -> str:
    found = _ID.search(header)
    return found[0] if found else ""


def _date(mail: Part) -> datetime | None:
    try:
        found = parsedate_to_datetime(mail.get("date")[:_LONGEST_DATE])
        return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except (TypeError, ValueError, OverflowError, IndexError):
        return None
