"""A board as a PNG, drawn by resvg from our own SVG alone.

resvg loads whatever path a drawing names and ends the whole process on a huge size. So nothing
comes here but the drawing of a Board, which names no path, and sizes are clamped.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from zlib import decompress

from svg2png_py import (  # type: ignore[import-untyped]  # it has stubs, but no py.typed
    FontDatabase,
    RenderOptions,
    svg_to_png,
)

from games.render.layout import Layout, measure
from games.render.svg import svg_body, svg_start
from games.render.theme import FONT, STYLE_VERSION
from games.rules.board import Board

MIN_WIDTH, MAX_WIDTH, MAX_HEIGHT = 64, 1600, 2400
"""No picture is narrower, wider or taller, in pixels."""

_SUB, _UP, _AVERAGE, _PAETH = 1, 2, 3, 4
"""The filters of a PNG's lines."""

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
    head = document_start(layout, pixel_width(layout, width))
    return head + svg_body(board, theme="print", translate=translate)


def pixel_width(layout: Layout, width: float) -> int:
    """Return how wide a picture is that is to be `width` pixels wide."""
    tallest = MAX_HEIGHT * layout.width / layout.height
    return round(min(max(width, MIN_WIDTH), MAX_WIDTH, tallest))


def document_start(layout: Layout, pixels: int) -> str:
    """Return the start tag of a picture's SVG."""
    return f'{svg_start(layout, pixels)} font-family="{FONT}">'


def draw_part(svg: str, x: int, y: int, width: int, height: int) -> list[memoryview]:
    """Return a rectangle of an SVG's picture: its lines, each of red, green, blue, alpha."""
    move = (1.0, 0.0, float(-x), 0.0, 1.0, float(-y))
    png: bytes = svg_to_png(
        svg, _fonts(), transform=move, bg_size=(width, height), options=_OPTIONS
    )
    return decoded(png, width * 4)


def decoded(png: bytes, wide: int) -> list[memoryview]:
    """Return the lines of a PNG with four bytes a pixel, `wide` bytes each."""
    data, at = b"", 8
    while at < len(png):
        length = int.from_bytes(png[at : at + 4])
        if png[at + 4 : at + 8] == b"IDAT":
            data += png[at + 8 : at + 8 + length]
        at += 12 + length
    data = decompress(data)
    above, lines = bytes(wide), []
    for start in range(0, len(data), wide + 1):
        above = unfiltered(data[start], data[start + 1 : start + 1 + wide], above)
        lines.append(memoryview(above))
    return lines


def unfiltered(kind: int, line: bytes, above: bytes) -> bytes:
    """Return a line of a PNG without its filter, given the line above it."""
    if kind == 0:
        return line
    if kind in (_UP, _PAETH) and not any(line) and any(above):
        return above
    if kind == _UP:
        return byte_sums(line, above)
    done, over = memoryview(bytearray(4) + line), memoryview(bytes(4) + above)
    pixels, pixels_above = done.cast("I"), over.cast("I")
    for at in range(1, len(pixels)):
        left, up, corner = pixels[at - 1], pixels_above[at], pixels_above[at - 1]
        if kind == _PAETH and not pixels[at] and corner in (left, up):
            pixels[at] = left if up == corner else up
            continue
        for i in range(4 * at, 4 * at + 4):
            near = predicted(kind, done[i - 4], over[i], over[i - 4])
            done[i] = (done[i] + near) & 255
    return bytes(done[4:])


def predicted(kind: int, left: int, up: int, corner: int) -> int:
    """Return what a byte is expected to be by a filter, from the bytes around it."""
    if kind == _SUB:
        return left
    if kind == _AVERAGE:
        return (left + up) // 2
    from_left, from_up = abs(up - corner), abs(left - corner)
    from_corner = abs(left + up - 2 * corner)
    if from_left <= from_up and from_left <= from_corner:
        return left
    return up if from_up <= from_corner else corner


def byte_sums(one: bytes, two: bytes) -> bytes:
    """Return the sums of bytes, without what is carried over."""
    low = int.from_bytes(b"\x7f" * len(one))
    a, b = int.from_bytes(one), int.from_bytes(two)
    sums = ((a & low) + (b & low)) ^ ((a ^ b) & ~low)
    return sums.to_bytes(len(one))


@cache
def _fonts() -> FontDatabase:
    fonts = FontDatabase()
    fonts.load_font_file(str(_FONT_FILE))
    return fonts
