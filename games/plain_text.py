"""Cleans texts that players wrote before they are shown on a page or in a mail."""

import re
import unicodedata

NO_BREAK = "\N{NO-BREAK SPACE}"
"""Written before a French colon."""

_BIDI_CONTROLS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_GAP = re.compile("\n{3,}")


def one_line(words: object) -> str:
    """Return words on one line, without control characters and such as reverse the text."""
    text = "".join(char if char.isprintable() or char == NO_BREAK else " " for char in str(words))
    return " ".join(filter(None, text.split(" "))).strip()


def tidy(text: str) -> str:
    """Return a text of several lines without control characters, with at most one blank line.

    Characters that join the parts of a letter or an emoji stay; those that reverse the text do not.
    """
    text = _LINE_ENDS.sub("\n", text).replace("\t", " ")
    kept = "".join(
        char
        for char in text
        if char == "\n"
        or (unicodedata.category(char) not in ("Cc", "Cs") and char not in _BIDI_CONTROLS)
    )
    lines = "\n".join(line.rstrip() for line in kept.split("\n"))
    return _GAP.sub("\n\n", lines).strip()
