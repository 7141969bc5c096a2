"""Pictures of boards in mails: drawing one as a whole is by far the slowest part of a mail.

So they are put together from tiles; those drawn whole are kept in files.
"""

import logging
from functools import cache, lru_cache
from pathlib import Path

from django.conf import settings
from django.core.cache.backends.filebased import FileBasedCache
from django.utils.translation import get_language, gettext

from games.render.layout import DrawingTooLarge
from games.render.png import board_png, picture_key
from games.render.tiles import tiled_png
from games.rules.board import Board

log = logging.getLogger(__name__)

WIDTH = 360
"""How wide a board is shown in a mail, in CSS pixels."""

SCALE = 2
"""Pixels drawn for each CSS pixel, for high-resolution screens."""

CACHE_SECONDS = 30 * 24 * 3600
MOST_CACHED = 2000

MOST_REMEMBERED = 64
"""How many pictures a process remembers: several mails may show the same."""


@cache
def picture_cache(folder: Path) -> FileBasedCache:
    """Return the cache in a folder.

    In the shared cache pictures would push out the rate limits of sign-in.
    """
    return FileBasedCache(
        str(folder), {"timeout": CACHE_SECONDS, "options": {"MAX_ENTRIES": MOST_CACHED}}
    )


def board_image(board: Board) -> bytes | None:
    """Return the board's PNG, SCALE times WIDTH pixels wide, in the active language.

    None for a board that is too large to draw: its mail has the text board alone.
    """
    return _image(board, get_language())


@lru_cache(MOST_REMEMBERED)
def _image(board: Board, language: str) -> bytes | None:
    """Return the PNG in the active language, which is `language`."""
    try:
        tiled = tiled_png(board, width=WIDTH, scale=SCALE, translate=gettext)
        return tiled or whole_image(board)
    except DrawingTooLarge:
        return None


def whole_image(board: Board) -> bytes:
    """Return the PNG from the cache, or drawn and put there. Raises DrawingTooLarge."""
    kept = picture_cache(settings.VAR_DIR / "pictures")
    key = picture_key(board, width=WIDTH, scale=SCALE, translate=gettext)
    try:
        found: bytes | None = kept.get(key)
    except OSError:
        found = None
    if found:
        return found
    picture = board_png(board, width=WIDTH, scale=SCALE, translate=gettext)
    try:
        kept.set(key, picture)
    except OSError as error:
        log.warning("no picture could be cached: %s", error)
    return picture
