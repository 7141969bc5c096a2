"""The places of the parts of a drawing, in the units of its SVG."""

from __future__ import annotations

from dataclasses import dataclass

from games.rules.board import Area, Board, Cell, Heap, Tray

MAX_LENGTH = 40
"""The longest side of a board that is drawn, in squares."""

_WIDEST_CELL, _NARROWEST_CELL, _USUAL_WIDTH = 88.0, 34.0, 440.0
_PAD = 10.0
_MANY, _CROWD = 8, 12
"""So many pieces of one kind, and of all kinds of a tray, are shown one by one."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The measures of one drawing: `unit` is a square's side, `font` the size of its labels."""

    unit: float
    font: float
    left: float
    top: float
    width: float
    height: float
    tray_top: float

    def x(self, x: float) -> float:
        """Return the place of a board's x."""
        return self.left + x * self.unit

    def y(self, y: float) -> float:
        """Return the place of a board's y."""
        return self.top + y * self.unit

    @property
    def tray_height(self) -> float:
        """The height of one tray's line."""
        return self.font * 2.1


class DrawingTooLarge(ValueError):
    """A board without extent, or longer than any game's: it is not drawn."""


def measure(board: Board) -> Layout:
    """Return the measures of a board's drawing. Raises DrawingTooLarge."""
    if not (0 < board.width <= MAX_LENGTH and 0 < board.height <= MAX_LENGTH):
        raise DrawingTooLarge(
            f"A board of {board.width} by {board.height} squares cannot be drawn."
        )
    unit = min(_WIDEST_CELL, max(_NARROWEST_CELL, _USUAL_WIDTH / board.width))
    font = max(13.0, board.width * unit * 0.0285)  # 9 pixels where a board is 360 wide
    left = _PAD + (font * 1.5 if board.rows else 0)
    top = _PAD + (font if any(area.label for area in board.areas) else 0)
    bottom = top + board.height * unit + (font * 1.6 if board.columns else 0)
    trays = len(board.trays) * font * 2.1
    return Layout(
        unit=unit,
        font=font,
        left=left,
        top=top,
        width=left + board.width * unit + (left if board.rows else _PAD),
        height=bottom + trays + _PAD,
        tray_top=bottom + (font * 0.4 if trays else 0),
    )


def contains(area: Area, cell: Cell) -> bool:
    """Tell whether the cell's centre lies in the area."""
    return (
        area.x <= cell.x + 0.5 <= area.x + area.width
        and area.y <= cell.y + 0.5 <= area.y + area.height
    )


def target_areas(board: Board) -> list[Area]:
    """Return the areas to mark as those where play must go: none when play may go to all."""
    marked = [area for area in board.areas if area.target and not area.closed]
    still_open = sum(not area.closed for area in board.areas)
    return marked if still_open == 1 or len(marked) < still_open else []


def is_shown_one_by_one(tray: Tray, heap: Heap) -> bool:
    """Tell whether each piece of a heap is shown, not one piece and how many there are."""
    crowded = sum(other.count for other in tray.heaps) > _CROWD
    return heap.count <= (1 if crowded else _MANY)


def svg_number(value: float) -> str:
    """Return a length as SVG text: at most two decimals, none when it is whole."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
