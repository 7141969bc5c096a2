"""Finds the addresses in a header: every one, so that a header that could be read two ways has two.

Mail programs and servers that check senders disagree on odd headers; code that asks who wrote a
mail must refuse headers with more than one address.
"""

import re
from collections.abc import Iterable
from string import ascii_lowercase, ascii_uppercase

from notifications.mail_parser.mime import decode_words

MOST_CHARACTERS = 8192
MOST_ADDRESSES = 50

_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*+"?')
_COMMENT = re.compile(r"\([^()]*\)?")
_BETWEEN = re.compile(r"[\s<>()\\,;:\"]+")
_ADDRESS = re.compile(r"[^@]+@[^@]+")
_QUOTED_LOCAL = re.compile(r'"([^\s"\\@<>]+)"@')


def parse_addresses(headers: Iterable[str]) -> tuple[str, ...]:
    """Return all addresses, their ASCII letters in lower case, each once, in order; at most 50.

    Other letters stay as they are: the Kelvin sign in lower case is k, so an address would become
    another.
    """
    found: dict[str, None] = {}
    for header in headers:
        # Names in quotes and comments may contain an @.
        text = _QUOTED_LOCAL.sub(r"\1@", header[:MOST_CHARACTERS])
        text = _COMMENT.sub(" ", _QUOTED.sub(" ", text))
        for word in _BETWEEN.split(text):
            if not _ADDRESS.fullmatch(word):
                continue
            found[word.translate(_LOWER).rstrip(".")] = None
            if len(found) == MOST_ADDRESSES:
                return tuple(found)
    return tuple(found)


def parse_sender_name(header: str) -> str:
    """Return the name before the first address, decoded, at most 100 characters, or nothing."""
    name, bracket, _ = header[:MOST_CHARACTERS].partition("<")
    if not bracket:
        return ""
    return " ".join(decode_words(name.strip().strip('"').replace('\\"', '"')).split())[:100]
