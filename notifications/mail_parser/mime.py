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

MOST_BYTES = 256 * 1024
MOST_HEADER_BYTES = 64 * 1024
MOST_PARTS = 20

_LONGEST_ENCODED = 2000
"""Characters of a header in which encoded words are looked for."""

_CHARSETS = re.compile(
    r"ascii|utf-(8|16|32)|iso8859|cp\d|koi8|gb|big5|shift_jis|euc_|iso2022|mac-|tis-620|hz|johab"
)
"""Codecs that are character sets; others (punycode, idna) take time that grows with the square."""

_HEADER_NAME = re.compile(r"[!-9;-~]+[ \t]*:")


class UnreadableMail(Exception):
    """A mail that cannot be parsed; `reason` is a slug.

    empty, too-big, headers-too-big, or no-headers for bytes that are no mail.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


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
        """The content type in lower case; text/plain if there is none."""
        found = self.get("content-type").partition(";")[0].strip().lower()
        return found if "/" in found else "text/plain"

    def leaves(self) -> Iterator[Part]:
        """Yield the parts without parts of their own."""
        if not self.children:
            yield self
        for child in self.children:
            yield from child.leaves()


@dataclass(frozen=True, slots=True)
class MailStructure:
    """A whole mail, taken apart; `is_cut`: it has more than MOST_PARTS, the rest is left out."""

    mail: Part
    is_cut: bool


def parse_structure(raw: bytes) -> MailStructure:
    """Return a whole mail, taken apart. Raises UnreadableMail if it is beyond the limits."""
    if not raw.strip():
        raise UnreadableMail("empty")
    if len(raw) > MOST_BYTES:
        raise UnreadableMail("too-big")
    unix = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n").lstrip(b"\n")
    header_end = unix.find(b"\n\n")
    if (len(unix) if header_end < 0 else header_end) > MOST_HEADER_BYTES:
        raise UnreadableMail("headers-too-big")
    parser = _PartParser()
    return MailStructure(parser.parse_part(unix), parser.is_cut)


class _PartParser:
    """Counts the parts of a mail while it parses them."""

    def __init__(self) -> None:
        self.parts = 0
        self.is_cut = False
        """Whether there are more parts than MOST_PARTS."""

    def parse_part(self, data: bytes) -> Part:
        if data.startswith(b"\n"):
            return Part((), data[1:])
        head, _, body = data.partition(b"\n\n")
        part = Part(read_headers(head), body)
        boundary = header_parameter(part.get("content-type"), "boundary")
        if not part.type.startswith("multipart/") or not boundary:
            return part
        pieces = self.split_body(body, boundary.encode("utf-8", "replace"))
        return Part(part.headers, b"", tuple(self.parse_part(piece) for piece in pieces))

    def split_body(self, body: bytes, boundary: bytes) -> Iterator[bytes]:
        """Yield the bytes between the boundary's lines; the last part need not be closed.

        One after the other, so that the parts inside the first are counted before the second:
        what a person wrote comes before what they attached.
        """
        delimiter, text = b"\n--" + boundary, b"\n" + body
        begin, at = -1, text.find(delimiter)
        while at >= 0 and not self.is_cut:
            after = at + len(delimiter)
            line_end = text.find(b"\n", after)
            line_end = len(text) if line_end < 0 else line_end
            rest = text[after : min(line_end, after + 80)].strip()
            if rest in {b"", b"--"}:
                if self.count_part(begin):
                    yield text[begin : max(begin, at)]
                if rest:
                    return
                begin = line_end + 1
            at = text.find(delimiter, after)
        if self.count_part(begin):
            yield text[begin:]

    def count_part(self, begin: int) -> bool:
        """Count the part that begins here (none if negative); return whether it is parsed."""
        if begin < 0 or self.is_cut:
            return False
        self.is_cut = self.parts == MOST_PARTS
        self.parts += not self.is_cut
        return not self.is_cut


def read_headers(head: bytes) -> tuple[tuple[str, str], ...]:
    """Return the headers in these bytes, in their order: lower-case names, unfolded values.

    Lines that are no header are skipped, as is the "From " line of a mailbox file.
    """
    found: list[tuple[str, list[str]]] = []
    for line in decode_text(head[:MOST_HEADER_BYTES], "utf-8").split("\n"):
        if line[:1] in {" ", "\t"}:
            if found:
                found[-1][1].append(line.strip())
        elif _HEADER_NAME.match(line):
            name, _, value = line.partition(":")
            found.append((name.strip().lower(), [value.strip()]))
    return tuple((name, " ".join(lines)) for name, lines in found)


def header_parameter(header: str, name: str) -> str:
    """Return a header's parameter, such as the boundary of a content type, or nothing."""
    found = re.search(rf';\s*{name}\s*=\s*(?:"([^"]*)"|([^\s;"]+))', header, re.IGNORECASE)
    return (found[1] if found[1] is not None else found[2]) if found else ""


def decode_body(part: Part) -> bytes:
    """Return a part's body without its transfer encoding."""
    encoding = part.get("content-transfer-encoding").strip().lower()
    if encoding == "base64":
        # Mail programs and lists add lines of their own; the end may be cut off.
        kept = re.sub(rb"[^A-Za-z0-9+/]", b"", part.body)
        whole = len(kept) // 4 * 4
        rest = kept[whole:]
        return binascii.a2b_base64(
            kept[:whole] + (rest + b"=" * (4 - len(rest)) if len(rest) > 1 else b"")
        )
    if encoding == "quoted-printable":
        return binascii.a2b_qp(part.body)
    return part.body


def part_text(part: Part) -> str:
    """Return a text part's characters."""
    return decode_text(decode_body(part), header_parameter(part.get("content-type"), "charset"))


def decode_text(data: bytes, charset: str) -> str:
    """Return the characters; if the charset is unknown or wrong, as UTF-8 or else cp1252."""
    try:
        codec = codecs.lookup(charset[:40].strip() or "utf-8").name
    except (LookupError, ValueError):
        codec = "utf-8"
    if _CHARSETS.match(codec) and codec not in {"utf-8", "ascii", "iso8859-1"}:
        return data.decode(codec, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def decode_words(header: str) -> str:
    """Return a header with its encoded words (RFC 2047) decoded."""
    header = header[:_LONGEST_ENCODED]
    if "=?" not in header:
        return header
    try:
        pieces = decode_header(header)
    except (HeaderParseError, ValueError):
        return header
    return "".join(
        piece if isinstance(piece, str) else decode_text(piece, charset or "utf-8")
        for piece, charset in pieces
    )
