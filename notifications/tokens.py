"""What a reply address and a link that is proof by itself look like, to be kept out of logs.

Knows no models: logging is set up before they are there.
"""

import logging
import re

TOKEN = "[a-z2-7]{26}"  # noqa: S105  (the shape of one)

LOCAL_PART = re.compile(f"(reply|bounce)-({TOKEN})", re.IGNORECASE | re.ASCII)
"""Which of the two addresses of a mail it is, and the mail's token."""

_LINK = re.compile(r"/(invitations|unsubscribe|try-again|calendar|reset/key)/[^/\s?]+")
"""The path of a page that whoever knows its address may see or use."""


def redact_tokens(text: str) -> str:
    """Return the text with the tokens of all reply addresses and links blotted out."""
    return _LINK.sub(r"/\1/…", LOCAL_PART.sub(r"\1-…", text))


class LineFormatter(logging.Formatter):
    """Writes log lines, errors and their traces included, without anybody's token."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
        return redact_tokens(super().format(record))
