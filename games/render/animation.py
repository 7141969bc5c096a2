"""The positions of a game one after the other, as a GIF: every program that shows pictures can."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, sqrt

from games.render.palette import PALETTE, colour_named
from games.render.png import write_gif
from games.render.svg import Translate
from games.render.tiles import board_lines
from games.rules.board import Board

WIDTH, LEAST_WIDTH = 480, 240
"""Pixels of a picture of a short game, and of the longest one."""

MOST_PIXELS = 40_000_000
"""Of all pictures together: each pixel is a byte of memory while they are written."""

MOST_PICTURES = 400
"""Of a longer game some positions are left out, as evenly as possible."""

LONGEST, SHORTEST, LAST = 900, 200, 4000
"""Milliseconds for which a picture is shown: of a short game, of a long one, and the last."""

WHOLE = 60_000
"""Milliseconds that a game takes, if its pictures may be shown so shortly."""

_PAPER = bytes([PALETTE.index(colour_named("paper"))])


def board_gif(boards: Sequence[Board], *, translate: Translate = str) -> bytes:
    """Return the animation of a game's positions, first to last. Raises DrawingTooLarge."""
    step = ceil(len(boards) / MOST_PICTURES)
    shown = [*boards[:-1:step], boards[-1]]
    # A board is rarely more than half as high again as it is wide.
    width = min(WIDTH, max(LEAST_WIDTH, sqrt(MOST_PIXELS / len(shown) / 1.5)))
    drawn = [board_lines(board, width, translate) for board in shown]
    size = (max(wide for _, (wide, _) in drawn), max(high for _, (_, high) in drawn))

    def frames() -> Iterator[bytes]:
        """Yield the pictures, each at the upper left of one that all of them fit into."""
        wide, high = size
        for lines, _size in drawn:
            rows = [line.ljust(wide, _PAPER) for line in lines]
            yield b"".join(rows).ljust(wide * high, _PAPER)

    each = min(LONGEST, max(SHORTEST, WHOLE // len(shown)))
    return write_gif(frames(), size, durations=[each] * (len(shown) - 1) + [LAST])
