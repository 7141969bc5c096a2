"""A mail's text as lines, each known to be quoted or not."""

from __future__ import annotations

import re
from typing import NamedTuple

MOST_LINES = 4000
"""Lines of a mail that are looked at: whoever answers below a longer quote is not understood."""

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
"""Every space as a plain one, nothing for what nobody sees, and a line's end for what ends one."""


class MailLine(NamedTuple):
    """One line: its text without marks of quoting or blanks around it."""

    text: str
    quoted: bool = False
    length: int = 0
    """The characters of the line as it stood in the mail."""


def plain_spaces(text: str) -> str:
    """Return a text with plain spaces only, and without invisible characters."""
    return text.translate(_SPACES)


def lines_of_text(text: str, *, flowed: bool = False, joined: bool = False) -> list[MailLine]:
    """Return the lines of a plain text; `flowed` and `joined` are RFC 3676's format and DelSp."""
    raw = plain_spaces(text).split("\n", MOST_LINES)[:MOST_LINES]
    return _flowed(raw, joined) if flowed else [_line(text) for text in raw]


def _line(raw: str) -> MailLine:
    if not _QUOTED.match(raw):
        return MailLine(raw.strip(), length=len(raw))
    found = _PREFIX.match(raw)
    return MailLine(raw[found.end() if found else 0 :].strip(), quoted=True, length=len(raw))


def _flowed(raw: list[str], joined: bool) -> list[MailLine]:
    """Return the lines with those that the mail program broke made whole again."""
    found: list[MailLine] = []
    open_piece: list[str] = []
    quoted = False
    for text in raw:
        depth = len(text) - len(text.lstrip(">"))
        content = text[depth:].removeprefix(" ")
        if open_piece and (depth > 0) != quoted:
            found.append(MailLine("".join(open_piece).strip(), quoted))
            open_piece = []
        quoted = depth > 0
        soft = content.endswith(" ") and content != "-- "
        open_piece.append(content[:-1] if soft and joined else content)
        if not soft:
            found.append(MailLine("".join(open_piece).strip(), quoted, len(content)))
            open_piece = []
    if open_piece:
        found.append(MailLine("".join(open_piece).strip(), quoted))
    return found
