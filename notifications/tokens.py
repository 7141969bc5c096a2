"""What the local part of a reply address looks like, and how it is kept out of logs.

Knows no models: logging is set up before they are there.
"""

import logging
import re

TOKEN = "[a-z2-7]{26}"  # noqa: S105  (the shape of one)

LOCAL_PART = re.compile(f"(reply|bounce)-({TOKEN})", re.IGNORECASE | re.ASCII)
"""Which of the two addresses of a mail it is, and the mail's token."""


def hidden(text: str) -> str:
    """Return the text with the tokens of all reply addresses blotted out."""
    return LOCAL_PART.sub(r"\1-…", text)


class LineFormatter(logging.Formatter):
    """Writes log lines, errors and their traces included, without anybody's token."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
        return hidden(super().format(record))
