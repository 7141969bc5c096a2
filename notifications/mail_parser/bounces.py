"""Mails that say that a mail of ours did not arrive: RFC 3464, else flufl.bounce's heuristics."""

from __future__ import annotations

import re
from dataclasses import dataclass
from email.message import Message
from itertools import takewhile

from flufl.bounce import all_failures

from notifications.mail_parser.addresses import parse_addresses
from notifications.mail_parser.mime import (
    Part,
    decode_body,
    decode_text,
    header_parameter,
    part_text,
)
from notifications.mail_parser.refusals import is_no_such_address

_MOST_BLOCKS = 20
_MOST_TEXT = 8000
_LONGEST_LINE = 300

_ACTIONS = ("failed", "error", "delayed")
_STATUS = re.compile(r"\b([245])\.(\d{1,3})\.(\d{1,3})\b")
_REPLY_CODE = re.compile(r"\b([45])\d\d[ -]")
_ORIGINAL = re.compile(
    r"received:|return-path:|-+ ?(this is a copy|original message|below this)", re.I
)
"""Begins the copy of our own mail, in a bounce of a single part."""
_FROM_MACHINE = re.compile(r"(mailer-daemon|postmaster|mail-daemon|mdaemon)@")


@dataclass(frozen=True, slots=True)
class Bounce:
    """What a mail server says of a mail of ours.

    `hard`: there is no such mailbox or domain. `returned`: the mail will not arrive, although a
    later one might; False while the server still tries. `addresses` may be empty: not every bounce
    names them. `diagnostic` is what the server said, at most 300 characters.
    """

    addresses: tuple[str, ...]
    hard: bool
    returned: bool
    diagnostic: str


def find_bounce(mail: Part) -> Bounce | None:
    """Return what a bounce says; None for every other mail."""
    report = next((leaf for leaf in mail.leaves() if leaf.type == "message/delivery-status"), None)
    if report is not None:
        return _read_delivery_report(report)
    if mail.type == "multipart/report":
        kind = header_parameter(mail.get("content-type"), "report-type").lower()
        looks_like_bounce = kind in {"", "delivery-status"}
    else:
        looks_like_bounce = (
            bool(mail.get("x-failed-recipients"))
            or mail.get("return-path").strip() == "<>"
            or any(map(_FROM_MACHINE.match, parse_addresses(mail.get_all("from"))))
        )
    return _read_bounce_text(mail) if looks_like_bounce else None


def _read_delivery_report(report: Part) -> Bounce | None:
    """Return what a message/delivery-status part says (RFC 3464); None without an action."""
    text = decode_text(decode_body(report)[:_MOST_TEXT], "utf-8")
    told: list[dict[str, str]] = []
    for block in text.split("\n\n")[:_MOST_BLOCKS]:  # the first is about the whole mail
        fields: dict[str, str] = {}
        for line in block.replace("\n ", " ").replace("\n\t", " ").split("\n"):
            name, _, value = line.partition(":")
            fields.setdefault(name.strip().lower(), value.strip())
        fields["action"] = fields.get("action", "").lower()
        if fields["action"].startswith(_ACTIONS):
            told.append(fields)
    if not told:
        return None
    failed = [fields for fields in told if not fields["action"].startswith("delayed")]
    is_hard, recipients, diagnostic = False, [], ""
    for fields in failed or told:
        recipient = fields.get("original-recipient") or fields.get("final-recipient") or ""
        recipients.append(recipient.rpartition(";")[2])
        said = fields.get("diagnostic-code", "").partition(";")
        found = " ".join((said[2] or said[0] or fields.get("status", "")).split())
        diagnostic = diagnostic or found[:_LONGEST_LINE]
        told_by_server = f"{fields.get('status', '')} {fields.get('diagnostic-code', '')}"
        is_hard |= not fields.get("status", "").startswith("4") and is_no_such_address(
            told_by_server
        )
    return Bounce(parse_addresses(recipients), is_hard and bool(failed), bool(failed), diagnostic)


def _read_bounce_text(mail: Part) -> Bounce | None:
    """Return what a bounce says in words; None if it names no address."""
    parts = [part_text(leaf)[:_MOST_TEXT] for leaf in mail.leaves() if leaf.type == "text/plain"]
    lines = [line[:_LONGEST_LINE] for line in "\n".join(parts)[:_MOST_TEXT].split("\n")]
    # flufl.bounce gets a small mail made for it: its patterns must see few, short lines.
    message = Message()
    for name in ("from", "subject", "x-failed-recipients"):
        for value in mail.get_all(name)[:1]:
            message[name] = value[:_LONGEST_LINE]
    message["Content-Type"] = "text/plain"
    message.set_payload("\n".join(lines))
    try:
        temporary, permanent = all_failures(message)
    except Exception:  # its heuristics meet whatever anybody sends
        return None
    failed = sorted(permanent or temporary)
    recipients = parse_addresses(address.decode("ascii", "replace") for address in failed)
    if not recipients:
        return None
    telling = (line for line in lines if _STATUS.search(line) or _REPLY_CODE.search(line))
    diagnostic = " ".join(next(telling, "").split())
    status, code = _STATUS.search(diagnostic), _REPLY_CODE.search(diagnostic)
    found = status or code
    is_temporary = found is not None and found[1] == "4"
    told_by_server = " ".join(takewhile(lambda line: not _ORIGINAL.match(line), lines))
    is_hard = bool(permanent) and not is_temporary and is_no_such_address(told_by_server)
    return Bounce(recipients, is_hard, bool(permanent), diagnostic)
