"""A board as SVG: one safe string, for a page (classes) or for print (fixed colours).

Nothing in it refers to anything outside itself, and every text is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator
from functools import partial
from html import escape
from itertools import pairwise
from math import ceil, hypot
from typing import NamedTuple

from games.render.layout import (
    Layout,
    contains,
    is_shown_one_by_one,
    measure,
    svg_number,
    target_areas,
)
from games.render.shapes import draw_shape, draw_stack, tilt_angle
from games.render.text import HELD, JUST_PLAYED, NONE_LEFT, board_text
from games.render.theme import FONT, ThemeName, attributes
from games.rules.base import N_
from games.rules.board import Area, Board, Cell, Piece, Side, Tray

EMPTY = N_("empty")

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_CLOSED_OPACITY = ".28"

Translate = Callable[[str], str]
Point = tuple[float, float]


class Mark(NamedTuple):
    """A piece of a drawing, and where it is drawn.

    `draw` returns its source at any place; outside the boxes (left, top, right, bottom from that
    place) it colours nothing.
    """

    x: float
    y: float
    draw: Callable[[float, float], str]
    boxes: tuple[tuple[float, float, float, float], ...]


def board_svg(
    board: Board,
    *,
    title: str,
    description: str,
    element_id: str | None = None,
    theme: ThemeName = "page",
    translate: Translate = str,
) -> str:
    """Return the board's drawing.

    `title` names it; its description is `description` and the board as text. `element_id` gives
    the drawing an id, and its title and description the ids that assistive technology follows.
    Each cell is a group of class "cell" with its square, place and spoken name as data.
    Raises DrawingTooLarge.
    """
    text = f"{description}\n\n{board_text(board, translate=translate)}"
    return svg_opening(measure(board), title, text, element_id, theme) + svg_body(
        board, theme=theme, translate=translate
    )


def svg_body(board: Board, *, theme: ThemeName, translate: Translate) -> str:
    """Return everything visible of a board's SVG, with its end tag but without its start."""
    return Drawing(board, theme, translate).source()


def svg_start(layout: Layout, width: float | None = None) -> str:
    """Return the attributes that every drawing begins with, `width` pixels wide."""
    width = width or layout.width
    height = width * layout.height / layout.width
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" class="board"'
        f' width="{width:.0f}" height="{height:.0f}"'
        f' viewBox="0 0 {svg_number(layout.width)} {svg_number(layout.height)}"'
    )


def svg_opening(
    layout: Layout, title: str, text: str, element_id: str | None, theme: ThemeName
) -> str:
    """Return the start of a drawing with its title and, if there is one, its description."""
    ids = title_id = text_id = ""
    if element_id is not None:
        name = escape_xml(element_id)
        title_id, text_id = f' id="{name}-title"', f' id="{name}-desc"'
        ids = f' id="{name}" aria-labelledby="{name}-title" aria-describedby="{name}-desc"'
    font = f' font-family="{FONT}, serif"' if theme == "print" else ""
    desc = f"<desc{text_id}>{escape_xml(text)}</desc>" if text else ""
    head = f'{svg_start(layout)}{ids}{font} role="img">'
    return f"{head}<title{title_id}>{escape_xml(title)}</title>{desc}"


def escape_xml(text: str) -> str:
    """Return a text escaped for XML, without the characters that XML forbids."""
    return escape(_NOT_XML.sub("\ufffd", text))


class Drawing:
    """The parts of one drawing, from the sheet upwards.

    `is_spoken` says whether its cells and trays are named for assistive technology.
    """

    is_spoken = True

    def __init__(self, board: Board, theme: ThemeName, translate: Translate) -> None:
        self.board, self.theme, self.translate = board, theme, translate
        self.look = partial(attributes, theme)
        self.layout = measure(board)
        self.pieces = {piece.square: piece for piece in board.pieces}
        self.last = frozenset(board.last)
        self.targets = target_areas(board)
        self.closed = [area for area in board.areas if area.closed]
        self.unit = svg_number(self.layout.unit)
        self.scale = svg_number(self.layout.unit / 100).removeprefix("0")

    def source(self) -> str:
        """Return everything that is visible, in the order of painting, and the end tag."""
        return "".join(self.elements()) + "</svg>"

    def elements(self) -> Iterator[str]:
        """Yield each element of what is visible, in the order of painting."""
        size = f'width="{svg_number(self.layout.width)}" height="{svg_number(self.layout.height)}"'
        yield f"<rect{self.look('sheet', None)} {size}/>"
        if grid := self._draw_grid():
            yield grid
        yield from self.draw_cells()
        yield from (mark.draw(mark.x, mark.y) for mark in self.marks())

    def _draw_grid(self) -> str:
        """Return the lines of squared paper through the cells that are points."""
        points = [cell for cell in self.board.cells if cell.shade == "point"]
        if not points:
            return ""
        half, ends = 0.5, []
        for y in sorted({cell.y for cell in points}):
            row = [cell.x for cell in points if cell.y == y]
            ends.append((min(row), y + half, max(row) + 1, y + half))
        for x in sorted({cell.x for cell in points}):
            column = [cell.y for cell in points if cell.x == x]
            ends.append((x + half, min(column), x + half, max(column) + 1))

        def point(x: float, y: float) -> str:
            return f"{svg_number(self.layout.x(x))} {svg_number(self.layout.y(y))}"

        path = "".join(f"M{point(x1, y1)}L{point(x2, y2)}" for x1, y1, x2, y2 in ends)
        return f'<path{self.look("grid", None)} stroke-width="1" d="{path}"/>'

    # A cell and its piece -----------------------------------------------------------------------

    def draw_cells(self) -> Iterator[str]:
        """Yield each cell with its piece; on a page each has an edge for focus and hover."""
        edge, side = "", svg_number(self.layout.unit - 4)
        if self.theme == "page":
            edge = f'<rect{self.look("edge", None)} x="2" y="2" width="{side}" height="{side}"/>'
        for cell in self.board.cells:
            piece = self.pieces.get(cell.square)
            words = [cell.square, self.translate(piece.name if piece else EMPTY)]
            if cell.square in self.last:
                words.append(self.translate(JUST_PLAYED))
            yield (
                f'<g class="cell" data-square="{escape_xml(cell.square)}" data-x="{cell.x:g}"'
                f' data-y="{cell.y:g}" data-label="{escape_xml(", ".join(words))}"'
                f' transform="translate({self.corner_of(cell)})">'
                f'<rect{self.ground_attributes(cell)} width="{self.unit}" height="{self.unit}"/>'
                f"{self.draw_stamp(cell)}{self.draw_content(cell)}{edge}</g>"
            )

    def corner_of(self, cell: Cell) -> str:
        """Return where a cell begins, as a transform takes it."""
        return f"{svg_number(self.layout.x(cell.x))} {svg_number(self.layout.y(cell.y))}"

    def ground_attributes(self, cell: Cell) -> str:
        """Return the attributes of a cell's ground."""
        target = " target" if any(contains(area, cell) for area in self.targets) else ""
        return self.look(f"ground {cell.shade}{target}", None)

    def draw_stamp(self, cell: Cell) -> str:
        """Mark the turn just played with the outline of a postage stamp."""
        if cell.square not in self.last:
            return ""
        unit = self.layout.unit
        inset, side, dot = svg_number(unit * 0.06), svg_number(unit * 0.88), unit * 0.045
        return (
            f'<rect{self.look("stamp", None)} x="{inset}" y="{inset}" width="{side}"'
            f' height="{side}" stroke-width="{svg_number(dot)}"'
            f' stroke-dasharray="0 {svg_number(unit * 0.088)}"/>'
        )

    def draw_content(self, cell: Cell) -> str:
        """Draw a cell's piece, or its number."""
        closed = any(contains(area, cell) for area in self.closed)
        return self.draw_piece(self.pieces.get(cell.square), cell, is_closed=closed)

    def draw_piece(self, piece: Piece | None, cell: Cell, *, is_closed: bool) -> str:
        """Draw the piece on a cell, or the cell's number; on closed areas faint, or nothing."""
        layout = self.layout
        if piece is None and (is_closed or not cell.label):
            return ""
        if piece is None:
            size, middle = min(layout.unit * 0.36, layout.font * 1.4), layout.unit / 2
            return self._draw_text("number", size, cell.label, middle, middle + size * 0.34)
        faint = f' opacity="{_CLOSED_OPACITY}"' if is_closed else ""
        angle = tilt_angle(piece.shape, cell.square)
        turn = f" rotate({angle} 50 50)" if angle else ""
        if piece.crown is None:
            drawn = draw_shape(piece.shape, piece.side, self.look)
        else:
            crown = None if piece.crown < 0 else piece.crown
            drawn = draw_stack(piece.shape, piece.side, piece.crown_shape, crown, self.look)
        return f'<g transform="scale({self.scale}){turn}"{faint}>{drawn}</g>'

    def _draw_text(
        self, role: str, size: float, text: str, x: float, y: float, *, spoken: str = ""
    ) -> str:
        """Return a text; what is `spoken` instead of it, if anything, is its data."""
        place = f'x="{svg_number(x)}" y="{svg_number(y)}" font-size="{svg_number(size)}"'
        label = f' data-label="{escape_xml(spoken)}"' if spoken else ""
        return f"<text{self.look(role, None)}{label} {place}>{escape_xml(text)}</text>"

    # Over the cells, and beside them ------------------------------------------------------------

    def marks(self) -> Iterator[Mark]:
        """Yield everything that is drawn over the cells or beside them, in drawing order."""
        for _, group in self.mark_groups():
            yield from group()

    def mark_groups(self) -> Iterator[tuple[Hashable, Callable[[], Iterator[Mark]]]]:
        """Yield the marks in groups, in drawing order: what makes them, after what they depend on.

        With the cells, the layout and the theme that is all that a group depends on.
        """
        board = self.board
        for area in board.areas:
            is_target = area in self.targets
            yield ("frame", area, is_target), partial(self._frame_marks, area)
        names = tuple([(area.x, area.y, area.label) for area in board.areas])
        yield ("names", names), self._name_marks
        yield ("lines", board.lines, tuple(self.closed)), self._line_marks
        yield ("labels", board.height, board.columns, board.rows), self._label_marks
        words = tuple([self.translate(tray.label) for tray in board.trays])
        for row, tray in enumerate(board.trays):
            men = tuple([self.translate(heap.name) for heap in tray.heaps])
            top = self.layout.tray_top + row * self.layout.tray_height
            yield ("tray", top, tray, words, men), partial(self._tray_marks, tray, top)

    def _frame_marks(self, area: Area) -> Iterator[Mark]:
        """Yield an area's frame."""
        layout = self.layout
        wide, tall = area.width * layout.unit, area.height * layout.unit
        sides = ((0, 0, wide, 0), (0, tall, wide, tall), (0, 0, 0, tall), (wide, 0, wide, tall))
        boxes = tuple((x1 - 2, y1 - 2, x2 + 2, y2 + 2) for x1, y1, x2, y2 in sides)
        frame = partial(self._draw_frame, area)
        yield Mark(layout.x(area.x), layout.y(area.y), frame, boxes)

    def _name_marks(self) -> Iterator[Mark]:
        """Yield the areas' labels, which lie on their frames."""
        layout = self.layout
        size = layout.font * 0.8
        for area in self.board.areas:
            if area.label:
                x, y = layout.x(area.x) + size * 0.4, layout.y(area.y) - size * 0.28
                yield self._text_mark("label", x, y, size, area.label)

    def _draw_frame(self, area: Area, x: float, y: float) -> str:
        kind = " closed" if area.closed else " target" if area in self.targets else ""
        return (
            f'<rect{self.look("frame" + kind, None)} x="{svg_number(x)}" y="{svg_number(y)}"'
            f' width="{svg_number(area.width * self.layout.unit)}"'
            f' height="{svg_number(area.height * self.layout.unit)}"'
            f' stroke-width="{3 if kind == " target" else 1.5}"/>'
        )

    def _line_marks(self) -> Iterator[Mark]:
        """Yield the strokes over the cells, and large over each closed area its owner's shape."""
        layout = self.layout
        centres = {c.square: (layout.x(c.x + 0.5), layout.y(c.y + 0.5)) for c in self.board.cells}
        for line in self.board.lines:
            start, end = centres[line.start], centres[line.end]
            if not line.win:
                yield self._stroke_mark("stroke", line.side, 0.07, start, end)
                continue
            start, end = self._beyond(end, start), self._beyond(start, end)
            yield self._stroke_mark("stroke casing", None, 0.11, start, end)
            yield self._stroke_mark("stroke win", line.side, 0.06, start, end)
        for area in self.closed:
            if area.shape is not None:
                size = min(area.width, area.height) * layout.unit
                x = layout.x(area.x) + (area.width * layout.unit - size) / 2
                y = layout.y(area.y) + (area.height * layout.unit - size) / 2
                owner = draw_shape(area.shape, area.side, self.look)
                yield self._shape_mark(owner, x, y, size, ' class="over"')

    def _stroke_mark(self, role: str, side: Side, wide: float, start: Point, end: Point) -> Mark:
        """Return a stroke; it colours little but boxes along it, each hardly a square long."""
        across, down = end[0] - start[0], end[1] - start[1]
        steps = max(1, ceil(max(abs(across), abs(down)) / self.layout.unit))
        stops = [(across * step / steps, down * step / steps) for step in range(steps + 1)]
        width = wide * self.layout.unit
        boxes = tuple(
            (
                min(x1, x2) - width / 2,
                min(y1, y2) - width / 2,
                max(x1, x2) + width / 2,
                max(y1, y2) + width / 2,
            )
            for (x1, y1), (x2, y2) in pairwise(stops)
        )

        def draw(x: float, y: float) -> str:
            x1, y1, x2, y2 = map(svg_number, (x, y, x + across, y + down))
            return (
                f'<line{self.look(role, side)} x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"'
                f' stroke-width="{svg_number(width)}"/>'
            )

        return Mark(*start, draw, boxes)

    def _beyond(self, start: Point, end: Point) -> Point:
        """Return where a stroke from `start` that runs a little past `end` stops."""
        length = hypot(end[0] - start[0], end[1] - start[1])
        more = 1 + 0.36 * self.layout.unit / length if length else 1
        (x1, y1), (x2, y2) = start, end
        return x1 + (x2 - x1) * more, y1 + (y2 - y1) * more

    def _label_marks(self) -> Iterator[Mark]:
        """Yield the labels at the board's edges."""
        layout, font = self.layout, self.layout.font
        below = layout.y(self.board.height) + font * 1.25
        for label, x in self.board.columns:
            yield self._text_mark("label", layout.x(x + 0.5), below, font, label)
        for label, y in self.board.rows:
            middle = layout.y(y + 0.5) + font * 0.34
            yield self._text_mark("label", layout.left - font * 0.95, middle, font, label)

    def _tray_marks(self, tray: Tray, top: float) -> Iterator[Mark]:
        """Yield a tray's label and its pieces."""
        layout, font, height = self.layout, self.layout.font, self.layout.tray_height
        line = top + height * 0.66
        words = self._tray_words(tray) if self.is_spoken else ""
        label = self.translate(tray.label)
        yield self._text_mark("tray", layout.left, line, font, label, spoken=words)
        longest = max(len(self.translate(other.label)) for other in self.board.trays)
        x = layout.left + (longest + 3) * font * 0.5
        if not any(heap.count for heap in tray.heaps):
            yield self._text_mark("tray", x, line, font, NONE_LEFT)
        for heap in tray.heaps:
            each = is_shown_one_by_one(tray, heap)
            for _ in range(heap.count if each else 1):
                piece = draw_shape(heap.shape, heap.side, self.look)
                yield self._shape_mark(piece, x, top, height)
                x += height * 0.9
            if not each:
                yield self._text_mark("tray", x, line, font, f"× {heap.count}")
                x += font * 2.5

    def _tray_words(self, tray: Tray) -> str:
        """Return what assistive technology says of a tray: "Discs in hand: disc × 3"."""
        held = [f"{self.translate(heap.name)} × {heap.count}" for heap in tray.heaps if heap.count]
        men = ", ".join(held) or NONE_LEFT
        return self.translate(HELD) % {"tray": self.translate(tray.label), "men": men}

    def _text_mark(
        self, role: str, x: float, y: float, size: float, text: str, *, spoken: str = ""
    ) -> Mark:
        """Return a text; `x` is its middle if it is a label at the board's edge, else its left."""
        reach = (len(text) + 1) * size  # no letter is wider than the font's size
        draw = partial(self._draw_text, role, size, text, spoken=spoken)
        return Mark(x, y, draw, ((-reach, -size, reach, 0.4 * size),))

    def _shape_mark(self, shape: str, x: float, y: float, size: float, attribute: str = "") -> Mark:
        """Return a shape in a box of `size`."""

        def draw(x: float, y: float) -> str:
            place = f"translate({svg_number(x)} {svg_number(y)}) scale({size / 100:.3f})"
            return f'<g{attribute} transform="{place}">{shape}</g>'

        return Mark(x, y, draw, ((0, 0, size, size),))
