"""Super Morpion: nine boards of Morpion, each cell sending the opponent to a board."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Final, TypeAlias

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
from games.rules.board import Area, Board, Cell
from games.rules.three_by_three import (
    CELLS,
    FULL,
    HAS_LINE,
    SEAT_NAMES,
    cell_phrase,
    pen_mark,
    winning_lines,
)

Action: TypeAlias = tuple[int, int]
"""Board and cell, both 0 to 8 in reading order."""

_ACTIONS_IN: tuple[tuple[Action, ...], ...] = tuple(
    tuple((board, cell) for cell in range(9)) for board in range(9)
)
TEXTS = {(board, cell): f"{board + 1}{cell + 1}" for board in range(9) for cell in range(9)}
_ACTIONS = {text: action for action, text in TEXTS.items()}
_CENTRES = tuple(f"{board}5" for board in range(1, 10))
_NOTATION = re.compile(r"([1-9])[-–—./:]?([1-9])")
_GAP = 0.4

_LEFT = tuple(
    tuple(tuple(actions[cell] for cell in CELLS[FULL & ~taken]) for taken in range(FULL + 1))
    for actions in _ACTIONS_IN
)
"""The actions that are left in a board, by the cells taken there."""

_OPEN = tuple(
    tuple((board, _LEFT[board]) for board in CELLS[FULL & ~won]) for won in range(FULL + 1)
)
"""By the set of boards won: the others, each with the actions left there by the cells taken."""

_MARKED = tuple(
    tuple(FULL if HAS_LINE[marks | 1 << cell] else marks | 1 << cell for marks in range(FULL + 1))
    for cell in range(9)
)
"""By a cell and a player's marks in a board: the marks with that cell, FULL if they hold a line."""

Marks: TypeAlias = tuple[int, ...]
"""The cells that a player has taken in each of the nine boards, then the boards won; all are sets.

The winner of a board is given all of its cells: nothing is left there.
"""

Position: TypeAlias = tuple[
    "Position | None", Action | None, int, Marks, Marks, tuple[Action, ...], Outcome | None
]
"""A position: a plain tuple, because Python makes nothing faster.

At BEFORE is the position before (None at the start) and at LAST the action that led here, so that
a position knows its whole game; at TURN the number of actions played; at OWN and OTHER the marks
of the seat to act and of its opponent; at LEGAL what is left in the board that the last action
sends to, nothing meaning anywhere; at RESULT how the game ended.
"""
BEFORE: Final = 0
LAST: Final = 1
TURN: Final = 2
OWN: Final = 3
OTHER: Final = 4
LEGAL: Final = 5
RESULT: Final = 6

WON: Final = 9
"""Where the boards won are in `Marks`."""

_START: Position = (None, None, 0, (0,) * 10, (0,) * 10, (), None)


class SuperMorpion(Rules[Position, Action]):
    """The rules of Super Morpion."""

    slug = "super-morpion"
    name = N_("Super Morpion")
    summary = N_("Nine boards in one: the cell you take decides where your opponent plays.")
    reasons = {
        "line": N_("Three boards in a line."),
        "boards": N_("Every board is closed: the boards are counted."),
    }
    decisive = {"line": N_("The line wins, whatever the points.")}

    def options(self) -> tuple[Option, ...]:
        return ()

    def seats(self, options: Options) -> int:
        return 2

    def seat_name(self, options: Options, seat: Seat) -> TranslatableText:
        return TranslatableText(SEAT_NAMES[seat])

    def initial(self, options: Options) -> Position:
        return _START

    def to_move(self, position: Position) -> Seat | None:
        return None if position[RESULT] is not None else position[TURN] & 1

    def turn(self, position: Position) -> int:
        return position[TURN]

    def legal_actions(self, position: Position) -> Sequence[Action]:
        legal = position[LEGAL]
        if legal or position[RESULT] is not None:
            return legal
        own, other = position[OWN], position[OTHER]
        actions: list[Action] = []
        for board, left in _OPEN[own[WON] | other[WON]]:
            actions += left[own[board] | other[board]]
        return actions

    def play(self, position: Position, action: Action) -> Position:
        _, _, turn, own, other, _, _ = position  # faster than three indices
        board, cell = action
        mine = [*own]
        marks = mine[board] = _MARKED[cell][own[board]]
        legal = _LEFT[cell][mine[cell] | other[cell]]
        if legal and marks != FULL:
            # Most actions only send on; a board filled here can end nothing, as another is open.
            return (position, action, turn + 1, other, tuple(mine), legal, None)
        result = None
        if marks == FULL:
            mine[WON] |= 1 << board
            if HAS_LINE[mine[WON]]:
                legal, result = (), _line_of_boards(turn & 1, mine[WON], other[WON])
        if result is None and not legal and marks | other[board] == FULL:
            for number, _ in _OPEN[mine[WON] | other[WON]]:
                if mine[number] | other[number] != FULL:
                    break
            else:
                boards = (other[WON], mine[WON]) if turn & 1 else (mine[WON], other[WON])
                result = _score_boards(boards, "boards")
        return (position, action, turn + 1, other, tuple(mine), legal, result)

    def outcome(self, position: Position) -> Outcome | None:
        return position[RESULT]

    def agreed_end(self, position: Position) -> Outcome:
        return _score_boards(_boards_won(position), "agreed")

    # Text ----------------------------------------------------------------------------------------

    def format(self, position: Position, action: Action) -> str:
        return TEXTS[action]

    def squares(self, position: Position, action: Action) -> tuple[str, ...]:
        return (TEXTS[action],)

    def read(self, position: Position, text: str) -> Sequence[str]:
        found = _NOTATION.fullmatch("".join(text.split()))
        if found is None:
            raise InvalidMoveError(
                N_("“%(text)s” cannot be read: type the board and the cell, each a digit "
                   "from 1 to 9, such as 57."),
                text=shown(text),
            )  # fmt: skip
        return ("".join(found.groups()),)

    def why_not(self, position: Position, notation: str) -> TranslatableText:
        board, cell = _ACTIONS[notation]
        if position[LEGAL] and position[LEGAL][0][0] != board:
            return TranslatableText(
                N_("Play in board %(board)s: the last move sends you there."),
                {"board": position[LEGAL][0][0] + 1},
            )
        if position[OWN][board] | position[OTHER][board] == FULL:
            return TranslatableText(N_("Board %(board)s is already closed."), {"board": board + 1})
        return TranslatableText(
            N_("Cell %(cell)s of board %(board)s is taken."),
            {"cell": cell + 1, "board": board + 1},
        )

    def describe(self, position: Position, action: Action) -> TranslatableText:
        board, cell = action
        values: dict[str, str | int | TranslatableText] = {
            "where": cell_phrase(cell),
            "board": board + 1,
        }
        if HAS_LINE[position[OWN][board] | 1 << cell]:
            return TranslatableText(N_("plays %(where)s of board %(board)s and wins it"), values)
        return TranslatableText(N_("plays %(where)s of board %(board)s"), values)

    def dump(self, position: Position) -> str:
        """Return the actions played, separated by spaces."""
        return " ".join(TEXTS[action] for action in actions_played(position))

    def load(self, text: str) -> Position:
        return follow(self, _START, text)

    # Drawing -------------------------------------------------------------------------------------

    def board(self, position: Position, viewer: Seat | None, last: Sequence[Action]) -> Board:
        seats = {action: turn & 1 for turn, action in enumerate(actions_played(position))}
        crosses, noughts = _boards_won(position)
        legal, areas = position[LEGAL], []
        for number in range(9):
            winner = 0 if crosses >> number & 1 else 1 if noughts >> number & 1 else None
            closed = position[OWN][number] | position[OTHER][number] == FULL
            sent_here = legal[0][0] == number if legal else position[RESULT] is None
            areas.append(
                Area(
                    x=_with_gaps(number % 3 * 3),
                    y=_with_gaps(number // 3 * 3),
                    width=3,
                    height=3,
                    label=str(number + 1),
                    target=sent_here and not closed,
                    closed=closed,
                    shape=None if winner is None else ("cross", "ring")[winner],
                    side=winner,
                )
            )
        return Board(
            width=9 + 2 * _GAP,
            height=9 + 2 * _GAP,
            cells=_CELLS,
            pieces=tuple(
                pen_mark(text, seats[action]) for action, text in TEXTS.items() if action in seats
            ),
            lines=winning_lines(crosses, _CENTRES, 0) + winning_lines(noughts, _CENTRES, 1),
            areas=tuple(areas),
            last=tuple(TEXTS[action] for action in last),
        )


def actions_played(position: Position) -> list[Action]:
    """Return every action of the game, the first one first."""
    actions: list[Action] = []
    here: Position | None = position
    while here is not None and here[LAST] is not None:
        actions.append(here[LAST])
        here = here[BEFORE]
    return actions[::-1]


def _with_gaps(line: int) -> float:
    """Return the distance of one of the nine columns or rows from the board's edge."""
    return line + _GAP * (line // 3)


_CELLS = tuple(
    Cell(
        f"{row // 3 * 3 + column // 3 + 1}{row % 3 * 3 + column % 3 + 1}",
        _with_gaps(column),
        _with_gaps(row),
        label=str(row % 3 * 3 + column % 3 + 1),
    )
    for row in range(9)
    for column in range(9)
)


def _boards_won(position: Position) -> tuple[int, int]:
    """Return the boards won by seat 0 and by seat 1."""
    own, other = position[OWN][WON], position[OTHER][WON]
    return (other, own) if position[TURN] & 1 else (own, other)


@cache
def _line_of_boards(seat: Seat, own: int, other: int) -> Outcome:
    """Return the outcome when a seat has a line; these are its boards and its opponent's."""
    points = (own.bit_count(), other.bit_count())
    return Outcome((2, 1), points[::-1], "line") if seat else Outcome((1, 2), points, "line")


@cache
def _score_boards(boards: tuple[int, int], reason: str) -> Outcome:
    """Return the outcome by the number of boards."""
    first, second = boards[0].bit_count(), boards[1].bit_count()
    places = (1 + (first < second), 1 + (second < first))
    return Outcome(places, (first, second), reason)
