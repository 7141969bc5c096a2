"""Mails that say that a mail of ours did not arrive: RFC 3464, else flufl.bounce's heuristics."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message

from flufl.bounce import all_failures

from notifications.mail_parser.addresses import addresses
from notifications.mail_parser.mime import Part, content, decoded, parameter, text_of

_MOST_BLOCKS = 20
_MOST_TEXT = 8000
_LONGEST_LINE = 300

_STATUS = re.compile(r"\b([245])\.(\d{1,3})\.(\d{1,3})\b")
_REPLY_CODE = re.compile(r"\b([45])\d\d[ -]")
_PASSING = frozenset({("2", "2"), ("2", "3"), ("3", "4")})
"""Subject and detail of permanent failures that say nothing against the address: full, too big."""
_NOT_THE_ADDRESS = frozenset("67")
"""Subjects of failures for what the mail contains, and for policies: our server may be blocked."""
_FROM_MACHINE = re.compile(r"(mailer-daemon|postmaster|mail-daemon|mdaemon)@")


@dataclass(frozen=True, slots=True)
class Bounce:
    """What a mail server says of a mail of ours.

    `hard`: the address does not work and will not. `returned`: the mail will not arrive, although a
    later one might; False while the server still tries. `addresses` may be empty: not every bounce
    names them. `diagnostic` is what the server said, at most 300 characters.
    """

    addresses: tuple[str, ...]
    hard: bool
    returned: bool
    diagnostic: str


def bounce_in(mail: Part) -> Bounce | None:
    """Return what a bounce says; None for every other mail."""
    statuses = [leaf for leaf in mail.leaves() if leaf.type == "message/delivery-status"]
    if statuses:
        return _from_status(statuses[0])
    return _from_text(mail) if _looks_like_bounce(mail) else None


def _from_status(part: Part) -> Bounce | None:
    blocks = list(_blocks(part))
    told = [block for block in blocks if block.get("action", "").startswith(_ACTIONS)]
    if not told:
        return None
    failed = [block for block in told if not block["action"].startswith("delayed")]
    meant = failed or told
    recipients = addresses(_recipient(block) for block in meant)
    diagnostic = next((found for block in meant if (found := _diagnostic(block))), "")
    hard = any(_is_hard(block) for block in failed)
    return Bounce(recipients, hard, bool(failed), diagnostic)


_ACTIONS = ("failed", "error", "delayed")


def _blocks(part: Part) -> Iterator[dict[str, str]]:
    """Yield the fields of each block, by lower-case name; the first is about the whole mail."""
    text = decoded(content(part)[:_MOST_TEXT], "utf-8")
    for block in text.split("\n\n")[:_MOST_BLOCKS]:
        fields: dict[str, str] = {}
        for line in block.replace("\n ", " ").replace("\n\t", " ").split("\n"):
            name, _, value = line.partition(":")
            fields.setdefault(name.strip().lower(), value.strip())
        fields["action"] = fields.get("action", "").lower()
        yield fields


def _recipient(block: dict[str, str]) -> str:
    found = block.get("original-recipient") or block.get("final-recipient") or ""
    return found.rpartition(";")[2]


def _diagnostic(block: dict[str, str]) -> str:
    said = block.get("diagnostic-code", "").partition(";")
    return " ".join((said[2] or said[0] or block.get("status", "")).split())[:_LONGEST_LINE]


def _is_hard(block: dict[str, str]) -> bool:
    """Tell whether a failure is the address's own; an action without any status is."""
    status = _STATUS.search(block.get("status", ""))
    if status is None or status[1] == "2":
        status = _STATUS.search(block.get("diagnostic-code", "")) or status
    if status is None:
        return True
    return status[1] == "5" and not _is_passing(status)


def _is_passing(status: re.Match[str]) -> bool:
    return status[2] in _NOT_THE_ADDRESS or (status[2], status[3]) in _PASSING


# Bounces in words --------------------------------------------------------------------------------


def _looks_like_bounce(mail: Part) -> bool:
    if mail.type == "multipart/report":
        return parameter(mail.get("content-type"), "report-type").lower() in {"", "delivery-status"}
    if mail.get("x-failed-recipients"):
        return True
    nobody = mail.get("return-path").strip() == "<>"
    return nobody or any(_FROM_MACHINE.match(a) for a in addresses(mail.get_all("from")))


def _from_text(mail: Part) -> Bounce | None:
    text = _text(mail)
    temporary, permanent = _failures(mail, text)
    recipients = addresses(a.decode("ascii", "replace") for a in sorted(permanent or temporary))
    if not recipients:
        return None
    line = _telling_line(text)
    status, code = _STATUS.search(line), _REPLY_CODE.search(line)
    soft = status is not None and (status[1] == "4" or _is_passing(status))
    soft = soft or (status is None and code is not None and code[1] == "4")
    return Bounce(recipients, bool(permanent) and not soft, bool(permanent), line)


def _failures(mail: Part, text: str) -> tuple[frozenset[bytes], frozenset[bytes]]:
    """Ask flufl.bounce, with a small mail made for it: its patterns shall see few, short lines."""
    message = Message()
    for name in ("from", "subject", "x-failed-recipients"):
        for value in mail.get_all(name)[:1]:
            message[name] = value[:_LONGEST_LINE]
    message["Content-Type"] = "text/plain"
    message.set_payload(text)
    try:
        return all_failures(message)
    except Exception:  # its heuristics meet whatever anybody sends
        return frozenset(), frozenset()


def _text(mail: Part) -> str:
    parts = [text_of(leaf)[:_MOST_TEXT] for leaf in mail.leaves() if leaf.type == "text/plain"]
    text = "\n".join(parts)[:_MOST_TEXT]
    return "\n".join(line[:_LONGEST_LINE] for line in text.split("\n"))


def _telling_line(text: str) -> str:
    """Return the first line that bears a status or a reply code, or nothing."""
    for line in text.split("\n"):
        if _STATUS.search(line) or _REPLY_CODE.search(line):
            return " ".join(line.split())
    return ""
