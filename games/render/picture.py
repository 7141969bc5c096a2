"""A board that cannot be played on, for pages that show many."""

from __future__ import annotations

from collections.abc import Iterator

from games.render.layout import measure, svg_number
from games.render.svg import Drawing, Translate, svg_opening, svg_start
from games.render.text import board_text
from games.render.theme import FONT, image_style
from games.rules.board import Board, Cell


def board_picture(board: Board, *, title: str, translate: Translate = str) -> str:
    """Return the board's drawing for a page where it cannot be played on.

    It looks like that of `board_svg` and is many times smaller: no cell has a name there. The board
    as text describes it. Raises DrawingTooLarge.
    """
    text = f"\n\n{board_text(board, translate=translate)}"
    head = svg_opening(measure(board), title, text, None, "page")
    return head + _Picture(board, "page", translate).source()


def image_svg(board: Board, *, translate: Translate = str) -> str:
    """Return the board's drawing as a file of its own, which has its colours by day and by night.

    Raises DrawingTooLarge.
    """
    drawn = _Picture(board, "image", translate).source()
    head = f'{svg_start(measure(board))} font-family="{FONT}, Georgia, serif">'
    return f"{head}{image_style(drawn)}{drawn}"


class _Picture(Drawing):
    """The paper of all cells that look alike is one path; an empty cell is nothing more."""

    def draw_cells(self) -> Iterator[str]:
        papers: dict[str, list[str]] = {}
        for cell in self.board.cells:
            outline = f"M{self._place(cell)}h{self.unit}v{self.unit}h-{self.unit}z"
            papers.setdefault(self.ground_attributes(cell), []).append(outline)
        for paper, outlines in papers.items():
            yield f'<path{paper} d="{"".join(outlines)}"/>'
        for cell in self.board.cells:
            drawn = self.draw_stamp(cell) + self.draw_content(cell)
            if drawn:
                yield f'<g transform="translate({self._place(cell)})">{drawn}</g>'

    def _place(self, cell: Cell) -> str:
        return f"{svg_number(self.layout.x(cell.x))} {svg_number(self.layout.y(cell.y))}"
