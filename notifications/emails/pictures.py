"""Pictures of boards in mails, with a cache: drawing one is by far the slowest part of a mail."""

import logging
from functools import cache
from pathlib import Path

from django.conf import settings
from django.core.cache.backends.filebased import FileBasedCache
from django.utils.translation import gettext

from games.render.layout import DrawingTooLarge
from games.render.png import board_png, picture_key
from games.rules.board import Board

log = logging.getLogger(__name__)

WIDTH = 360
"""How wide a board is shown in a mail, in CSS pixels."""

SCALE = 2
"""Pixels drawn for each CSS pixel, for high-resolution screens."""

CACHE_SECONDS = 30 * 24 * 3600
MOST_CACHED = 2000


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
    kept = picture_cache(settings.VAR_DIR / "pictures")
    try:
        key = picture_key(board, width=WIDTH, scale=SCALE, translate=gettext)
        try:
            found: bytes | None = kept.get(key)
        except OSError:
            found = None
        picture = found or board_png(board, width=WIDTH, scale=SCALE, translate=gettext)
    except DrawingTooLarge:
        return None
    if not found:
        try:
            kept.set(key, picture)
        except OSError as error:
            log.warning("no picture could be cached: %s", error)
    return picture
