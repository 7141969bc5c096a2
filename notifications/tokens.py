"""The form of secret addresses and links, to keep them out of logs.

Imports no models: logging is set up before they are loaded.
"""

import logging
import re

TOKEN = "[a-z2-7]{26}"  # noqa: S105  (the shape of one)

LOCAL_PART = re.compile(f"(reply|bounce)-({TOKEN})", re.IGNORECASE | re.ASCII)
"""Reply address or return address, and the token."""

SECRET_LINK = re.compile(r"/(invitations|unsubscribe|try-again|calendar|reset/key)/[^/\s?]+")
"""The path of a page that anybody who has its address may see or use."""


def redact_tokens(text: str) -> str:
    """Return the text without the tokens of reply addresses and links."""
    return SECRET_LINK.sub(r"/\1/…", LOCAL_PART.sub(r"\1-…", text))


class LineFormatter(logging.Formatter):
    """Writes log lines, with errors and their tracebacks, without tokens."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
        return redact_tokens(super().format(record))
