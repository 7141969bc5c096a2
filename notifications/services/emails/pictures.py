"""Pictures of boards, kept: drawing one is by far the dearest part of a mail."""

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
"""Pixels drawn for each of them, for fine screens."""

_MONTH, _KEPT = 30 * 24 * 3600, 2000


@cache
def _shelf(folder: Path) -> FileBasedCache:
    # Files of their own: in the shared cache pictures would push out the rate limits of sign-in.
    return FileBasedCache(str(folder), {"timeout": _MONTH, "options": {"MAX_ENTRIES": _KEPT}})


def picture_of(board: Board) -> bytes | None:
    """Return the board's PNG, SCALE times WIDTH pixels wide, in the active language.

    None for a board that is too large to draw: its mail then shows the text board alone.
    """
    try:
        key = picture_key(board, width=WIDTH, scale=SCALE, translate=gettext)
        return _kept(key) or _drawn(key, board)
    except DrawingTooLarge:
        return None


def _kept(key: str) -> bytes | None:
    try:
        found: bytes | None = _shelf(settings.VAR_DIR / "pictures").get(key)
    except OSError:
        return None
    return found


def _drawn(key: str, board: Board) -> bytes:
    picture = board_png(board, width=WIDTH, scale=SCALE, translate=gettext)
    try:
        _shelf(settings.VAR_DIR / "pictures").set(key, picture)
    except OSError as error:
        log.warning("no picture could be kept: %s", error)
    return picture
