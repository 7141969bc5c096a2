"""A board as a PNG, drawn by resvg from our own SVG alone.

resvg loads whatever path a drawing names and ends the whole process on a huge size. So nothing
comes here but the drawing of a Board, which names no path, and sizes are clamped.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path

from svg2png_py import (  # type: ignore[import-untyped]  # it has stubs, but no py.typed
    FontDatabase,
    RenderOptions,
    svg_to_png,
)

from games.render.layout import measure
from games.render.svg import svg_body, svg_start
from games.render.theme import FONT, STYLE_VERSION
from games.rules.board import Board

MIN_WIDTH, MAX_WIDTH, MAX_HEIGHT = 64, 1600, 2400
"""No picture is narrower, wider or taller, in pixels."""

_FONT_FILE = Path(__file__).parent / "fonts" / "Literata-Regular.ttf"
_OPTIONS = RenderOptions(font_family=FONT, resources_dir=str(_FONT_FILE.parent))


def board_png(
    board: Board,
    *,
    width: int = 480,
    scale: float = 1,
    translate: Callable[[str], str] = str,
) -> bytes:
    """Return the board's picture, `width` times `scale` pixels wide (clamped), as tall as needed.

    Slow (tens of milliseconds): keep the picture under its `picture_key`. Raises DrawingTooLarge.
    """
    svg = _svg(board, width * scale, translate)
    png: bytes = svg_to_png(svg, _fonts(), options=_OPTIONS)
    return png


def picture_key(
    board: Board,
    *,
    width: int = 480,
    scale: float = 1,
    translate: Callable[[str], str] = str,
) -> str:
    """Return a name for the picture that `board_png` makes of the same arguments.

    Boards that look alike share it; another look, size, language or style has another one.
    """
    svg = _svg(board, width * scale, translate)
    return sha256(f"{STYLE_VERSION} {svg}".encode()).hexdigest()[:40]


def _svg(board: Board, width: float, translate: Callable[[str], str]) -> str:
    layout = measure(board)
    tallest = MAX_HEIGHT * layout.width / layout.height
    pixels = round(min(max(width, MIN_WIDTH), MAX_WIDTH, tallest))
    head = f'{svg_start(layout, pixels)} font-family="{FONT}">'
    return head + svg_body(board, theme="print", translate=translate)


@cache
def _fonts() -> FontDatabase:
    fonts = FontDatabase()
    fonts.load_font_file(str(_FONT_FILE))
    return fonts
