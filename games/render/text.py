"""A board as plain text for a mail, a terminal or a screen reader: under 80 columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from textwrap import wrap

from games.render.layout import contains, is_shown_one_by_one, target_areas
from games.rules.base import N_
from games.rules.board import Area, Board, Cell, Shape

PLAY_IN = N_("Play in: %(areas)s")
WINNING_LINE = N_("Winning line: %(start)s to %(end)s")
JUST_PLAYED = N_("just played")
DRAWN_LINE = N_("Line: %(start)s to %(end)s")
HELD = N_("%(tray)s: %(men)s")
STACKED = N_("%(piece)s: %(squares)s")

EMPTY, DEAD, NONE_LEFT = ".", "-", "–"

_GAP = 1.05
"""Cells whose corners are further apart than this have a separator between them."""

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

_SMALLEST_OWNER = 3
"""Narrower or lower areas show their owner on each cell instead of large."""

_WIDEST = 79

MOST_GRIDS = 64
"""How many kinds of boards are remembered: hardly more than there are variants."""

Translate = Callable[[str], str]


def board_text(board: Board, *, translate: Translate = str) -> str:
    """Return the board as lines of text without an end of line after the last.

    An empty cell is ".", or its label of one character (the number to type) where play can go; one
    that never has a piece is blank. The cells of the turn just played are in brackets, an area
    where play must go has its label between ">" and "<", a closed one shows its owner large. On a
    board with lines the cells are further apart, and the lines run between them. Below it are the
    stacks, which one character a cell cannot tell, and the trays.
    """
    lines = _Sheet(board).lines() if board.cells else []
    areas = [area.label for area in target_areas(board) if area.label]
    if areas:
        lines.append(translate(PLAY_IN) % {"areas": ", ".join(areas)})
    for line in board.lines:
        if line.win:
            lines.append(translate(WINNING_LINE) % {"start": line.start, "end": line.end})
    stacks: dict[str, list[str]] = {}
    for piece in board.pieces:
        if piece.crown is not None:
            stacks.setdefault(piece.name, []).append(piece.square)
    for name, squares in stacks.items():
        note = translate(STACKED) % {"piece": translate(name), "squares": ", ".join(squares)}
        lines += wrap(note, _WIDEST, subsequent_indent="  ")
    for tray in board.trays:
        men = "  ".join(
            " ".join(heap.symbol * heap.count)
            if is_shown_one_by_one(tray, heap)
            else f"{heap.symbol} × {heap.count}"
            for heap in tray.heaps
            if heap.count
        )
        lines.append(translate(HELD) % {"tray": translate(tray.label), "men": men or NONE_LEFT})
    return "\n".join(lines)


def board_words(board: Board, longest: int, *, translate: Translate = str) -> str:
    """Return the position in words, as read to somebody who does not see the picture.

    The squares of each kind of piece, lines, trays, and where the next turn must go; cut off after
    a whole part at `longest` characters.
    """
    squares: dict[str, list[str]] = {}
    for piece in board.pieces:
        squares.setdefault(piece.name, []).append(piece.square)
    parts = [
        translate(STACKED) % {"piece": translate(name), "squares": ", ".join(found)}
        for name, found in squares.items()
    ]
    if board.last:
        parts.insert(0, translate(STACKED) % {
            "piece": translate(JUST_PLAYED), "squares": ", ".join(board.last)
        })  # fmt: skip
    areas = [area.label for area in target_areas(board) if area.label]
    if areas:
        parts.insert(0, translate(PLAY_IN) % {"areas": ", ".join(areas)})
    parts += [
        translate(WINNING_LINE if line.win else DRAWN_LINE) % {"start": line.start, "end": line.end}
        for line in board.lines
    ]
    parts += [
        translate(HELD)
        % {
            "tray": translate(tray.label),
            "men": ", ".join(f"{heap.count} {translate(heap.name)}" for heap in tray.heaps),
        }
        for tray in board.trays
    ]
    words = ". ".join(parts) + "." if parts else ""
    return words if len(words) <= longest else words[:longest].rpartition(",")[0] + ", …"


class _Grid:
    """Characters of one kind of board: every cell has a place, with a blank or a bracket beside it.

    `empty` are the lines of a board without pieces, labels and edges, `labelled` the cells that
    show a label while they are empty.
    """

    def __init__(self, cells: tuple[Cell, ...], *, has_labels: bool, has_lines: bool) -> None:
        self.cells = cells
        step = 2 if has_lines else 1
        self.columns = _places(sorted({cell.x for cell in cells}), first=1, step=2)
        self.rows = _places(sorted({cell.y for cell in cells}), first=int(has_labels), step=step)
        self.width = max(self.columns.values()) + 2
        self.places = {
            cell.square: (self.columns[cell.x], self.rows[cell.y]) for cell in self.cells
        }
        self.labelled = [cell for cell in cells if cell.used and len(cell.label) == 1]
        bars, rules = _separators(self.columns), _separators(self.rows)
        self.empty = [[" "] * self.width for _ in range(max(self.rows.values()) + 1)]
        for y in self.rows.values():
            for x in bars:
                self.empty[y][x] = "│"
        for y in rules:
            self.empty[y] = ["┼" if x in bars else "─" for x in range(self.width)]
        for cell in cells:
            x, y = self.places[cell.square]
            self.empty[y][x] = EMPTY if cell.used else " "
        self._in_areas: dict[tuple[float, ...], list[tuple[int, int]]] = {}

    def places_in(self, area: Area) -> list[tuple[int, int]]:
        """Return the places of an area's cells."""
        box = (area.x, area.y, area.width, area.height)
        places = self._in_areas.get(box)
        if places is None:
            cells = [cell for cell in self.cells if contains(area, cell)]
            places = self._in_areas[box] = [self.places[cell.square] for cell in cells]
        return places


_grid_of = lru_cache(MOST_GRIDS)(_Grid)


class _Sheet:
    """The lines of one position."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.targets = target_areas(board)
        self.strokes = [line for line in board.lines if not line.win]
        has_labels = any(area.label for area in board.areas)
        self.grid = _grid_of(board.cells, has_labels=has_labels, has_lines=bool(self.strokes))
        self.chars = [line.copy() for line in self.grid.empty]

    def lines(self) -> list[str]:
        """Return the finished lines, labels at the edges."""
        chars, places = self.chars, self.grid.places
        for cell in self.grid.labelled:
            if not self.targets or any(contains(area, cell) for area in self.targets):
                x, y = places[cell.square]
                chars[y][x] = cell.label
        for piece in self.board.pieces:
            x, y = places[piece.square]
            chars[y][x] = piece.symbol
        last = [(x, y, chars[y][x]) for x, y in (places[square] for square in self.board.last)]
        self._write_strokes()
        for area in self.board.areas:
            if area.label or area.closed:
                self._write_area(area)
        # In reading order, however the turn ran. Where a line runs, the brackets give way to it.
        for x, y, char in sorted(last, key=lambda found: (found[1], found[0])):
            row = chars[y]
            row[x] = char
            if row[x - 1] != _STROKES[1, 0]:
                row[x - 1] = "|" if row[x - 1] == "]" else "["
            if row[x + 1] != _STROKES[1, 0]:
                row[x + 1] = "]"
        return [line.rstrip() for line in self._with_edges()]

    def _write(self, x: int, y: int, text: str) -> None:
        for offset, char in enumerate(text):
            if 0 <= x + offset < self.grid.width:
                self.chars[y][x + offset] = char

    def _write_strokes(self) -> None:
        """Write each line along a row, a column or a diagonal between its cells, from the left."""
        places = self.grid.places
        for line in self.strokes:
            (x, y), (right, last) = sorted((places[line.start], places[line.end]))
            length = max(right - x, abs(last - y))
            across, down = (right > x) - (right < x), (last > y) - (last < y)
            stroke = _STROKES[across, down]
            for at in range(1, length, 2):
                row, here = self.chars[y + at * down], x + at * across
                row[here] = stroke if row[here] in (" ", stroke) else _CROSSING

    def _write_area(self, area: Area) -> None:
        """Write an area's label above it, if there is a line for it, and its owner if closed."""
        places = self.grid.places_in(area)
        if not places:
            return
        x, y = places[0]
        if area.label and y - 1 not in self.grid.rows.values():
            mark = f">{area.label}<" if area in self.targets else f" {area.label} "
            self._write(x - 1, y - 1, mark)
        if not area.closed:
            return
        left, right = min(x for x, _ in places), max(x for x, _ in places)
        top, bottom = min(y for _, y in places), max(y for _, y in places)
        symbol = None
        if area.shape is not None:
            look = (area.shape, area.side)
            owners = (p.symbol for p in self.board.pieces if (p.shape, p.side) == look)
            symbol = next(owners, _SYMBOLS[area.shape])
        if symbol is None or min((right - left) // 2, bottom - top) + 1 < _SMALLEST_OWNER:
            for x, y in places:
                self._write(x, y, symbol or DEAD)
            return
        for row, text in enumerate(
            _large_symbol(area.shape, symbol, right - left + 1, bottom - top + 1)
        ):
            self._write(left, top + row, text)

    def _with_edges(self) -> Iterator[str]:
        rows, columns = self.grid.rows, self.grid.columns
        names = {rows[y]: label for label, y in self.board.rows if y in rows}
        wide = max(map(len, names.values()), default=0)
        for y, chars in enumerate(self.chars):
            yield names.get(y, "").rjust(wide) + " " * bool(wide) + "".join(chars)
        tall = max((len(label) for label, _ in self.board.columns), default=0)
        for line in range(tall):
            foot = [" "] * self.grid.width
            for label, x in self.board.columns:
                if x in columns:
                    foot[columns[x]] = label.rjust(tall)[line]
            yield " " * (wide + bool(wide)) + "".join(foot)


def _places(lengths: Sequence[float], *, first: int, step: int) -> dict[float, int]:
    """Return where each length's cells are written, with room for separators in the gaps."""
    places = {lengths[0]: first}
    for before, after in pairwise(lengths):
        places[after] = places[before] + step * (2 if after - before > _GAP else 1)
    return places


def _separators(places: dict[float, int]) -> list[int]:
    """Return where separators are written."""
    return [
        (place + following) // 2
        for (before, place), (after, following) in pairwise(places.items())
        if after - before > _GAP
    ]


def _large_symbol(shape: Shape | None, symbol: str, width: int, height: int) -> list[str]:
    """Return a glyph as large as an area: a cross's arms, or a frame, around the symbol."""
    inner = width - 2
    corners, side, edge = ("\\//\\", " ", " ") if shape == "cross" else ("╭╮╰╯", "│", "─")
    lines = [f"{side}{' ' * inner}{side}"] * height
    lines[0] = f"{corners[0]}{edge * inner}{corners[1]}"
    lines[height // 2] = f"{side}{symbol.center(inner)}{side}"
    lines[-1] = f"{corners[2]}{edge * inner}{corners[3]}"
    return lines
