"""A mail's text as lines, each quoted or not."""

from __future__ import annotations

import re
from typing import NamedTuple

MOST_LINES = 4000
"""Lines of a mail that are read; an answer below a longer quote is not found."""

_QUOTED = re.compile(r"[ \t]{0,3}>")
_PREFIX = re.compile(r"[ \t]{0,3}(?:>[ \t]?)+")

_SPACES = str.maketrans(
    {
        **dict.fromkeys(
            "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\t",
            " ",
        ),
        **dict.fromkeys(
            "\u00ad\u061c\u180e\u200b\u200c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061"
            "\u2062\u2063\u2064\u2066\u2067\u2068\u2069\ufeff\x00",
        ),
        **dict.fromkeys("\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029", "\n"),
    }
)
"""Every space becomes a plain one, invisible characters vanish, line separators become newlines."""


class MailLine(NamedTuple):
    """One line: its text without quote marks or blanks around it."""

    text: str
    quoted: bool = False
    length: int = 0
    """The characters of the line as it was in the mail."""


def plain_spaces(text: str) -> str:
    """Return a text with plain spaces only, and without invisible characters."""
    return text.translate(_SPACES)


def lines_of_text(text: str, *, flowed: bool = False, joined: bool = False) -> list[MailLine]:
    """Return the lines of a plain text; `flowed` and `joined` are RFC 3676's format and DelSp."""
    raw_lines = plain_spaces(text).split("\n", MOST_LINES)[:MOST_LINES]
    found: list[MailLine] = []
    if not flowed:
        for raw in raw_lines:
            quoted = _QUOTED.match(raw) is not None
            prefix = _PREFIX.match(raw) if quoted else None
            found.append(MailLine(raw[prefix.end() if prefix else 0 :].strip(), quoted, len(raw)))
        return found

    # Make lines that the mail program broke whole again: a line that ends in a space goes on.
    pieces: list[str] = []
    quoted = False
    for raw in raw_lines:
        depth = len(raw) - len(raw.lstrip(">"))
        content = raw[depth:].removeprefix(" ")
        if pieces and (depth > 0) != quoted:
            found.append(MailLine("".join(pieces).strip(), quoted))
            pieces = []
        quoted = depth > 0
        goes_on = content.endswith(" ") and content != "-- "
        pieces.append(content[:-1] if goes_on and joined else content)
        if not goes_on:
            found.append(MailLine("".join(pieces).strip(), quoted, len(content)))
            pieces = []
    if pieces:
        found.append(MailLine("".join(pieces).strip(), quoted))
    return found
