"""Strangers' words, made fit to stand in a mail."""

from games.plain_text import NO_BREAK
from games.plain_text import one_line as plain

__all__ = ["NO_BREAK", "plain"]
