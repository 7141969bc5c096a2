"""Strangers' words, made fit to stand in a mail."""


def plain(words: object) -> str:
    """Return words on one line, without what cannot be seen or turns the text round."""
    text = "".join(char if char.isprintable() else " " for char in str(words))
    return " ".join(text.split())
