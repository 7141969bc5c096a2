"""The little that must be known of a raw mail before it is kept.

No parser of Python's is asked: it can be made to hang by a mail of a few kilobytes.
"""

import re

LONGEST_HEADERS = 64 * 1024
"""Bytes of headers that are looked at."""

MOST_RECIPIENTS = 50
"""How many of its addresses are looked at."""

_END = re.compile(rb"\r?\n\r?\n")
_WRITTEN = (b"from", b"date", b"subject")
_ADDRESS = re.compile(r"[\w.+-]{1,64}@[\w.-]{1,255}", re.ASCII)
_RECIPIENTS = ("Delivered-To", "X-Original-To", "Envelope-To", "To", "Cc")


def message_id_of(raw: bytes) -> str:
    """Return a mail's Message-ID as it stands there, empty without one."""
    return next(iter(header_values(raw, "Message-ID")), "")


def identity_of(raw: bytes) -> bytes:
    """Return what stays the same when a mail comes twice, whatever servers added on the way."""
    headers, body = _parts(raw)
    written = [(name, value) for name, value in _fields(headers) if name in _WRITTEN]
    said = [line.rstrip() for line in body.rstrip().splitlines()]
    return b"\n".join([*(name + b":" + value for name, value in sorted(written)), b"", *said])


def header_values(raw: bytes, name: str) -> list[str]:
    """Return the values of every header of this name, on one line each."""
    wanted = name.lower().encode()
    fields = _fields(_parts(raw)[0])
    return [value.decode("utf-8", "replace") for known, value in fields if known == wanted]


def recipients_of(raw: bytes) -> list[str]:
    """Return the addresses that a mail's headers say it was for, the surest first."""
    values = (value for name in _RECIPIENTS for value in header_values(raw, name))
    found = (address for value in values for address in _ADDRESS.findall(value))
    return list(dict.fromkeys(found))[:MOST_RECIPIENTS]


def _parts(raw: bytes) -> tuple[bytes, bytes]:
    """Return headers and body; headers beyond LONGEST_HEADERS count as body."""
    end = _END.search(raw, 0, LONGEST_HEADERS)
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
