"""Super Morpion: nine boards of Morpion, each cell sending the opponent to a board."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from games.rules.base import (
    N_,
    Option,
    Options,
    Outcome,
    Rules,
    Seat,
    Sentence,
    Unreadable,
    follow,
    shown,
)
from games.rules.board import Area, Board, Cell
from games.rules.grid import CELLS, FULL, HAS_LINE, SEAT_NAMES, mark, where, winning_lines

TEXTS = {action: f"{action[0] + 1}{action[1] + 1}" for action in ACTIONS}
_ACTIONS = {text: action for action, text in TEXTS.items()}
_CENTRES = tuple(f"{board}5" for board in range(1, 10))
_NOTATION = re.compile(r"([1-9])[-–—./:]?([1-9])")
_GAP = 0.4

Position: TypeAlias = tuple[
    "Position | None",
    Action | None,
    int,
    tuple[Content, ...],
    tuple[int, int, int],
    tuple[Action, ...],
    Outcome | None,
]
"""Where the game stands; each position holds on to the one before, and so to the whole game.

A plain tuple is what Python makes fastest. Its parts, with an index for each:
"""
BEFORE: Final = 0
"""the position before the last action, None at the start;"""
LAST: Final = 1
"""the last action;"""
TURN: Final = 2
"""how many actions were played;"""
BOARDS: Final = 3
"""what each of the nine boards holds;"""
CLOSED: Final = 4
"""the boards won by seat 0, those won by seat 1, and all closed ones, as sets of bits;"""
LEGAL: Final = 5
"""what may be played in the board that the last action sends to: nothing if that is closed;"""
RESULT: Final = 6
"""how the game ended."""

_START: Position = (None, None, 0, (EMPTY,) * 9, (0, 0, 0), (), None)


class SuperMorpion(Rules[Position, Action]):
    """The rules of Super Morpion."""

    slug = "super-morpion"
    name = N_("Super Morpion")
    summary = N_("Nine boards in one: the cell you take decides where your opponent plays.")
    reasons = {
        "line": N_("Three boards in a line."),
        "boards": N_("Every board is closed: the boards are counted."),
    }

    def options(self) -> tuple[Option, ...]:
        return ()

    def seats(self, options: Options) -> int:
        return 2

    def seat_name(self, options: Options, seat: Seat) -> Sentence:
        return Sentence(SEAT_NAMES[seat])

    def initial(self, options: Options) -> Position:
        return _START

    def to_move(self, position: Position) -> Seat | None:
        return None if position.result is not None else len(position.played) & 1

    def turn(self, position: Position) -> int:
        return len(position.played)

    def legal_actions(self, position: Position) -> Sequence[Action]:
        own, other, _, _, closed, target, _, result = position
        if result is not None:
            return ()
        taken = own | other
        if target != ANYWHERE:
            return _FREE[target][taken >> 9 * target & FULL]
        actions: list[Action] = []
        for board in CELLS[FULL & ~closed]:
            actions += _FREE[board][taken >> 9 * board & FULL]
        return actions

    def play(self, position: Position, action: Action) -> Position:
        own, other, own_boards, other_boards, closed, _, played, result = position
        board = action // 9
        own |= 1 << action
        mine = own >> 9 * board & FULL
        if HAS_LINE[mine]:
            own_boards |= 1 << board
            closed |= 1 << board
            if HAS_LINE[own_boards] or closed == FULL:
                result = _result(own_boards, other_boards, len(played) & 1)
        elif mine | other >> 9 * board & FULL == FULL:
            closed |= 1 << board
            if closed == FULL:
                result = _result(own_boards, other_boards, len(played) & 1)
        target = action % 9
        if closed >> target & 1:
            target = ANYWHERE
        played += _BYTES[action]
        return Position(other, own, other_boards, own_boards, closed, target, played, result)

    def outcome(self, position: Position) -> Outcome | None:
        return position.result

    def agreed_end(self, position: Position) -> Outcome:
        return _count(position.boards(), "agreed")

    # Text ----------------------------------------------------------------------------------------

    def format(self, action: Action) -> str:
        return TEXTS[action]

    def squares(self, action: Action) -> tuple[str, ...]:
        return (TEXTS[action],)

    def read(self, position: Position, text: str) -> Sequence[str]:
        found = _NOTATION.fullmatch("".join(text.split()))
        if found is None:
            raise Unreadable(
                N_("“%(text)s” cannot be read: type the board and the cell, each a digit "
                   "from 1 to 9, such as 57."),
                text=shown(text),
            )  # fmt: skip
        return ("".join(found.groups()),)

    def why_not(self, position: Position, notation: str) -> Sentence:
        action = _ACTIONS[notation]
        board, target = action // 9, position.target
        if target not in (ANYWHERE, board):
            return Sentence(
                N_("Play in board %(board)s: the last move sends you there."),
                {"board": target + 1},
            )
        if position.closed >> board & 1:
            return Sentence(N_("Board %(board)s is already closed."), {"board": board + 1})
        return Sentence(
            N_("Cell %(cell)s of board %(board)s is taken."),
            {"cell": action % 9 + 1, "board": board + 1},
        )

    def describe(self, position: Position, action: Action) -> Sentence:
        board, cell = divmod(action, 9)
        values: dict[str, str | int | Sentence] = {"where": where(cell), "board": board + 1}
        if HAS_LINE[(position.own | 1 << action) >> 9 * board & FULL]:
            return Sentence(N_("plays %(where)s of board %(board)s and wins it"), values)
        return Sentence(N_("plays %(where)s of board %(board)s"), values)

    def dump(self, position: Position) -> str:
        """Return the actions played, separated by spaces."""
        return " ".join(TEXTS[action] for action in position.played)

    def load(self, text: str) -> Position:
        return follow(self, _START, text)

    # Drawing -------------------------------------------------------------------------------------

    def board(self, position: Position, viewer: Seat | None, last: Sequence[Action]) -> Board:
        marks, boards = position.marks(), position.boards()
        return Board(
            width=9 + 2 * _GAP,
            height=9 + 2 * _GAP,
            cells=_CELLS,
            pieces=tuple(
                mark(text, seat)
                for action, text in enumerate(TEXTS)
                for seat in (0, 1)
                if marks[seat] >> action & 1
            ),
            lines=winning_lines(boards[0], _CENTRES, 0) + winning_lines(boards[1], _CENTRES, 1),
            areas=tuple(_area(position, board) for board in range(9)),
            last=tuple(TEXTS[action] for action in last),
        )


def _apart(line: int) -> float:
    """Return the distance of one of the nine columns or rows from the board's edge."""
    return line + _GAP * (line // 3)


_CELLS = tuple(
    Cell(
        f"{row // 3 * 3 + column // 3 + 1}{row % 3 * 3 + column % 3 + 1}",
        _apart(column),
        _apart(row),
        label=str(row % 3 * 3 + column % 3 + 1),
    )
    for row in range(9)
    for column in range(9)
)


def _area(position: Position, board: int) -> Area:
    boards = position.boards()
    winner = next((seat for seat in (0, 1) if boards[seat] >> board & 1), None)
    closed = bool(position.closed >> board & 1)
    may_play = position.result is None and not closed
    return Area(
        x=_apart(board % 3 * 3),
        y=_apart(board // 3 * 3),
        width=3,
        height=3,
        label=str(board + 1),
        target=may_play and position.target in (ANYWHERE, board),
        closed=closed,
        shape=None if winner is None else ("cross", "ring")[winner],
        side=winner,
    )


def _result(own: int, other: int, seat: Seat) -> Outcome:
    """Return how a game ended by the last action of `seat`, who has won the boards `own`."""
    boards = (other, own) if seat else (own, other)
    if HAS_LINE[own]:
        points = (boards[0].bit_count(), boards[1].bit_count())
        return Outcome((2, 1) if seat else (1, 2), points, "line")
    return _count(boards, "boards")


def _count(boards: tuple[int, int], reason: str) -> Outcome:
    """Return the outcome by the number of boards."""
    first, second = boards[0].bit_count(), boards[1].bit_count()
    places = (1 + (first < second), 1 + (second < first))
    return Outcome(places, (first, second), reason)
