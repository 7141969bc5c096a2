"""SVG of our own drawn by resvg in the colours of a palette, and such pictures as PNG.

resvg loads whatever path a drawing names and ends the whole process on a huge size. So nothing
comes here but the drawing of a Board, which names no path, and sizes are clamped. Pillow takes
memory: it is loaded by the processes that draw, when they first do. PNG is written here, from lines
of tiles as they are: Pillow would copy and search them again, and compress them with zlib. It is
compressed in bands, so that a band that two pictures share is compressed once.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from svg2png_py import (  # type: ignore[import-untyped]  # it has stubs, but no py.typed
    FontDatabase,
    RenderOptions,
    svg_to_png,
    svg_to_rgba,
)
from zlib_ng import zlib_ng

from games.render.palette import PALETTE
from games.render.theme import FONT

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_DEPTH, _INDEXED = 8, 3
"""Bits of a pixel, and the colour type of pictures with a palette."""

_UNFILTERED = b"\0"
"""Begins each line: its pixels are as they are, not differences."""

_EFFORT = 6
"""Of 1 to 9: a picture is a little smaller than zlib makes it, in half of the time. More makes it
little smaller and takes four times as long."""

_RAW, _MEMORY, _ANY = -15, 8, 0
"""Of zlib: no header and no checksum, the usual memory, and no kind of data in particular."""

_ZLIB_HEADER, _ZLIB_END = b"\x78\x9c", b"\x03\x00"
"""What begins the compressed pixels of a picture, and an empty last block (RFC 1950 and 1951)."""

_ADLER = 65521
"""The checksum's two sums are taken modulo this (RFC 1950)."""

_COLOURS = list(chain.from_iterable(PALETTE))
_FONT_FILE = Path(__file__).parent / "fonts" / "Literata-Regular.ttf"
_OPTIONS = RenderOptions(font_family=FONT, resources_dir=str(_FONT_FILE.parent))


def draw_indices(svg: str, size: tuple[int, int]) -> bytes:
    """Return the picture of an SVG: for each pixel the place of its colour in the palette."""
    from PIL import Image

    drawn = svg_to_png(svg, _fonts(), bg_size=size, options=_OPTIONS)
    picture = Image.open(BytesIO(drawn), formats=["PNG"]).convert("RGB")
    return picture.quantize(palette=_palette(), dither=Image.Dither.NONE).tobytes()


def draw_coverage(svg: str) -> Picture:
    """Return how strongly an SVG colours each pixel, 0 to 255."""
    from PIL import Image

    drawn, width, height = svg_to_rgba(svg, _fonts(), options=_OPTIONS)
    return Image.frombytes("RGBA", (width, height), drawn).getchannel("A")


def write_gif(frames: Iterable[bytes], size: tuple[int, int], *, durations: Sequence[int]) -> bytes:
    """Return an animation as GIF that repeats, from each frame's indices of the palette.

    `durations` says for how many milliseconds each frame is shown. Frames that look alike become
    one, which is shown for as long as they.
    """
    from PIL import Image

    def pictures() -> Iterator[Picture]:
        for indices in frames:
            picture = Image.frombytes("P", size, indices)
            picture.putpalette(_COLOURS)
            yield picture

    first, *others = pictures()
    written = BytesIO()
    first.save(
        written,
        "GIF",
        save_all=True,
        append_images=others,
        duration=list(durations),
        loop=0,
        optimize=False,
    )
    return written.getvalue()


class Band(NamedTuple):
    """Some lines of a picture, compressed without what is above them.

    `chunk` is a part of a PNG file, `checksum` and `length` are those of the pixels in it.
    """

    chunk: bytes
    checksum: int
    length: int


def compress_band(lines: Iterable[bytes]) -> Band:
    """Return lines of indices of the palette as a band, which any other band may follow."""
    pixels = _UNFILTERED.join((b"", *lines))
    compressor = zlib_ng.compressobj(_EFFORT, zlib_ng.DEFLATED, _RAW, _MEMORY, _ANY)
    compressed = compressor.compress(pixels) + compressor.flush(zlib_ng.Z_FULL_FLUSH)
    return Band(_chunk(b"IDAT", compressed), zlib_ng.adler32(pixels), len(pixels))


def write_png(bands: Iterable[Band], size: tuple[int, int]) -> bytes:
    """Return a picture as PNG (RFC 2083), from its bands, top to bottom."""
    header = struct.pack(">2L5B", *size, _DEPTH, _INDEXED, 0, 0, 0)
    chunks = [_chunk(b"IHDR", header), _PALETTE_CHUNK, _ZLIB_HEADER_CHUNK]
    low, high = 1, 0
    for chunk, checksum, length in bands:
        chunks.append(chunk)
        # As if the bands' pixels had been summed one after the other.
        high = (high + (checksum >> 16) + length * (low - 1)) % _ADLER
        low = (low + (checksum & 0xFFFF) - 1) % _ADLER
    chunks.append(_chunk(b"IDAT", _ZLIB_END + struct.pack(">2H", high, low)))
    return b"".join((_SIGNATURE, *chunks, _END_CHUNK))


def _chunk(kind: bytes, content: bytes) -> bytes:
    """Return a part of a PNG file: length, kind, content and checksum."""
    checksum = zlib_ng.crc32(kind + content)
    return struct.pack(">L", len(content)) + kind + content + struct.pack(">L", checksum)


_PALETTE_CHUNK = _chunk(b"PLTE", bytes(_COLOURS))
_ZLIB_HEADER_CHUNK, _END_CHUNK = _chunk(b"IDAT", _ZLIB_HEADER), _chunk(b"IEND", b"")


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
