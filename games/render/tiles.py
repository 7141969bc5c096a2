"""A board's PNG put together from tiles, with a palette.

Two positions of a game differ in few squares. So the drawing is cut along its squares, and a tile
is drawn by resvg only when nothing that looked like it was drawn before.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import chain, islice, pairwise
from math import ceil
from sys import intern
from typing import NamedTuple
from zlib import compress, crc32

from games.render.layout import is_shown_one_by_one, svg_number
from games.render.palette import INDEX_OF, PALETTE
from games.render.png import document_start, draw_part, pixel_width
from games.render.svg import Drawing, Translate
from games.rules.board import Board, Cell, Tray

NEW_TILES = 24
"""How many tiles are drawn for one picture; if it needs more, it is drawn whole that time."""

MOST_TILES = 8000
"""How many tiles are remembered, of 2 to 6 kB; then it begins anew."""

_LEVEL = 3
"""Of compression: 6 takes twice as long for a tenth less."""


class Place(NamedTuple):
    """A tile's rectangle in pixels, the start tag of its drawing and the parts that touch it."""

    start: str
    x: int
    y: int
    width: int
    height: int
    parts: tuple[str, ...]


_tiles: dict[Place, tuple[bytes, ...]] = {}


class DrawnPart(NamedTuple):
    """A piece of a drawing's source, and the rectangles outside which it draws nothing."""

    svg: str
    boxes: tuple[tuple[float, float, float, float], ...]


def tiled_png(
    board: Board, *, width: int, scale: float = 1, translate: Translate = str
) -> bytes | None:
    """Return the picture that `board_png` makes, in at most 256 colours; None: too much is new.

    Then some of what is new is remembered for the next time. Raises DrawingTooLarge.
    """
    if len(_tiles) > MOST_TILES:
        _tiles.clear()
    sheet = Sheet(board, "print", translate)
    pixels = pixel_width(sheet.layout, width * scale)
    start = document_start(sheet.layout, pixels)
    ratio = pixels / sheet.layout.width
    columns, rows = sheet.cuts(ratio, pixels)
    keys: list[list[list[str]]] = [[[] for _ in columns[1:]] for _ in rows[1:]]
    for part in sheet.parts():
        svg = intern(part.svg)  # many tiles have it in their keys
        for left, top, right, bottom in part.boxes:
            # Whatever ends within a pixel colours it.
            across = touched(columns, left * ratio - 1, right * ratio + 1)
            for row in keys[touched(rows, top * ratio - 1, bottom * ratio + 1)]:
                for key in row[across]:
                    if not key or key[-1] is not svg:
                        key.append(svg)
    places = [
        [
            Place(start, x, y, right - x, bottom - y, tuple(parts))
            for parts, (x, right) in zip(row, pairwise(columns), strict=True)
        ]
        for row, (y, bottom) in zip(keys, pairwise(rows), strict=True)
    ]
    missing = [place for place in chain.from_iterable(places) if place not in _tiles]
    for place in islice(missing, NEW_TILES):
        remember(place)
    if len(missing) > NEW_TILES:
        return None
    lines = []
    for places_of_row in places:
        tiles = [_tiles[place] for place in places_of_row]
        # Each line begins with its filter: none.
        lines += [b"\0" + b"".join(parts) for parts in zip(*tiles, strict=True)]
    return png_of(pixels, rows[-1], b"".join(lines))


def touched(cuts: Sequence[int], begin: float, end: float) -> slice:
    """Return which of the spans between the cuts a span touches."""
    return slice(max(0, bisect_right(cuts, begin) - 1), max(0, bisect_left(cuts, end)))


def remember(place: Place) -> None:
    """Draw a tile, and remember its lines."""
    svg = f"{place.start}{''.join(place.parts)}</svg>"
    drawn = draw_part(svg, place.x, place.y, place.width, place.height)
    _tiles[place] = tuple(bytes(map(INDEX_OF.__getitem__, line.cast("I"))) for line in drawn)


def png_of(width: int, height: int, lines: bytes) -> bytes:
    """Return a PNG whose lines of indices, each after its filter, are given."""
    header = width.to_bytes(4) + height.to_bytes(4) + bytes((8, 3, 0, 0, 0))
    colours = bytes(chain.from_iterable(PALETTE))
    chunks = [(b"IHDR", header), (b"PLTE", colours), (b"IDAT", compress(lines, _LEVEL))]
    parts = [b"\x89PNG\r\n\x1a\n"]
    for name, body in [*chunks, (b"IEND", b"")]:
        parts += [len(body).to_bytes(4), name, body, crc32(name + body).to_bytes(4)]
    return b"".join(parts)


class Sheet(Drawing):
    """A drawing in parts. What only pages need of a cell, such as its name, is left out."""

    def cuts(self, ratio: float, pixels: int) -> tuple[list[int], list[int]]:
        """Return where the picture is cut, in pixels from its left and from its top."""
        layout = self.layout
        across = {int(layout.x(cell.x) * ratio) for cell in self.board.cells}
        across.add(int(layout.x(self.board.width) * ratio))
        down = {int(layout.y(cell.y) * ratio) for cell in self.board.cells}
        down.add(int(layout.y(self.board.height) * ratio))
        for row in range(len(self.board.trays) + 1):
            down.add(int((layout.tray_top + row * layout.tray_height) * ratio))
        tall = int(f"{pixels * layout.height / layout.width:.0f}")
        return (
            sorted({0, pixels} | {cut for cut in across if 0 < cut < pixels}),
            sorted({0, tall} | {cut for cut in down if 0 < cut < tall}),
        )

    def parts(self) -> Iterator[DrawnPart]:
        """Yield the parts in the order of painting."""
        layout, board = self.layout, self.board
        whole = (0.0, 0.0, layout.width, layout.height)
        size = f'width="{svg_number(layout.width)}" height="{svg_number(layout.height)}"'
        yield DrawnPart(f"<rect{self.look('sheet', None)} {size}/>{self._draw_grid()}", (whole,))
        for cell in board.cells:
            yield from self.cell_parts(cell)
        yield from self.area_parts()
        yield from self.line_parts()
        fragments = self._draw_labels_and_trays()
        below = layout.y(board.height) + 1
        for _, x in board.columns:
            box = (layout.x(x) - layout.font, below, layout.x(x + 1) + layout.font, layout.tray_top)
            yield DrawnPart(next(fragments), (box if board.trays else (*box[:3], layout.height),))
        for _, y in board.rows:
            yield DrawnPart(next(fragments), ((0, layout.y(y), layout.left, layout.y(y + 1)),))
        for row, tray in enumerate(board.trays):
            top = layout.tray_top + row * layout.tray_height
            drawn = "".join(islice(fragments, fragments_of(tray)))
            yield DrawnPart(drawn, ((0, top, layout.width, top + layout.tray_height),))

    def cell_parts(self, cell: Cell) -> Iterator[DrawnPart]:
        """Yield the ground, whose edge reaches into the next cells, and what lies on it."""
        x, y, unit = self.layout.x(cell.x), self.layout.y(cell.y), self.layout.unit
        place = f'<g transform="translate({svg_number(x)} {svg_number(y)})">'
        ground = f'<rect{self.ground_attributes(cell)} width="{self.unit}" height="{self.unit}"/>'
        yield DrawnPart(f"{place}{ground}</g>", ((x - 1, y - 1, x + unit + 1, y + unit + 1),))
        drawn = self.draw_stamp(cell) + self.draw_content(cell)
        if drawn:
            free = unit * 0.03
            inner = (x + free, y + free, x + unit - free, y + unit - free)
            yield DrawnPart(f"{place}{drawn}</g>", (inner,))

    def area_parts(self) -> Iterator[DrawnPart]:
        layout, areas = self.layout, self.board.areas
        fragments = self._draw_areas()
        for area in areas:
            left, right = layout.x(area.x), layout.x(area.x + area.width)
            top, bottom = layout.y(area.y), layout.y(area.y + area.height)
            sides = (
                (left - 2, top - 2, right + 2, top + 2),
                (left - 2, bottom - 2, right + 2, bottom + 2),
                (left - 2, top - 2, left + 2, bottom + 2),
                (right - 2, top - 2, right + 2, bottom + 2),
            )
            yield DrawnPart(next(fragments), sides)
        for area in areas:
            if area.label:
                x, y, size = layout.x(area.x), layout.y(area.y), layout.font
                box = (x - len(area.label) * size, y - 1.2 * size, x + size, y)
                yield DrawnPart(next(fragments), (box,))

    def line_parts(self) -> Iterator[DrawnPart]:
        layout, unit = self.layout, self.layout.unit
        cells = {cell.square: cell for cell in self.board.cells}
        fragments = self._draw_lines()
        for line in self.board.lines:
            start, end = cells[line.start], cells[line.end]
            steps = max(1, ceil(abs(end.x - start.x)), ceil(abs(end.y - start.y)))
            reach = unit / 2 if line.win else unit / 10
            boxes = []
            for step in range(steps):
                shares = (step / steps, (step + 1) / steps)
                xs = [layout.x(start.x + (end.x - start.x) * share + 0.5) for share in shares]
                ys = [layout.y(start.y + (end.y - start.y) * share + 0.5) for share in shares]
                boxes.append((min(xs) - reach, min(ys) - reach, max(xs) + reach, max(ys) + reach))
            for fragment in islice(fragments, 2 if line.win else 1):
                yield DrawnPart(fragment, tuple(boxes))
        for area in self.closed:
            if area.shape is not None:
                left, right = layout.x(area.x), layout.x(area.x + area.width)
                top, bottom = layout.y(area.y), layout.y(area.y + area.height)
                yield DrawnPart(next(fragments), ((left, top, right, bottom),))


def fragments_of(tray: Tray) -> int:
    """Return in how many fragments a tray is drawn."""
    heaps = [heap.count if is_shown_one_by_one(tray, heap) else 2 for heap in tray.heaps]
    return 1 + (sum(heaps) or 1)
