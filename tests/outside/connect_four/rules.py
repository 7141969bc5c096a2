"""Connect Four: discs and rings fall into seven columns; four in a row win."""

from collections.abc import Sequence
from typing import NamedTuple

from games.rules.base import N_, Option, Options, Outcome, Rules, Seat, TranslatableText, follow
from games.rules.board import Board, Piece
from games.rules.grid import Grid

Action = int
"""A column, from 0 at the left. Where a man lands follows from the position."""

FOUR = 4
GRID = Grid(rows=6, columns=7)
NAMES = GRID.names()
COLUMNS = "abcdefg"


class Position(NamedTuple):
    """The columns played, the cells that each seat holds, and how the game ended."""

    played: tuple[Action, ...] = ()
    men: tuple[int, int] = (0, 0)
    result: Outcome | None = None

    def free(self, column: Action) -> list[int]:
        """Return the free cells of a column, the lowest one last."""
        taken = self.men[0] | self.men[1]
        return [cell for cell in (column, *GRID.ray(column, (1, 0))) if not taken >> cell & 1]


class ConnectFour(Rules[Position, Action]):
    """The rules of Connect Four."""

    slug = "connect-four"
    name = N_("Connect Four")
    summary = N_("Drop your men into seven columns, and be the first with four in a row.")
    reasons = {"four": N_("Four in a row."), "full": N_("The board is full.")}

    def options(self) -> tuple[Option, ...]:
        return ()

    def seats(self, options: Options) -> int:
        return 2

    def seat_name(self, options: Options, seat: Seat) -> TranslatableText:
        return TranslatableText((N_("Discs"), N_("Rings"))[seat])

    def initial(self, options: Options) -> Position:
        return Position()

    def to_move(self, position: Position) -> Seat | None:
        return None if position.result else len(position.played) % 2

    def turn(self, position: Position) -> int:
        return len(position.played)

    def legal_actions(self, position: Position) -> Sequence[Action]:
        taken = position.men[0] | position.men[1]
        return [] if position.result else [c for c in range(GRID.columns) if not taken >> c & 1]

    def play(self, position: Position, action: Action) -> Position:
        played, seat = (*position.played, action), len(position.played) % 2
        mine = position.men[seat] | 1 << position.free(action)[-1]
        result = None
        if GRID.has_line(mine, FOUR):
            result = Outcome((2, 1) if seat else (1, 2), None, "four")
        elif len(played) == GRID.rows * GRID.columns:
            result = Outcome((1, 1), None, "full")
        return Position(
            played, (position.men[0], mine) if seat else (mine, position.men[1]), result
        )

    def outcome(self, position: Position) -> Outcome | None:
        return position.result

    def agreed_end(self, position: Position) -> Outcome:
        return Outcome((1, 1), None, "agreed")

    def format(self, position: Position, action: Action) -> str:
        return COLUMNS[action]

    def squares(self, position: Position, action: Action) -> tuple[str, ...]:
        return (NAMES[position.free(action)[-1]],)

    def read(self, position: Position, text: str) -> Sequence[str]:
        letter = text.strip().lower()
        return (letter,) if letter in tuple(COLUMNS) else ()

    def why_not(self, position: Position, notation: str) -> TranslatableText:
        return TranslatableText(N_("Column %(column)s is full."), {"column": notation})

    def describe(self, position: Position, action: Action) -> TranslatableText:
        (square,) = self.squares(position, action)
        return TranslatableText(N_("drops onto %(square)s"), {"square": square})

    def dump(self, position: Position) -> str:
        """Return the columns played, separated by spaces."""
        return " ".join(COLUMNS[action] for action in position.played)

    def load(self, text: str) -> Position:
        return follow(self, Position(), text)

    def board(self, position: Position, viewer: Seat | None, last: Sequence[Action]) -> Board:
        discs, rings = position.men
        landed = [column + GRID.columns * len(position.free(column)) for column in last]
        return Board(
            width=GRID.columns,
            height=GRID.rows,
            cells=GRID.drawn_cells(NAMES),
            pieces=tuple(Piece(NAMES[c], "disc", 0, "X", N_("disc")) for c in GRID.cells_in(discs))
            + tuple(Piece(NAMES[c], "ring", 1, "O", N_("ring")) for c in GRID.cells_in(rings)),
            lines=GRID.winning_lines(discs, FOUR, NAMES, 0)
            + GRID.winning_lines(rings, FOUR, NAMES, 1),
            last=tuple(NAMES[cell] for cell in landed),
            columns=GRID.column_labels(),
            rows=GRID.row_labels(),
        )
