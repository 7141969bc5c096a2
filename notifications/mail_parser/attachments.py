"""Leaves out what nobody reads of a mail that comes in: pictures and other attachments."""

import re

from notifications.mail_parser.mime import (
    MOST_BYTES,
    MOST_PARTS,
    Part,
    header_parameter,
    read_headers,
)

_KEPT = ("text/", "message/delivery-status", "message/feedback-report")
_HEADERS_END = re.compile(rb"\A\r?\n|\n\r?\n")


def without_attachments(raw: bytes) -> bytes:
    """Return a mail with the bodies of its attachments left out, at most MOST_BYTES of it.

    All headers stay, also those of the parts. Boundaries are searched for, not the lines read one
    by one: a mail of ten megabytes may consist of line ends.
    """
    kept = bytearray()
    boundaries: list[bytes] = []  # the outermost first
    at, is_part, is_complaint = 0, True, False
    while at < len(raw) and len(kept) < MOST_BYTES:
        found = _next_boundary(boundaries).search(raw, max(at - 1, 0)) if boundaries else None
        end = found.start() + 1 if found else len(raw)
        if is_part:
            head = _HEADERS_END.search(raw[at : min(end, at + MOST_BYTES)])
            body = at + head.end() if head else end
            kept += raw[at:body]
            part = Part(read_headers(raw[at:body]), b"")
            boundary = header_parameter(part.get("content-type"), "boundary")
            if part.type.startswith("multipart/") and boundary and len(boundaries) <= MOST_PARTS:
                boundaries.append(boundary.encode("utf-8", "replace"))
                at, is_part = body, False
                continue
            is_complaint |= part.type == "message/feedback-report"
            if _is_read(part):
                kept += raw[body : min(end, body + MOST_BYTES)]
            elif is_complaint and part.type == "message/rfc822":
                # The headers say which mail of ours is complained about.
                inner = _HEADERS_END.search(raw[body : min(end, body + MOST_BYTES)])
                kept += raw[body : body + inner.end() if inner else body]
        if found is None:
            break
        kept += raw[end : found.end()] + b"\n"
        del boundaries[boundaries.index(found[1]) + (not found[2]) :]
        at, is_part = found.end() + 1, not found[2]
    return bytes(kept[:MOST_BYTES])


def _next_boundary(boundaries: list[bytes]) -> re.Pattern[bytes]:
    """Return a pattern for a line that is one of these boundaries; two "-" behind it end it."""
    names = b"|".join(map(re.escape, boundaries))
    return re.compile(rb"\n--(%b)(--)?[ \t\r]*(?=\n|\Z)" % names)


def _is_read(part: Part) -> bool:
    disposition = part.get("content-disposition").strip().lower()
    return part.type.startswith(_KEPT) and not disposition.startswith("attachment")
