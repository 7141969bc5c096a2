"""Pictures of boards in mails."""

from functools import lru_cache

from django.utils.translation import get_language, gettext

from accounts.models import User
from games.render.layout import DrawingTooLarge
from games.render.text import board_words
from games.render.tiles import board_png
from games.rules.board import Board

WIDTH = 360
"""How wide a board is shown in a mail, in CSS pixels."""

SCALE = 1.5
"""Pixels drawn for each CSS pixel, for high-resolution screens. Twice as many would make a turn's
mail larger than 30 kB."""

LONGEST_TEXT = 500
"""Characters of the words that a picture has for those who do not see it."""

MOST_REMEMBERED = 64
"""How many pictures a process remembers: several mails may show the same."""


def board_image(board: Board, reader: User | None, width: int = WIDTH) -> bytes | None:
    """Return the board's PNG, SCALE times `width` pixels wide, in the active language.

    None for a board that is too large to draw, and for a reader who wants no pictures: their mails
    show the board as text.
    """
    if reader is not None and not reader.mail_pictures:
        return None
    return _image(board, width, get_language())


def picture_text(board: Board, longest: int = LONGEST_TEXT) -> str:
    """Return the position in words for those who do not see the picture, in the active language."""
    return board_words(board, longest, translate=gettext)


@lru_cache(MOST_REMEMBERED)
def _image(board: Board, width: int, language: str) -> bytes | None:
    """Return the PNG in the active language, which is `language`."""
    try:
        return board_png(board, width=width, scale=SCALE, translate=gettext)
    except DrawingTooLarge:
        return None
