"""Takes a mail apart: headers, parts, and the bytes and characters in them.

Python's own parser needs seconds for some mails of this size and has no limits; this one reads
each byte once for each part around it, of which there are at most 20.
"""

from __future__ import annotations

import binascii
import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from email.errors import HeaderParseError
from email.header import decode_header

from notifications.mail_parser.errors import (
    MOST_BYTES,
    MOST_HEADER_BYTES,
    MOST_PARTS,
    UnreadableMail,
)

_DECODED = 2000
"""Characters of a header in which encoded words are looked for."""

_CHARSETS = re.compile(
    r"ascii|utf-(8|16|32)|iso8859|cp\d|koi8|gb|big5|shift_jis|euc_|iso2022|mac-|tis-620|hz|johab"
)
"""Codecs that are character sets; others (punycode, idna) take time that grows with the square."""

_NAME = re.compile(r"[!-9;-~]+[ \t]*:")


@dataclass(frozen=True, slots=True)
class Part:
    """A mail, or a part of one; headers by lower-case name, in their order, unfolded."""

    headers: tuple[tuple[str, str], ...]
    body: bytes = field(repr=False)
    children: tuple[Part, ...] = ()

    def get(self, name: str) -> str:
        """Return the first header of this lower-case name, or nothing."""
        return next((value for key, value in self.headers if key == name), "")

    def get_all(self, name: str) -> list[str]:
        """Return every header of this lower-case name."""
        return [value for key, value in self.headers if key == name]

    @property
    def type(self) -> str:
        """The content type in lower case; what has none is text/plain."""
        found = self.get("content-type").partition(";")[0].strip().lower()
        return found if "/" in found else "text/plain"

    @property
    def is_attached(self) -> bool:
        """Whether this is a file rather than something to read."""
        return self.get("content-disposition").strip().lower().startswith("attachment")

    def leaves(self) -> Iterator[Part]:
        """Yield the parts without parts of their own."""
        if not self.children:
            yield self
        for child in self.children:
            yield from child.leaves()


@dataclass(frozen=True, slots=True)
class Parsed:
    """A whole mail, taken apart; `is_cut`: it has more than MOST_PARTS, the rest is left out."""

    mail: Part
    is_cut: bool


def parse_structure(raw: bytes) -> Parsed:
    """Return a whole mail, taken apart. Raises Unreadable if it is beyond the limits."""
    if not raw.strip():
        raise UnreadableMail("empty")
    if len(raw) > MOST_BYTES:
        raise UnreadableMail("too-big")
    unix = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n").lstrip(b"\n")
    _check_header_bytes(unix)
    taking = _Taking()
    return Parsed(taking.part(unix), taking.is_cut)


def _check_header_bytes(unix: bytes) -> None:
    end = unix.find(b"\n\n")
    if (len(unix) if end < 0 else end) > MOST_HEADER_BYTES:
        raise UnreadableMail("headers-too-big")


class _Taking:
    """Counts the parts while they are taken out."""

    def __init__(self) -> None:
        self.parts = 0
        self.is_cut = False
        """Whether there are more than are taken out."""

    def part(self, data: bytes) -> Part:
        if data.startswith(b"\n"):
            return Part((), data[1:])
        head, _, body = data.partition(b"\n\n")
        headers = _headers(head)
        part = Part(headers, body)
        boundary = parameter(part.get("content-type"), "boundary")
        if not part.type.startswith("multipart/") or not boundary:
            return part
        pieces = self._pieces(body, boundary.encode("utf-8", "replace"))
        return Part(headers, b"", tuple(self.part(piece) for piece in pieces))

    def _pieces(self, body: bytes, boundary: bytes) -> Iterator[bytes]:
        """Yield what stands between the boundary's lines; the last need not be closed.

        One after the other, so that the parts in the first count before the second does: what a
        person wrote comes before what they attached.
        """
        delimiter, text = b"\n--" + boundary, b"\n" + body
        begin, at = -1, text.find(delimiter)
        while at >= 0 and not self.is_cut:
            after = at + len(delimiter)
            line_end = text.find(b"\n", after)
            line_end = len(text) if line_end < 0 else line_end
            rest = text[after : min(line_end, after + 80)].strip()
            if rest in {b"", b"--"}:
                if self._counts(begin):
                    yield text[begin : max(begin, at)]
                if rest:
                    return
                begin = line_end + 1
            at = text.find(delimiter, after)
        if self._counts(begin):
            yield text[begin:]

    def _counts(self, begin: int) -> bool:
        """Tell whether a piece begins there and is one of so many that are taken out."""
        if begin < 0 or self.is_cut:
            return False
        self.is_cut = self.parts == MOST_PARTS
        self.parts += not self.is_cut
        return not self.is_cut


def _headers(head: bytes) -> tuple[tuple[str, str], ...]:
    """Return the headers; lines that are none are passed over, as is a mailbox's "From " line."""
    found: list[tuple[str, list[str]]] = []
    for line in decoded(head[:MOST_HEADER_BYTES], "utf-8").split("\n"):
        if line[:1] in {" ", "\t"}:
            if found:
                found[-1][1].append(line.strip())
        elif _NAME.match(line):
            name, _, value = line.partition(":")
            found.append((name.strip().lower(), [value.strip()]))
    return tuple((name, " ".join(lines)) for name, lines in found)


def parameter(header: str, name: str) -> str:
    """Return a header's parameter, such as the boundary of a content type, or nothing."""
    found = re.search(rf';\s*{name}\s*=\s*(?:"([^"]*)"|([^\s;"]+))', header, re.IGNORECASE)
    return (found[1] if found[1] is not None else found[2]) if found else ""


def content(part: Part) -> bytes:
    """Return a part's body without its transfer encoding."""
    encoding = part.get("content-transfer-encoding").strip().lower()
    if encoding == "base64":
        return _from_base64(part.body)
    if encoding == "quoted-printable":
        return binascii.a2b_qp(part.body)
    return part.body


def _from_base64(body: bytes) -> bytes:
    """Return what can be read of it; mail programs and lists add lines of their own."""
    kept = re.sub(rb"[^A-Za-z0-9+/]", b"", body)
    return binascii.a2b_base64(kept[: len(kept) // 4 * 4] + _last_of(kept))


def _last_of(kept: bytes) -> bytes:
    rest = kept[len(kept) // 4 * 4 :]
    return rest + b"=" * (4 - len(rest)) if len(rest) > 1 else b""


def text_of(part: Part) -> str:
    """Return a text part's characters."""
    return decoded(content(part), parameter(part.get("content-type"), "charset"))


def decoded(data: bytes, charset: str) -> str:
    """Return the characters; what the charset cannot say is read as UTF-8, else as cp1252."""
    codec = _codec(charset)
    if codec not in {"utf-8", "ascii", "iso8859-1"}:
        return data.decode(codec, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _codec(charset: str) -> str:
    try:
        name = codecs.lookup(charset[:40].strip() or "utf-8").name
    except (LookupError, ValueError):
        return "utf-8"
    return name if _CHARSETS.match(name) else "utf-8"


def words(header: str) -> str:
    """Return a header with its encoded words (RFC 2047) decoded."""
    header = header[:_DECODED]
    if "=?" not in header:
        return header
    try:
        pieces = decode_header(header)
    except (HeaderParseError, ValueError):
        return header
    return "".join(
        piece if isinstance(piece, str) else decoded(piece, charset or "utf-8")
        for piece, charset in pieces
    )
