"""Reports that a reader marked a mail of ours as spam (RFC 5965, abuse reporting format)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from notifications.mail_parser.mime import Part, decode_body, decode_text

_MOST_TEXT = 20_000
_TYPE = re.compile(r"^feedback-type:\s*([\w-]{1,40})", re.IGNORECASE | re.MULTILINE)
_MESSAGE_ID = re.compile(r"^message-id:\s*(<[^<>\s]{1,200}>)", re.IGNORECASE | re.MULTILINE)
_ORIGINALS = ("message/rfc822", "text/rfc822-headers", "message/rfc822-headers")
_COMPLAINTS = frozenset({"abuse", "fraud", "opt-out"})
"""The types that say that the reader does not want the mail; “not-spam” says the opposite."""


@dataclass(frozen=True, slots=True)
class Complaint:
    """A complaint about the mail with this Message-ID, which its report has a copy of."""

    message_id: str


def find_complaint(mail: Part) -> Complaint | None:
    """Return what a report complains about; None for every other mail, and for unknown types."""
    leaves = list(mail.leaves()) if mail.type == "multipart/report" else []
    report = next((leaf for leaf in leaves if leaf.type == "message/feedback-report"), None)
    if report is None:
        return None
    kind = _TYPE.search(_text(report))
    if kind is None or kind[1].lower() not in _COMPLAINTS:
        return None
    originals = (_MESSAGE_ID.search(_text(leaf)) for leaf in leaves if leaf.type in _ORIGINALS)
    found = next(filter(None, originals), None)
    return Complaint(found[1]) if found else None


def _text(part: Part) -> str:
    """Return the beginning of a part, its broken header lines joined."""
    text = decode_text(decode_body(part)[:_MOST_TEXT], "utf-8").replace("\r\n", "\n")
    return text.replace("\n ", " ").replace("\n\t", " ")
