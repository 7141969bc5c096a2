"""Morpion: three in a line on nine cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from games.rules.base import (
    N_,
    BadPosition,
    InvalidMoveError,
    Option,
    Options,
    Outcome,
    Rules,
    Seat,
    TranslatableText,
    shown,
)
from games.rules.board import Board, Cell
from games.rules.three_by_three import (
    CELLS,
    FULL,
    HAS_LINE,
    SEAT_NAMES,
    cell_phrase,
    pen_mark,
    winning_lines,
)

Action = int
"""A cell, 0 to 8 in reading order."""

TEXTS = tuple("123456789")

_WINS = (Outcome((1, 2), None, "line"), Outcome((2, 1), None, "line"))
_DRAW = Outcome((1, 1), None, "full")
_AGREED = Outcome((1, 1), None, "agreed")


class Position(NamedTuple):
    """Both players' cells as bit sets, and how the game ended."""

    crosses: int
    noughts: int
    result: Outcome | None


_START = Position(0, 0, None)


class Morpion(Rules[Position, Action]):
    """The rules of Morpion."""

    slug = "morpion"
    name = N_("Morpion")
    summary = N_("Three in a line on nine cells: the game that everybody knows.")
    reasons = {"full": N_("All nine cells are taken, and nobody has a line.")}

    def options(self) -> tuple[Option, ...]:
        return ()

    def seats(self, options: Options) -> int:
        return 2

    def seat_name(self, options: Options, seat: Seat) -> TranslatableText:
        return TranslatableText(SEAT_NAMES[seat])

    def initial(self, options: Options) -> Position:
        return _START

    def to_move(self, position: Position) -> Seat | None:
        return None if position.result is not None else self.turn(position) & 1

    def turn(self, position: Position) -> int:
        return (position.crosses | position.noughts).bit_count()

    def legal_actions(self, position: Position) -> Sequence[Action]:
        crosses, noughts, result = position
        return () if result is not None else CELLS[FULL & ~(crosses | noughts)]

    def play(self, position: Position, action: Action) -> Position:
        crosses, noughts, _ = position
        seat = (crosses | noughts).bit_count() & 1
        if seat == 0:
            crosses |= 1 << action
        else:
            noughts |= 1 << action
        return Position(crosses, noughts, _result(crosses, noughts, seat))

    def outcome(self, position: Position) -> Outcome | None:
        return position.result

    def agreed_end(self, position: Position) -> Outcome:
        return _AGREED

    # Text ----------------------------------------------------------------------------------------

    def format(self, position: Position, action: Action) -> str:
        return TEXTS[action]

    def squares(self, position: Position, action: Action) -> tuple[str, ...]:
        return (TEXTS[action],)

    def read(self, position: Position, text: str) -> Sequence[str]:
        digit = text.strip()
        if digit not in TEXTS:
            raise InvalidMoveError(
                N_("“%(text)s” is not a cell: type one digit from 1 to 9."), text=shown(text)
            )
        return (digit,)

    def why_not(self, position: Position, notation: str) -> TranslatableText:
        return TranslatableText(N_("Cell %(cell)s is taken."), {"cell": notation})

    def describe(self, position: Position, action: Action) -> TranslatableText:
        return TranslatableText(N_("plays %(where)s"), {"where": cell_phrase(action)})

    def dump(self, position: Position) -> str:
        """Return the nine cells in reading order: X, O or a dot."""
        crosses, noughts, _ = position
        return "".join(
            "X" if crosses >> cell & 1 else "O" if noughts >> cell & 1 else "." for cell in range(9)
        )

    def load(self, text: str) -> Position:
        if len(text) != len(TEXTS) or not set(text) <= set("XO."):
            raise BadPosition(N_("This is not a position of the game."))
        crosses = sum(1 << cell for cell in range(9) if text[cell] == "X")
        noughts = sum(1 << cell for cell in range(9) if text[cell] == "O")
        # The seats mark in turn, and play stops at the first line. The last mark may make two: they
        # share its cell.
        lead = crosses.bit_count() - noughts.bit_count()
        if lead not in (0, 1) or HAS_LINE[noughts if lead else crosses]:
            raise BadPosition(N_("No game can reach this position."))
        last = (text.count("X") + text.count("O") + 1) & 1
        return Position(crosses, noughts, _result(crosses, noughts, last))

    # Drawing -------------------------------------------------------------------------------------

    def board(self, position: Position, viewer: Seat | None, last: Sequence[Action]) -> Board:
        crosses, noughts, _ = position
        return Board(
            width=3,
            height=3,
            cells=_CELLS,
            pieces=tuple(pen_mark(TEXTS[cell], 0) for cell in CELLS[crosses])
            + tuple(pen_mark(TEXTS[cell], 1) for cell in CELLS[noughts]),
            lines=winning_lines(crosses, TEXTS, 0) + winning_lines(noughts, TEXTS, 1),
            last=tuple(TEXTS[cell] for cell in last),
        )


_CELLS = tuple(Cell(TEXTS[cell], cell % 3, cell // 3, label=TEXTS[cell]) for cell in range(9))


def _result(crosses: int, noughts: int, last: Seat) -> Outcome | None:
    if HAS_LINE[noughts if last else crosses]:
        return _WINS[last]
    return _DRAW if crosses | noughts == FULL else None
