"""A board that cannot be played on, for pages that show many."""

from __future__ import annotations

from collections.abc import Iterator

from games.render.layout import measure, svg_number
from games.render.svg import Drawing, Translate, escape_xml, svg_opening, svg_start
from games.render.text import board_text
from games.render.theme import FONT, image_style
from games.rules.board import Board


def board_picture(board: Board, *, title: str, translate: Translate = str) -> str:
    """Return the board's drawing for a page where it cannot be played on.

    It looks like that of `board_svg` and is many times smaller: no cell has a name there. The board
    as text describes it. Raises DrawingTooLarge.
    """
    text = f"\n\n{board_text(board, translate=translate)}"
    head = svg_opening(measure(board), title, text, None, "page")
    return head + _Picture(board, "page", translate).source()


def picture_parts(
    board: Board, *, translate: Translate = str
) -> tuple[tuple[float, float], list[str]]:
    """Return the width and height of a board's picture, and its elements in order.

    They look like the drawing of `board_svg`. Each cell is an element of its own, whatever is on
    it, so that two pictures of a game differ in few elements. Raises DrawingTooLarge.
    """
    drawing = _Cells(board, "page", translate)
    return (drawing.layout.width, drawing.layout.height), list(drawing.elements())


def image_svg(board: Board, *, translate: Translate = str) -> str:
    """Return the board's drawing as a file of its own, which has its colours by day and by night.

    Raises DrawingTooLarge.
    """
    drawn = _Picture(board, "image", translate).source()
    head = f'{svg_start(measure(board))} font-family="{FONT}, Georgia, serif">'
    return f"{head}{image_style(drawn)}{drawn}"


def nested_svg(
    board: Board, box: tuple[float, float, float, float], *, translate: Translate = str
) -> str:
    """Return the board's drawing in fixed colours, as large as fits into a box of another drawing.

    `box` is left, top, width and height. Raises DrawingTooLarge.
    """
    left, top, width, height = map(svg_number, box)
    layout = measure(board)
    view = f"0 0 {svg_number(layout.width)} {svg_number(layout.height)}"
    place = f'x="{left}" y="{top}" width="{width}" height="{height}"'
    return f'<svg {place} viewBox="{view}">{_Picture(board, "print", translate).source()}'


class _Cells(Drawing):
    """The cells have neither names nor edges."""

    def draw_cells(self) -> Iterator[str]:
        for cell in self.board.cells:
            yield (
                f'<g class="cell" data-square="{escape_xml(cell.square)}"'
                f' transform="translate({self.corner_of(cell)})">'
                f'<rect{self.ground_attributes(cell)} width="{self.unit}" height="{self.unit}"/>'
                f"{self.draw_stamp(cell)}{self.draw_content(cell)}</g>"
            )


class _Picture(Drawing):
    """The paper of all cells that look alike is one path; an empty cell is nothing more."""

    is_spoken = False

    def draw_cells(self) -> Iterator[str]:
        papers: dict[str, list[str]] = {}
        for cell in self.board.cells:
            outline = f"M{self.corner_of(cell)}h{self.unit}v{self.unit}h-{self.unit}z"
            papers.setdefault(self.ground_attributes(cell), []).append(outline)
        for paper, outlines in papers.items():
            yield f'<path{paper} d="{"".join(outlines)}"/>'
        for cell in self.board.cells:
            drawn = self.draw_stamp(cell) + self.draw_content(cell)
            if drawn:
                yield f'<g transform="translate({self.corner_of(cell)})">{drawn}</g>'
