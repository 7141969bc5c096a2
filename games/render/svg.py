"""A board as SVG: one safe string, for a page (classes) or for print (fixed colours).

Nothing in it refers to anything outside itself, and every text is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import escape
from math import hypot

from games.render.layout import Layout, holds, measure, number, one_by_one, targets
from games.render.shapes import shape, stack, tilt
from games.render.text import NONE_LEFT, board_text
from games.render.theme import FONT, ThemeName, look
from games.rules.base import N_
from games.rules.board import Area, Board, Cell, Line, Piece, Side

EMPTY = N_("empty")
JUST_PLAYED = N_("just played")

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_CLOSED_OPACITY = ".28"

Translate = Callable[[str], str]
Point = tuple[float, float]


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
    return opening(measure(board), title, text, element_id, theme) + drawing(
        board, theme=theme, translate=translate
    )


def drawing(board: Board, *, theme: ThemeName, translate: Translate) -> str:
    """Return all that is seen of a board's SVG, with its end tag but without its start."""
    return Drawing(board, theme, translate).source()


def start(layout: Layout, width: float | None = None) -> str:
    """Return the attributes that every drawing begins with, `width` pixels wide."""
    width = width or layout.width
    height = width * layout.height / layout.width
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" class="board"'
        f' width="{width:.0f}" height="{height:.0f}"'
        f' viewBox="0 0 {number(layout.width)} {number(layout.height)}"'
    )


def opening(layout: Layout, title: str, text: str, element_id: str | None, theme: ThemeName) -> str:
    """Return the start of a drawing with its title and, if there is one, its description."""
    ids = title_id = text_id = ""
    if element_id is not None:
        name = safe(element_id)
        title_id, text_id = f' id="{name}-title"', f' id="{name}-desc"'
        ids = f' id="{name}" aria-labelledby="{name}-title" aria-describedby="{name}-desc"'
    font = f' font-family="{FONT}, serif"' if theme == "print" else ""
    desc = f"<desc{text_id}>{safe(text)}</desc>" if text else ""
    return f'{start(layout)}{ids}{font} role="img"><title{title_id}>{safe(title)}</title>{desc}'


def safe(text: str) -> str:
    """Return any text fit to stand in XML: escaped, without the characters that XML forbids."""
    return escape(_NOT_XML.sub("\ufffd", text))


class Drawing:
    """The parts of one drawing, from the sheet upwards."""

    def __init__(self, board: Board, theme: ThemeName, translate: Translate) -> None:
        self.board, self.look, self.translate = board, look(theme), translate
        self.layout = measure(board)
        self.cells = {cell.square: cell for cell in board.cells}
        self.pieces = {piece.square: piece for piece in board.pieces}
        self.last = frozenset(board.last)
        self.targets = targets(board)
        self.closed = [area for area in board.areas if area.closed]
        self.unit = number(self.layout.unit)
        self.edge = self._edge() if theme == "page" else ""
        self.scale = number(self.layout.unit / 100).removeprefix("0")

    def source(self) -> str:
        """Return all that is seen, and the end tag."""
        return "".join(self.parts()) + "</svg>"

    def parts(self) -> Iterator[str]:
        """Yield the SVG of each part in the order of painting."""
        yield self._sheet()
        yield self._squared_paper()
        yield from self.cells_drawn()
        yield from map(self._frame, self.board.areas)
        yield from map(self._area_label, self.board.areas)
        yield from map(self._line, self.board.lines)
        yield from (self._seal(area) for area in self.closed)
        yield from self._edge_labels()
        yield from self._trays()

    def _sheet(self) -> str:
        size = f'width="{number(self.layout.width)}" height="{number(self.layout.height)}"'
        return f"<rect{self.look('sheet', None)} {size}/>"

    def _squared_paper(self) -> str:
        points = [cell for cell in self.board.cells if cell.shade == "point"]
        if not points:
            return ""
        half, path = 0.5, []
        for y in sorted({cell.y for cell in points}):
            row = [cell.x for cell in points if cell.y == y]
            path.append(self._path(min(row), y + half, max(row) + 1, y + half))
        for x in sorted({cell.x for cell in points}):
            column = [cell.y for cell in points if cell.x == x]
            path.append(self._path(x + half, min(column), x + half, max(column) + 1))
        return f'<path{self.look("grid", None)} stroke-width="1" d="{"".join(path)}"/>'

    def _path(self, x1: float, y1: float, x2: float, y2: float) -> str:
        x, y = self.layout.x, self.layout.y
        return f"M{number(x(x1))} {number(y(y1))}L{number(x(x2))} {number(y(y2))}"

    # A cell and what stands on it -----------------------------------------------------------

    def cells_drawn(self) -> Iterator[str]:
        """Yield each cell with what stands on it."""
        return map(self._cell, self.board.cells)

    def _cell(self, cell: Cell) -> str:
        square = safe(cell.square)
        x, y = number(self.layout.x(cell.x)), number(self.layout.y(cell.y))
        return (
            f'<g class="cell" data-square="{square}" data-x="{cell.x:g}" data-y="{cell.y:g}"'
            f' data-label="{self._spoken(cell)}" transform="translate({x} {y})">'
            f"{self._ground(cell)}{self.stamp(cell)}{self.content(cell)}{self.edge}</g>"
        )

    def _spoken(self, cell: Cell) -> str:
        piece = self.pieces.get(cell.square)
        words = [cell.square, self.translate(piece.name if piece else EMPTY)]
        if cell.square in self.last:
            words.append(self.translate(JUST_PLAYED))
        return safe(", ".join(words))

    def _ground(self, cell: Cell) -> str:
        return f'<rect{self.paper(cell)} width="{self.unit}" height="{self.unit}"/>'

    def paper(self, cell: Cell) -> str:
        """Return how a cell's ground looks."""
        target = " target" if any(holds(area, cell) for area in self.targets) else ""
        return self.look(f"ground {cell.shade}{target}", None)

    def _edge(self) -> str:
        """Return what a page shows around a cell that has the focus or can be clicked."""
        side = number(self.layout.unit - 4)
        return f'<rect{self.look("edge", None)} x="2" y="2" width="{side}" height="{side}"/>'

    def stamp(self, cell: Cell) -> str:
        """Mark the turn just played with the outline of a postage stamp."""
        if cell.square not in self.last:
            return ""
        unit = self.layout.unit
        inset, side, dot = number(unit * 0.06), number(unit * 0.88), unit * 0.045
        return (
            f'<rect{self.look("stamp", None)} x="{inset}" y="{inset}" width="{side}"'
            f' height="{side}" stroke-width="{number(dot)}"'
            f' stroke-dasharray="0 {number(unit * 0.088)}"/>'
        )

    def content(self, cell: Cell) -> str:
        """Draw what stands on a cell, or its number."""
        piece = self.pieces.get(cell.square)
        closed = any(holds(area, cell) for area in self.closed)
        if piece is None:
            return self._number(cell) if cell.label and not closed else ""
        faint = f' opacity="{_CLOSED_OPACITY}"' if closed else ""
        angle = tilt(piece.shape, cell.square)
        turn = f" rotate({angle} 50 50)" if angle else ""
        return f'<g transform="scale({self.scale}){turn}"{faint}>{self._piece(piece)}</g>'

    def _piece(self, piece: Piece) -> str:
        if piece.crown is None:
            return shape(piece.shape, piece.side, self.look)
        crown = None if piece.crown < 0 else piece.crown
        return stack(piece.shape, piece.side, piece.crown_shape, crown, self.look)

    def _number(self, cell: Cell) -> str:
        size = min(self.layout.unit * 0.36, self.layout.font * 1.4)
        middle = self.layout.unit / 2
        return self._text("number", middle, middle + size * 0.34, size, cell.label)

    def _text(self, role: str, x: float, y: float, size: float, text: str) -> str:
        place = f'x="{number(x)}" y="{number(y)}" font-size="{number(size)}"'
        return f"<text{self.look(role, None)} {place}>{safe(text)}</text>"

    # Areas, lines ---------------------------------------------------------------------------

    def _frame(self, area: Area) -> str:
        kind = " closed" if area.closed else " target" if area in self.targets else ""
        wide = 3 if kind == " target" else 1.5
        x, y = number(self.layout.x(area.x)), number(self.layout.y(area.y))
        width, height = area.width * self.layout.unit, area.height * self.layout.unit
        return (
            f'<rect{self.look("frame" + kind, None)} x="{x}" y="{y}" width="{number(width)}"'
            f' height="{number(height)}" stroke-width="{wide}"/>'
        )

    def _area_label(self, area: Area) -> str:
        if not area.label:
            return ""
        size = self.layout.font * 0.8
        x, y = self.layout.x(area.x) + size * 0.4, self.layout.y(area.y) - size * 0.28
        return self._text("label", x, y, size, area.label)

    def _seal(self, area: Area) -> str:
        """Draw a closed area's owner large over it."""
        if area.shape is None:
            return ""
        size = min(area.width, area.height) * self.layout.unit
        x = self.layout.x(area.x) + (area.width * self.layout.unit - size) / 2
        y = self.layout.y(area.y) + (area.height * self.layout.unit - size) / 2
        place = f"translate({number(x)} {number(y)}) scale({size / 100:.3f})"
        owner = shape(area.shape, area.side, self.look)
        return f'<g class="over" transform="{place}">{owner}</g>'

    def _line(self, line: Line) -> str:
        start, end = (self._centre(self.cells[square]) for square in (line.start, line.end))
        if not line.win:
            return self._stroke("stroke", line.side, 0.07, start, end)
        start, end = self._beyond(end, start), self._beyond(start, end)
        return self._stroke("stroke casing", None, 0.11, start, end) + self._stroke(
            "stroke win", line.side, 0.06, start, end
        )

    def _stroke(self, role: str, side: Side, wide: float, start: Point, end: Point) -> str:
        x1, y1, x2, y2 = map(number, (*start, *end))
        width = number(wide * self.layout.unit)
        return (
            f'<line{self.look(role, side)} x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"'
            f' stroke-width="{width}"/>'
        )

    def _beyond(self, start: Point, end: Point) -> Point:
        """Return where a stroke from `start` that runs a little past `end` stops."""
        length = hypot(end[0] - start[0], end[1] - start[1])
        more = 1 + 0.36 * self.layout.unit / length if length else 1
        (x1, y1), (x2, y2) = start, end
        return x1 + (x2 - x1) * more, y1 + (y2 - y1) * more

    def _centre(self, cell: Cell) -> Point:
        return self.layout.x(cell.x + 0.5), self.layout.y(cell.y + 0.5)

    # What stands beside the board -----------------------------------------------------------

    def _edge_labels(self) -> Iterator[str]:
        layout, font = self.layout, self.layout.font
        below = layout.y(self.board.height) + font * 1.25
        for label, x in self.board.columns:
            yield self._text("label", layout.x(x + 0.5), below, font, label)
        for label, y in self.board.rows:
            middle = layout.y(y + 0.5) + font * 0.34
            yield self._text("label", layout.left - font * 0.95, middle, font, label)

    def _trays(self) -> Iterator[str]:
        font, height = self.layout.font, self.layout.tray_height
        labels = [self.translate(tray.label) for tray in self.board.trays]
        begin = self.layout.left + (max(map(len, labels), default=0) + 3) * font * 0.5
        for row, (tray, label) in enumerate(zip(self.board.trays, labels, strict=True)):
            x, top = begin, self.layout.tray_top + row * height
            yield self._text("tray", self.layout.left, top + height * 0.66, font, label)
            if not any(heap.count for heap in tray.heaps):
                yield self._text("tray", x, top + height * 0.66, font, NONE_LEFT)
            for heap in tray.heaps:
                each = one_by_one(tray, heap)
                for _ in range(heap.count if each else 1):
                    piece = shape(heap.shape, heap.side, self.look)
                    place = f"translate({number(x)} {number(top)}) scale({height / 100:.3f})"
                    yield f'<g transform="{place}">{piece}</g>'
                    x += height * 0.9
                if not each:
                    yield self._text("tray", x, top + height * 0.66, font, f"× {heap.count}")
                    x += font * 2.5
