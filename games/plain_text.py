"""Strangers' words, made fit to stand on a page or in a mail. Pure."""

import re
import unicodedata

NO_BREAK = "\N{NO-BREAK SPACE}"
"""What stands before a French colon."""

_TURNS_TEXT_ROUND = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_GAP = re.compile("\n{3,}")


def one_line(words: object) -> str:
    """Return words on one line, without what cannot be seen or turns the text round."""
    text = "".join(char if char.isprintable() or char == NO_BREAK else " " for char in str(words))
    return " ".join(filter(None, text.split(" "))).strip()


def tidy(text: str) -> str:
    """Return a text of several lines without control characters, with at most one blank line.

    What joins the parts of a letter or an emoji stays; what turns the text round does not.
    """
    text = _LINE_ENDS.sub("\n", text).replace("\t", " ")
    kept = "".join(char for char in text if char == "\n" or _is_text(char))
    lines = "\n".join(line.rstrip() for line in kept.split("\n"))
    return _GAP.sub("\n\n", lines).strip()


def _is_text(char: str) -> bool:
    return unicodedata.category(char) not in ("Cc", "Cs") and char not in _TURNS_TEXT_ROUND
