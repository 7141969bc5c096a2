"""SVG of our own drawn by resvg in the colours of a palette, and such pictures as PNG.

resvg loads whatever path a drawing names and ends the whole process on a huge size. So nothing
comes here but the drawing of a Board, which names no path, and sizes are clamped. Pillow takes
memory: it is loaded by the processes that draw, when they first do.
"""

from __future__ import annotations

from functools import cache
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from svg2png_py import (  # type: ignore[import-untyped]  # it has stubs, but no py.typed
    FontDatabase,
    RenderOptions,
    svg_to_png,
)

from games.render.palette import PALETTE
from games.render.theme import FONT

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

_LEVEL = 2
"""Of compression: 3 takes a quarter longer for a tenth less, 6 twice as long."""

_COLOURS = list(chain.from_iterable(PALETTE))
_FONT_FILE = Path(__file__).parent / "fonts" / "Literata-Regular.ttf"
_OPTIONS = RenderOptions(font_family=FONT, resources_dir=str(_FONT_FILE.parent))


def draw_indices(svg: str, size: tuple[int, int]) -> bytes:
    """Return the picture of an SVG: for each pixel the place of its colour in the palette."""
    from PIL import Image

    drawn = svg_to_png(svg, _fonts(), bg_size=size, options=_OPTIONS)
    picture = Image.open(BytesIO(drawn), formats=["PNG"]).convert("RGB")
    return picture.quantize(palette=_palette(), dither=Image.Dither.NONE).tobytes()


def write_png(indices: bytes, size: tuple[int, int]) -> bytes:
    """Return a picture as PNG."""
    from PIL import Image

    picture = Image.frombytes("P", size, indices)
    picture.putpalette(_COLOURS)
    written = BytesIO()
    picture.save(written, "PNG", compress_level=_LEVEL)
    return written.getvalue()


@cache
def _palette() -> Picture:
    """Return an image that has the palette."""
    from PIL import Image

    image = Image.new("P", (1, 1))
    image.putpalette(_COLOURS)
    return image


@cache
def _fonts() -> FontDatabase:
    fonts = FontDatabase()
    fonts.load_font_file(str(_FONT_FILE))
    return fonts
