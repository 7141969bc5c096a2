"""Taquet: three men each on nine squares, and a neutral piece that slides."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from games.rules.base import (
    N_,
    InvalidMoveError,
    Option,
    Options,
    Outcome,
    Rules,
    Seat,
    TranslatableText,
    follow,
    shown,
)
from games.rules.board import Board, Heap, Piece, Shape, Tray
from games.rules.three_by_three import CELLS, FULL, GRID, HAS_LINE, winning_lines

SQUARES = GRID.names()
_CENTRE = 4
_NOWHERE = 9
_MEN = 3
_REPETITIONS = 3

_NOTATION = re.compile(r"([abc][123])(?:[-–—./:>→]?([abc][123]))?")
_SLIDE = re.compile(r"t(?:aquet)?[-–—./:>→]?([abc][123])")

Kind = Literal["place", "step", "slide"]


class Action(NamedTuple):
    """What a player does: from `start` (its own square when placing) to `end`."""

    kind: Kind
    start: int
    end: int


class Position(NamedTuple):
    """A position, seen by the seat to act (`own`) and its opponent (`other`).

    `own` and `other` are sets of squares. `back` is the square that the taquet came from in the
    action just played, or 9. `since` holds the boards (see `_key`) since a man was last placed,
    the present one included: no earlier one can come again.
    """

    own: int
    other: int
    taquet: int
    back: int
    turn: int
    since: tuple[int, ...]
    played: tuple[Action, ...]
    result: Outcome | None

    def men(self) -> tuple[int, int]:
        """Return the squares of seat 0's men and of seat 1's."""
        return (self.other, self.own) if self.turn & 1 else (self.own, self.other)


def _key(own: int, other: int, taquet: int, turn: int) -> int:
    """Return a number for the board and the seat to act; the hands follow from the board."""
    return ((own << 9 | other) << 4 | taquet) << 1 | turn & 1


def _distance(start: int, end: int) -> tuple[int, int]:
    return abs(start % 3 - end % 3), abs(start // 3 - end // 3)


def _slides(start: int) -> tuple[Action, ...]:
    in_line = (end for end in range(9) if end != start and 0 in _distance(start, end))
    return tuple(Action("slide", start, end) for end in in_line)


_PLACES = tuple(
    tuple(Action("place", cell, cell) for cell in CELLS[empty]) for empty in range(FULL + 1)
)
"""The ways to place a man, by the set of empty squares."""

_STEPS = tuple(
    tuple(
        tuple(
            Action("step", start, end)
            for end in CELLS[empty]
            if end != start and max(_distance(start, end)) == 1
        )
        for empty in range(FULL + 1)
    )
    for start in range(9)
)
"""The steps of a man, by its square and the set of empty squares."""

_SLIDES = tuple(
    tuple(tuple(slide for slide in _slides(start) if slide.end != back) for back in range(10))
    for start in range(9)
)
"""The slides, by the taquet's square and the square that it may not go back to."""


def _men_after_slide(men: int, start: int, end: int) -> int:
    """Return where a set of men is after the taquet went from `start` to `end`.

    The taquet changes places with what is there; after a double slide the two others have moved
    towards where it was ("Le pion taquet").
    """
    path = [start, end] if 1 in _distance(start, end) else [start, (start + end) // 2, end]
    moved = men
    for to, origin in pairwise(path):
        moved = moved & ~(1 << to) | (men >> origin & 1) << to
    return moved & ~(1 << end)


_AFTER_SLIDE = {
    (start, end): tuple(_men_after_slide(men, start, end) for men in range(FULL + 1))
    for start in range(9)
    for _, _, end in _slides(start)
}
"""Where every set of men is after a slide."""

_START = Position(0, 0, _CENTRE, _NOWHERE, 0, (_key(0, 0, _CENTRE, 0),), (), None)

_WINS = (Outcome((1, 2), None, "line"), Outcome((2, 1), None, "line"))
_BOTH_LINES = Outcome((1, 1), None, "both-lines")
_REPEATED = Outcome((1, 1), None, "repetition")
_AGREED = Outcome((1, 1), None, "agreed")


class Taquet(Rules[Position, Action]):
    """The rules of Taquet."""

    slug = "taquet"
    name = N_("Taquet")
    summary = N_("Three men each on nine squares, and a sliding piece that belongs to nobody.")
    reasons = {
        "line": N_("Three men in a line."),
        "both-lines": N_("Both players have a line at once."),
        "repetition": N_("The same position occurred for the third time."),
    }

    def options(self) -> tuple[Option, ...]:
        return ()

    def seats(self, options: Options) -> int:
        return 2

    def seat_name(self, options: Options, seat: Seat) -> TranslatableText:
        return TranslatableText((N_("Discs"), N_("Triangles"))[seat])

    def initial(self, options: Options) -> Position:
        return _START

    def to_move(self, position: Position) -> Seat | None:
        return None if position.result is not None else position.turn & 1

    def turn(self, position: Position) -> int:
        return position.turn

    def legal_actions(self, position: Position) -> Sequence[Action]:
        own, other, taquet, back, _, _, _, result = position
        if result is not None:
            return ()
        empty = FULL & ~(own | other | 1 << taquet)
        actions: list[Action] = []
        if own.bit_count() < _MEN:
            actions += _PLACES[empty]
        for start in CELLS[own]:
            actions += _STEPS[start][empty]
        actions += _SLIDES[taquet][back]
        return actions

    def play(self, position: Position, action: Action) -> Position:
        own, other, taquet, back, turn, since, played, _ = position
        kind, start, end = action
        back = _NOWHERE
        if kind == "slide":
            after = _AFTER_SLIDE[start, end]
            own, other, taquet, back = after[own], after[other], end, start
        elif kind == "step":
            own ^= 1 << start | 1 << end
        else:
            own |= 1 << end
            since = ()
        turn += 1
        key = _key(other, own, taquet, turn)
        since += (key,)
        # A line wins for its owner, whoever acted.
        result = None
        if HAS_LINE[own]:
            result = _BOTH_LINES if HAS_LINE[other] else _WINS[turn & 1 ^ 1]
        elif HAS_LINE[other]:
            result = _WINS[turn & 1]
        if since.count(key) == _REPETITIONS:
            result = _REPEATED
        return Position(other, own, taquet, back, turn, since, (*played, action), result)

    def outcome(self, position: Position) -> Outcome | None:
        return position.result

    def agreed_end(self, position: Position) -> Outcome:
        return _AGREED

    # Text ----------------------------------------------------------------------------------------

    def format(self, position: Position, action: Action) -> str:
        return _text(action)

    def action_kind(self, position: Position, action: Action) -> str:
        return action.kind

    def squares(self, position: Position, action: Action) -> tuple[str, ...]:
        if action.kind == "place":
            return (SQUARES[action.end],)
        return (SQUARES[action.start], SQUARES[action.end])

    def read(self, position: Position, text: str) -> Sequence[str]:
        tight = "".join(text.split()).lower()
        if slide := _SLIDE.fullmatch(tight):
            return ("T" + slide[1],)
        found = _NOTATION.fullmatch(tight)
        if found is None:
            raise InvalidMoveError(
                N_("“%(text)s” cannot be read: b3 places a man, a1-b2 moves one, Tb3 slides the "
                   "taquet."),
                text=shown(text),
            )  # fmt: skip
        start, end = found.groups()
        if end is None:
            return (start,)
        return ("T" + end,) if start == SQUARES[position.taquet] else (f"{start}-{end}",)

    def why_not(self, position: Position, notation: str) -> TranslatableText:
        start, _, to = notation.lstrip("T").rpartition("-")
        end = SQUARES.index(to)
        if notation.startswith("T") and end == position.taquet:
            reason = N_("The taquet is already on %(square)s.")
        elif notation.startswith("T") and end == position.back:
            reason = N_("This slide would only take back the last one.")
        elif notation.startswith("T"):
            reason = N_("The taquet slides along its row or its column, never diagonally.")
        elif start and not position.own >> SQUARES.index(start) & 1:
            return TranslatableText(N_("You have no man on %(square)s."), {"square": start})
        elif start and max(_distance(SQUARES.index(start), end)) != 1:
            reason = N_("A man moves to a square right beside it, over nothing.")
        elif not start and position.own.bit_count() == _MEN:
            reason = N_("All your men are on the board: move one, or slide the taquet.")
        elif end == position.taquet:
            reason = N_("The taquet is on %(square)s.")
        else:
            reason = N_("There is already a man on %(square)s.")
        return TranslatableText(reason, {"square": to})

    def describe(self, position: Position, action: Action) -> TranslatableText:
        start, end = SQUARES[action.start], SQUARES[action.end]
        if action.kind == "place":
            return TranslatableText(N_("places a man on %(square)s"), {"square": end})
        values = {"start": start, "end": end}
        if action.kind == "step":
            return TranslatableText(N_("moves a man from %(start)s to %(end)s"), values)
        return TranslatableText(N_("slides the taquet from %(start)s to %(end)s"), values)

    def dump(self, position: Position) -> str:
        """Return the actions played, separated by spaces."""
        return " ".join(_text(action) for action in position.played)

    def load(self, text: str) -> Position:
        return follow(self, _START, text)

    # Drawing -------------------------------------------------------------------------------------

    def board(self, position: Position, viewer: Seat | None, last: Sequence[Action]) -> Board:
        men = position.men()
        pieces = [Piece(SQUARES[position.taquet], "square", None, "T", N_("taquet"))]
        trays = []
        for seat, (shape, symbol, name) in enumerate(_MAN):
            pieces += [Piece(SQUARES[cell], shape, seat, symbol, name) for cell in CELLS[men[seat]]]
            heap = Heap(shape, seat, symbol, name, _MEN - men[seat].bit_count())
            trays.append(Tray(seat, _HANDS[seat], (heap,)))
        marked: list[int] = []
        for action in last:
            marked.append(action.start)
            if action.kind == "slide" and 1 not in _distance(action.start, action.end):
                # A double slide also changes the square between.
                marked.append((action.start + action.end) // 2)
            marked.append(action.end)
        return Board(
            width=3,
            height=3,
            cells=_CELLS,
            pieces=tuple(pieces),
            lines=winning_lines(men[0], SQUARES, 0) + winning_lines(men[1], SQUARES, 1),
            trays=tuple(trays),
            last=tuple(dict.fromkeys(SQUARES[square] for square in marked)),
            columns=GRID.column_labels(),
            rows=GRID.row_labels(),
        )


_MAN: tuple[tuple[Shape, str, str], ...] = (
    ("disc", "O", N_("disc")),
    ("triangle", "A", N_("triangle")),
)
_HANDS = (N_("Discs in hand"), N_("Triangles in hand"))
_CELLS = GRID.drawn_cells(SQUARES)


def _text(action: Action) -> str:
    """Return the notation, which is the same in every position."""
    if action.kind == "step":
        return f"{SQUARES[action.start]}-{SQUARES[action.end]}"
    return ("T" if action.kind == "slide" else "") + SQUARES[action.end]
