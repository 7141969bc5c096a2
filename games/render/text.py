"""A board as plain text for a mail, a terminal or a screen reader: under 80 columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from textwrap import wrap

from games.render.layout import holds, one_by_one, targets
from games.rules.base import N_
from games.rules.board import Area, Board, Cell, Heap, Shape, Tray

PLAY_IN = N_("Play in: %(areas)s")
WINNING_LINE = N_("Winning line: %(start)s to %(end)s")
HELD = N_("%(tray)s: %(men)s")
STACKED = N_("%(piece)s: %(squares)s")

EMPTY, DEAD, NONE_LEFT = ".", "-", "–"

_GAP = 1.05
"""Cells whose corners lie further apart than this have a separator between them."""

_SYMBOLS: dict[Shape, str] = {
    "cross": "X",
    "ring": "O",
    "disc": "@",
    "square": "#",
    "diamond": "%",
    "triangle": "A",
    "hexagon": "H",
}

_STROKES = {(1, 0): "-", (0, 1): "|", (1, 1): "\\", (1, -1): "/"}
_CROSSING = "X"

_SMALLEST_SEAL = 3

_WIDEST = 79

Translate = Callable[[str], str]


def board_text(board: Board, *, translate: Translate = str) -> str:
    """Return the board as lines of text without an end of line after the last.

    An empty cell is ".", one that no piece ever stands on is blank, the cells of the turn just
    played stand in brackets, an area where play must go has its label between ">" and "<", a closed
    one shows its owner large. On a board with lines the cells stand further apart, and the lines
    run between them. Below it stand the stacks and what each seat holds.
    """
    lines = _Sheet(board).lines() if board.cells else []
    return "\n".join([*lines, *_notes(board, translate)])


def _notes(board: Board, translate: Translate) -> Iterator[str]:
    areas = [area.label for area in targets(board) if area.label]
    if areas:
        yield translate(PLAY_IN) % {"areas": ", ".join(areas)}
    for line in board.lines:
        if line.win:
            yield translate(WINNING_LINE) % {"start": line.start, "end": line.end}
    yield from _stacks(board, translate)
    for tray in board.trays:
        yield translate(HELD) % {"tray": translate(tray.label), "men": _held(tray)}


def _stacks(board: Board, translate: Translate) -> Iterator[str]:
    """Yield what one character a cell does not tell: which piece is on top of which, and where."""
    found: dict[str, list[str]] = {}
    for piece in board.pieces:
        if piece.crown is not None:
            found.setdefault(piece.name, []).append(piece.square)
    for name, squares in found.items():
        line = translate(STACKED) % {"piece": translate(name), "squares": ", ".join(squares)}
        yield from wrap(line, _WIDEST, subsequent_indent="  ")


def _held(tray: Tray) -> str:
    shown = [_heap(tray, heap) for heap in tray.heaps if heap.count]
    return "  ".join(shown) or NONE_LEFT


def _heap(tray: Tray, heap: Heap) -> str:
    if one_by_one(tray, heap):
        return " ".join(heap.symbol * heap.count)
    return f"{heap.symbol} × {heap.count}"


class _Sheet:
    """A grid of characters: every cell has a place, with a blank or a bracket on either side."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.targets = targets(board)
        self.columns = _places(sorted({cell.x for cell in board.cells}), first=1, step=2)
        labelled = any(area.label for area in board.areas)
        self.strokes = [line for line in board.lines if not line.win]
        step = 2 if self.strokes else 1
        self.rows = _places(
            sorted({cell.y for cell in board.cells}), first=int(labelled), step=step
        )
        self.width = max(self.columns.values()) + 2
        height = max(self.rows.values()) + 1
        self.grid = [[" "] * self.width for _ in range(height)]

    def lines(self) -> list[str]:
        """Return the finished lines, labels at the edges."""
        self._separate()
        symbols = {piece.square: piece.symbol for piece in self.board.pieces}
        for cell in self.board.cells:
            empty = EMPTY if cell.used else " "
            self._write(*self._place(cell), symbols.get(cell.square, empty))
        places = {cell.square: self._place(cell) for cell in self.board.cells}
        for line in self.strokes:
            start, end = sorted((places[line.start], places[line.end]))
            self._stroke(start, end)
        for area in self.board.areas:
            self._name(area)
            if area.closed:
                self._seal(area)
        for cell in self.board.cells:
            if cell.square in self.board.last:
                self._mark(cell, symbols.get(cell.square, EMPTY))
        return [line.rstrip() for line in self._with_edges()]

    def _place(self, cell: Cell) -> tuple[int, int]:
        return self.columns[cell.x], self.rows[cell.y]

    def _write(self, x: int, y: int, text: str) -> None:
        for offset, char in enumerate(text):
            if 0 <= x + offset < self.width:
                self.grid[y][x + offset] = char

    def _separate(self) -> None:
        bars = [x for _, x in _gaps(self.columns)]
        rules = [y for _, y in _gaps(self.rows)]
        for y in self.rows.values():
            for x in bars:
                self.grid[y][x] = "│"
        for y in rules:
            self.grid[y] = ["┼" if x in bars else "─" for x in range(self.width)]

    def _name(self, area: Area) -> None:
        """Write the area's label above its first cell, where there is a line to write on."""
        cells = [cell for cell in self.board.cells if holds(area, cell)]
        if not area.label or not cells:
            return
        x, y = self._place(cells[0])
        if y - 1 not in self.rows.values():
            mark = f">{area.label}<" if area in self.targets else f" {area.label} "
            self._write(x - 1, y - 1, mark)

    def _seal(self, area: Area) -> None:
        places = [self._place(cell) for cell in self.board.cells if holds(area, cell)]
        if not places:
            return
        left, right = min(x for x, _ in places), max(x for x, _ in places)
        top, bottom = min(y for _, y in places), max(y for _, y in places)
        symbol = self._symbol(area)
        if symbol is None or min((right - left) // 2, bottom - top) + 1 < _SMALLEST_SEAL:
            for x, y in places:
                self._write(x, y, symbol or DEAD)
            return
        for row, text in enumerate(_large(area.shape, symbol, right - left + 1, bottom - top + 1)):
            self._write(left, top + row, text)

    def _symbol(self, area: Area) -> str | None:
        if area.shape is None:
            return None
        owners = (
            p.symbol for p in self.board.pieces if (p.shape, p.side) == (area.shape, area.side)
        )
        return next(owners, _SYMBOLS[area.shape])

    def _stroke(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        """Write a line along a row, a column or a diagonal between its cells, from the left."""
        (x, y), (right, last) = start, end
        length = max(right - x, abs(last - y))
        across, down = (right > x) - (right < x), (last > y) - (last < y)
        stroke = _STROKES[across, down]
        for at in range(1, length, 2):
            row, here = self.grid[y + at * down], x + at * across
            row[here] = stroke if row[here] in (" ", stroke) else _CROSSING

    def _mark(self, cell: Cell, symbol: str) -> None:
        """Write brackets around a cell; where a line runs, they give way to it."""
        x, y = self._place(cell)
        row = self.grid[y]
        row[x] = symbol
        if row[x - 1] != _STROKES[1, 0]:
            row[x - 1] = "|" if row[x - 1] == "]" else "["
        if row[x + 1] != _STROKES[1, 0]:
            row[x + 1] = "]"

    def _with_edges(self) -> Iterator[str]:
        names = {self.rows[y]: label for label, y in self.board.rows if y in self.rows}
        wide = max(map(len, names.values()), default=0)
        for y, chars in enumerate(self.grid):
            yield names.get(y, "").rjust(wide) + " " * bool(wide) + "".join(chars)
        tall = max((len(label) for label, _ in self.board.columns), default=0)
        for line in range(tall):
            foot = [" "] * self.width
            for label, x in self.board.columns:
                if x in self.columns:
                    foot[self.columns[x]] = label.rjust(tall)[line]
            yield " " * (wide + bool(wide)) + "".join(foot)


def _places(lengths: Sequence[float], *, first: int, step: int) -> dict[float, int]:
    """Return where each length's cells are written, with room for separators in the gaps."""
    places = {lengths[0]: first}
    for before, after in pairwise(lengths):
        places[after] = places[before] + step * (2 if after - before > _GAP else 1)
    return places


def _gaps(places: dict[float, int]) -> Iterator[tuple[float, int]]:
    """Yield each separator's length and the place where it is written."""
    for (before, place), (after, following) in pairwise(places.items()):
        if after - before > _GAP:
            yield before, (place + following) // 2


def _large(shape: Shape | None, symbol: str, width: int, height: int) -> list[str]:
    """Return a glyph as large as an area: a cross's arms, or a frame, around the symbol."""
    inner = width - 2
    corners, side, edge = ("\\//\\", " ", " ") if shape == "cross" else ("╭╮╰╯", "│", "─")
    lines = [f"{side}{' ' * inner}{side}"] * height
    lines[0] = f"{corners[0]}{edge * inner}{corners[1]}"
    lines[height // 2] = f"{side}{symbol.center(inner)}{side}"
    lines[-1] = f"{corners[2]}{edge * inner}{corners[3]}"
    return lines
