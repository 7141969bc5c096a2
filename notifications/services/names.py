"""Strangers' words, made fit to stand in a mail."""

NO_BREAK = "\N{NO-BREAK SPACE}"
"""What stands before a French colon."""


def plain(words: object) -> str:
    """Return words on one line, without what cannot be seen or turns the text round."""
    text = "".join(char if char.isprintable() or char == NO_BREAK else " " for char in str(words))
    return " ".join(filter(None, text.split(" "))).strip()
