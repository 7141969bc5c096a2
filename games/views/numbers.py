"""Numbers in what a browser sends."""

LONGEST_KEY = 18
"""Digits that a key of the database can have."""


def number_in(text: str, longest: int = LONGEST_KEY) -> int | None:
    """Return the number that a text of digits holds, None for any other or a longer one."""
    if text.isascii() and text.isdigit() and len(text) <= longest:
        return int(text)
    return None
