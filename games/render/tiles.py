"""A board's picture put together from tiles, with a palette.

Two positions of a game differ in few squares. So every square is a whole number of pixels wide, the
picture is cut along the squares, and a tile is drawn by resvg only when no tile that looks like it
was drawn before, wherever that lies. A row of tiles that was compressed before is not compressed
again: a turn changes few rows.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain, pairwise
from math import ceil, floor
from sys import intern
from typing import NamedTuple

from games.render.layout import contains, svg_number
from games.render.png import Band, compress_band, draw_indices, write_png
from games.render.svg import Drawing, Mark, Translate
from games.render.theme import FONT, attributes
from games.rules.board import Area, Board, Cell

ROUNDING = 0.5 + 1e-6
"""What is added before what follows the point is cut off. A bit more than a half: squares with
parts of squares between them may begin at half a pixel, and must then all begin at the same one."""

MIN_WIDTH, MAX_WIDTH, MAX_HEIGHT = 64, 1600, 2400
"""No picture is narrower, wider or taller, in pixels."""

MOST_GROUNDS = 400
"""How many boards' grounds are remembered, of some 10 kB."""

MOST_TILES = 8000
"""How many tiles are remembered, of 2 to 6 kB; then it begins anew."""

MOST_BANDS = 4000
"""How many compressed rows of tiles are remembered, of about a kilobyte; then it begins anew."""

BAND_HEIGHT = 40
"""Pixels, at least, of what is compressed together: less compresses badly, more is seldom the same.
Small rows, of 23 pixels, make 3 kB more by twos than all together, and 5 kB by ones."""

LARGEST_OF_BANDS = 14_000
"""Bytes of a picture that is compressed in bands; a larger one is compressed as a whole, which
makes a full board a tenth smaller: no letter of a turn shall be larger than 30 kB."""

MOST_SOURCES, MOST_MARKS = 4000, 1000
"""How many drawings of cells, and groups of marks, are remembered of one kind of board."""

Part = tuple[str, int, int]
"""A part of a drawing: its source around its own place, and that place in pixels."""

Boxes = Sequence[tuple[int, int, int, int]]
"""Rectangles from a part's place, in pixels: left, top, right, bottom."""


PlacedPart = tuple[str, int, int, Boxes]
"""A part with its place in the picture and the boxes outside which it draws nothing."""


class Frame:
    """How the pictures of one kind of board are cut, and what lies where on the tiles.

    Tiles are counted row by row. `cells` has for each cell the tiles that it touches, each with the
    cell's place from the tile's. `sources` has the drawing of a cell by what is on it, `marks` the
    parts of a group of marks, each with its tile, `covered` the cells in an area, and `drawn` tiles
    by their number, their ground and their parts: all that was drawn before.
    """

    def __init__(self, sheet: Sheet) -> None:
        self.columns, self.rows = sheet.cuts()
        inside = ((0, 0, sheet.square, sheet.square),)
        self.cells = [
            [(tile, x, y) for tile, (_, x, y) in self.placed([("", *sheet.place_of(cell), inside)])]
            for cell in sheet.board.cells
        ]
        self.sources: dict[object, str] = {}
        self.marks: dict[Hashable, list[tuple[int, Part]]] = {}
        self.covered: dict[Area, frozenset[str]] = {}
        self.drawn: dict[object, DrawnTile] = {}

    def placed(self, parts: Iterable[PlacedPart]) -> list[tuple[int, Part]]:
        """Return the parts that touch each tile, with their places from the tile's."""
        by_tile = parts_by_tile(parts, self.columns, self.rows)
        return [
            (tile, part)
            for tile, found in enumerate(chain.from_iterable(by_tile))
            for part in found
        ]


class Tile(NamedTuple):
    """What a tile shows: its size in pixels, the drawing's scale, its ground and the parts on it.

    `ground` is the source of the squares' ground, which many tiles share; it counts as one part.
    """

    width: int
    height: int
    scale: float
    ground: str
    parts: tuple[Part, ...]

    def source(self) -> str:
        """Return the tile as SVG."""
        size = f'width="{self.width}" height="{self.height}"'
        paper = f"<rect{attributes('print', 'sheet', None)} {size}/>"
        drawn = source_of(self.parts, self.scale)
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{FONT}">'
        return f"{head}{paper}{self.ground}{drawn}</svg>"


class DrawnTile:
    """The lines of a tile, of indices of the palette.

    It equals itself only: bands are found by their tiles, and comparing lines would take long.
    """

    __slots__ = ("lines",)

    def __init__(self, tile: Tile) -> None:
        wide = tile.width
        indices = draw_indices(tile.source(), (wide, tile.height))
        self.lines = [indices[at : at + wide] for at in range(0, len(indices), wide)]


def drawn_tile(tile: Tile) -> DrawnTile:
    """Return a tile as it was drawn when one first looked like it."""
    drawn = _drawn.get(tile)
    if drawn is None:
        drawn = _drawn[tile] = DrawnTile(tile)
    return drawn


_drawn: dict[Tile, DrawnTile] = {}
"""Each tile as it was drawn."""

_bands: dict[tuple[DrawnTile, ...], Band] = {}
"""Rows of tiles as they were compressed."""

_grounds: dict[object, list[tuple[Tile, DrawnTile]]] = {}
"""The tiles with nothing on their ground, by all that it depends on: hardly more than the kinds of
boards."""

_frames: dict[object, Frame] = {}
"""The frame of each kind of board."""


def board_png(
    board: Board, *, width: int = 480, scale: float = 1, translate: Translate = str
) -> bytes:
    """Return the board's picture, `width` times `scale` pixels wide (clamped), as tall as needed.

    Raises DrawingTooLarge.
    """
    sheet = Sheet(board, width * scale, translate)
    bands, tiles, height = [], [], 0
    rows = sheet.tiles()
    for row in rows:
        tiles.append(row)
        height += len(row[0].lines)
        if height >= BAND_HEIGHT:
            bands.append(band_of(tiles))
            tiles, height = [], 0
    if tiles:
        bands.append(band_of(tiles))
    size = (sheet.width, sheet.height)
    picture = write_png(bands, size)
    if len(picture) > LARGEST_OF_BANDS:
        picture = write_png([compress_band(chain.from_iterable(map(joined_lines, rows)))], size)
    return picture


def band_of(rows: Sequence[Sequence[DrawnTile]]) -> Band:
    """Return rows of tiles as a band of a picture."""
    key = tuple(chain.from_iterable(rows))
    band = _bands.get(key)
    if band is None:
        if len(_bands) > MOST_BANDS:
            _bands.clear()
        band = _bands[key] = compress_band(chain.from_iterable(map(joined_lines, rows)))
    return band


def board_lines(
    board: Board, width: float, translate: Translate
) -> tuple[list[bytes], tuple[int, int]]:
    """Return the lines of a board's picture, of indices of the palette, and its size in pixels.

    Raises DrawingTooLarge.
    """
    sheet = Sheet(board, width, translate)
    lines = list(chain.from_iterable(map(joined_lines, sheet.tiles())))
    return lines, (sheet.width, sheet.height)


def joined_lines(row: Sequence[DrawnTile]) -> Iterator[bytes]:
    """Return the lines of a row of tiles."""
    return map(b"".join, zip(*(tile.lines for tile in row), strict=True))


def source_of(parts: Iterable[Part], scale: float) -> str:
    """Return the source of parts at their places."""
    return "".join(
        f'<g transform="translate({x} {y}) scale({scale:.6f})">{svg}</g>' for svg, x, y in parts
    )


class Sheet(Drawing):
    """A drawing in pixels, in parts. What only pages need of a cell, such as its name, is left out.

    Each part is moved by less than a pixel, to a whole one.
    """

    is_spoken = False

    def __init__(self, board: Board, width: float, translate: Translate) -> None:
        super().__init__(board, "print", translate)
        layout = self.layout
        tallest = MAX_HEIGHT * layout.width / layout.height
        self.width = round(min(max(width, MIN_WIDTH), MAX_WIDTH, tallest))
        # What squares of whole pixels leave over is put to the margins.
        self.square = max(1, floor(self.width / layout.width * layout.unit))
        self.ratio = self.square / layout.unit
        self.left = floor((self.width - board.width * self.square) / 2)
        self.top = floor(layout.top * self.ratio)
        self.height = self.pixel_y(layout.height)

    def pixel_x(self, x: float) -> int:
        """Return the pixel nearest to a place of the drawing."""
        return self.left + floor((x - self.layout.left) * self.ratio + ROUNDING)

    def pixel_y(self, y: float) -> int:
        """Return the pixel nearest to a place of the drawing."""
        return self.top + floor((y - self.layout.top) * self.ratio + ROUNDING)

    def tiles(self) -> list[list[DrawnTile]]:
        """Return the tiles, row by row."""
        frame = self.frame()
        bare = self.bare_tiles(frame)
        on_tiles: list[list[Part]] = [[] for _ in bare]
        for source, places in zip(self.cell_sources(frame), frame.cells, strict=True):
            if source:
                for tile, x, y in places:
                    on_tiles[tile].append((source, x, y))
        for key, group in self.mark_groups():
            placed = frame.marks.get(key)
            if placed is None:
                placed = frame.placed(map(self.placed_mark, group()))
                if len(frame.marks) > MOST_MARKS:
                    frame.marks.clear()
                frame.marks[key] = placed
            for tile, part in placed:
                on_tiles[tile].append(part)
        tiles = []
        if len(frame.drawn) > MOST_TILES:
            frame.drawn.clear()
        for number, ((below, drawn_bare), parts) in enumerate(zip(bare, on_tiles, strict=True)):
            if not parts:
                tiles.append(drawn_bare)
                continue
            key = (number, below.ground, *parts)
            drawn = frame.drawn.get(key)
            if drawn is None:
                drawn = frame.drawn[key] = drawn_tile(below._replace(parts=tuple(parts)))
            tiles.append(drawn)
        across = len(frame.columns) - 1
        return [tiles[at : at + across] for at in range(0, len(tiles), across)]

    def frame(self) -> Frame:
        """Return the frame of the board's kind."""
        if len(_drawn) > MOST_TILES or len(_grounds) > MOST_GROUNDS:
            for memory in (_drawn, _grounds, _frames, _bands):
                memory.clear()
        board = self.board
        key = (board.cells, board.width, board.height, len(board.trays), self.layout, self.width)
        frame = _frames.get(key)
        if frame is None:
            frame = _frames[key] = Frame(self)
        return frame

    def bare_tiles(self, frame: Frame) -> list[tuple[Tile, DrawnTile]]:
        """Return the tiles with nothing on their ground, and as they are drawn then."""
        columns, rows = frame.columns, frame.rows
        key = (frame, *self.targets)
        tiles = _grounds.get(key)
        if tiles is None:
            grounds = parts_by_tile(self.grounds(), columns, rows)
            bare = (
                Tile(right - left, bottom - top, self.ratio, source_of(parts, self.ratio), ())
                for row, (top, bottom) in zip(grounds, pairwise(rows), strict=True)
                for parts, (left, right) in zip(row, pairwise(columns), strict=True)
            )
            tiles = _grounds[key] = [(tile, drawn_tile(tile)) for tile in bare]
        return tiles

    def cell_sources(self, frame: Frame) -> Iterator[str]:
        """Yield what is drawn on each cell; empty: nothing."""
        known, cells = frame.sources, self.board.cells
        for area in self.closed:
            if area not in frame.covered:
                frame.covered[area] = frozenset(
                    cell.square for cell in cells if contains(area, cell)
                )
        closed = [frame.covered[area] for area in self.closed]
        for cell in cells:
            square = cell.square
            piece, is_last = self.pieces.get(square), square in self.last
            if piece is None and not is_last and not cell.label:
                yield ""
                continue
            is_closed = any(square in covered for covered in closed)
            key = (square, cell.label, is_last, is_closed, piece)
            source = known.get(key)
            if source is None:
                drawn = self.draw_stamp(cell) + self.draw_piece(piece, cell, is_closed=is_closed)
                if len(known) > MOST_SOURCES:
                    known.clear()
                source = known[key] = intern(drawn)
            yield source

    def cuts(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return where the picture is cut, in pixels from its left and from its top."""
        layout, board = self.layout, self.board
        across = {*(cell.x for cell in board.cells), board.width}
        down = {*(cell.y for cell in board.cells), board.height}
        below = [layout.tray_top + row * layout.tray_height for row in range(len(board.trays))]
        return (
            cuts_within(self.width, (self.pixel_x(layout.x(x)) for x in across)),
            cuts_within(self.height, map(self.pixel_y, chain(map(layout.y, down), below))),
        )

    def grounds(self) -> Iterator[PlacedPart]:
        """Yield the background of each square. Its edge covers a bit of the squares beside it."""
        edge = ceil(self.ratio / 2)
        boxes = ((-edge, -edge, self.square + edge, self.square + edge),)
        half = svg_number(self.layout.unit / 2)
        point = f'<path{self.look("grid", None)} d="M0 {half}h{self.unit}M{half} 0v{self.unit}"/>'
        for cell in self.board.cells:
            ground = self.ground_attributes(cell)
            drawn = f'<rect{ground} width="{self.unit}" height="{self.unit}"/>'
            yield point * (cell.shade == "point") + drawn, *self.place_of(cell), boxes

    def parts(self) -> Iterator[PlacedPart]:
        """Yield the parts on the ground, in the order of painting.

        They are moved by less than a pixel, to a whole one.
        """
        inside = ((0, 0, self.square, self.square),)
        for cell, drawn in zip(self.board.cells, self.cell_sources(self.frame()), strict=True):
            if drawn:
                yield drawn, *self.place_of(cell), inside
        yield from map(self.placed_mark, self.marks())

    def placed_mark(self, mark: Mark) -> PlacedPart:
        """Return a mark as a part, at the nearest pixel."""
        ratio = self.ratio
        boxes = [
            (floor(left * ratio), floor(top * ratio), ceil(right * ratio), ceil(bottom * ratio))
            for left, top, right, bottom in mark.boxes
        ]
        return mark.draw(0, 0), self.pixel_x(mark.x), self.pixel_y(mark.y), boxes

    def place_of(self, cell: Cell) -> tuple[int, int]:
        """Return the pixel at a cell's upper left corner."""
        return self.pixel_x(self.layout.x(cell.x)), self.pixel_y(self.layout.y(cell.y))


def parts_by_tile(
    parts: Iterable[PlacedPart], columns: Sequence[int], rows: Sequence[int]
) -> list[list[list[Part]]]:
    """Return the parts that touch each tile, with their places from the tile's."""
    found: list[list[list[Part]]] = [[[] for _ in columns[1:]] for _ in rows[1:]]
    for svg, x, y, boxes in parts:
        look = intern(svg)  # many tiles have it in their keys
        for left, top, right, bottom in boxes:
            across = touched(columns, x + left, x + right)
            for row in touched(rows, y + top, y + bottom):
                for column in across:
                    part = (look, x - columns[column], y - rows[row])
                    known = found[row][column]
                    if not known or known[-1] != part:
                        known.append(part)
    return found


def cuts_within(length: int, cuts: Iterable[int]) -> tuple[int, ...]:
    """Return those of the cuts that are within a length, in order, and its ends."""
    return tuple(sorted({0, length, *(cut for cut in cuts if 0 < cut < length)}))


def touched(cuts: Sequence[int], begin: int, end: int) -> range:
    """Return which of the spans between the cuts a span touches."""
    first, last = bisect_right(cuts, begin) - 1, bisect_left(cuts, end)
    return range(max(0, first), min(last, len(cuts) - 1))
