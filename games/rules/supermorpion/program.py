"""A program for Super Morpion: alpha-beta over an estimate of who will win which board.

The idea: suppose that in each board a coin says who marks next, and that both players mark as well
as they can. Then each board has a chance to be won by either player, which is exact and small
enough for a table ("random-turn" games: Y. Peres, O. Schramm, S. Sheffield and D. Wilson,
"Random-Turn Hex and Other Selection Games", 2007). A player's strength in a board is the square of
that chance, or a little more than 1 in a board that is won, and in a line of boards the product of
its three strengths. From the sum over the lines follows how likely a player is to complete none, as
if completing one were a rare event (S. Poisson, 1837). A position is worth the difference of both
players' chances to complete a line, and the lead in boards as far as neither completes one.

Who is to act gains a part of what their best mark gains in the board they are sent to, and a fixed
value if they may play anywhere. The square and the numbers were fitted to the results of 1,900 and
of 3,000 games of the program against itself (logistic regression), and then tried in matches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import exp
from typing import ClassVar, NamedTuple, TypeAlias

from games.rules.alpha_beta import WIN, SearchedGame
from games.rules.base import N_
from games.rules.looking_ahead import ANY, LookingAhead, Sight
from games.rules.programs import Level
from games.rules.supermorpion.rules import LEGAL, OTHER, OWN, TURN, WON, Action, Position
from games.rules.three_by_three import CELLS, FULL, HAS_LINE

POWERS = tuple(3**cell for cell in range(9))
"""A board's code is the sum of these over its cells, once for a cross and twice for a nought."""

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

ANYWHERE = -1

LINE = 10_000
"""What it is worth to complete a line for certain."""
LINES_TO_CHANCE = 1.83
"""exp(-this * the sum of the lines' strengths) is the chance to complete no line."""
WON_BOARD = 1.22
"""The strength of a board that is won. In others it is below 1, for they can still be lost."""
LEAD = 0.32
"""What each board of the lead is worth, as a part of a line, if nobody completes a line. It counts
strengths."""
TEMPO = 0.38
"""The side to act is credited with this part of what its best mark gains."""
FREE = 3_500
"""What it is worth to play anywhere."""
BOARD = 500
"""What beginners think that a board is worth."""

PAIRS = tuple(
    tuple(tuple(b for b in line if b != board) for line in LINES if board in line)
    for board in range(9)
)
"""By board: the two other boards of each of its lines."""


class Reply(NamedTuple):
    """A mark in a board: by how much it changes the strengths, and whether it closes the board."""

    cell: int
    code: int
    own_growth: float
    other_growth: float
    closes: bool


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """What is known of one board. Each code has one object only, so they are compared by identity.

    `strengths` are those of cross and of nought. `replies` holds for
    each seat its marks, the most promising first, and `best` by how much its best one raises its
    own strength and lowers the other, 0 if there is none.
    """

    code: int
    strengths: tuple[float, float]
    closed: bool
    winner: int | None
    replies: tuple[tuple[Reply, ...], tuple[Reply, ...]]
    best: tuple[tuple[float, float], tuple[float, float]]


def _codes(code: int) -> tuple[int, int]:
    """Return the sets of crosses and noughts of a board's code."""
    sets = [0, 0, 0]
    for cell in range(9):
        code, mark = divmod(code, 3)
        sets[mark] |= 1 << cell
    return sets[1], sets[2]


def _is_closed(code: int) -> bool:
    crosses, noughts = _codes(code)
    return HAS_LINE[crosses] or HAS_LINE[noughts] or crosses | noughts == FULL


@cache
def chances(code: int) -> tuple[float, float]:
    """Return the chances of cross and nought to win a board if a coin says who marks next."""
    crosses, noughts = _codes(code)
    if HAS_LINE[crosses]:
        return (1.0, 0.0)
    if HAS_LINE[noughts]:
        return (0.0, 1.0)
    empty = CELLS[FULL & ~(crosses | noughts)]
    if not empty:
        return (0.0, 0.0)
    best = []
    for seat, sign in ((0, 1), (1, -1)):
        after = [chances(code + (seat + 1) * POWERS[cell]) for cell in empty]
        best.append(max(after, key=lambda pair: (sign * (pair[0] - pair[1]), pair[seat])))
    (one, two), (three, four) = best
    return ((one + three) / 2, (two + four) / 2)


@cache
def board_of(code: int) -> Board:
    """Return what is known of a board."""
    here, closed = _strengths(code), _is_closed(code)
    crosses, noughts = _codes(code)
    replies, best = [], []
    for seat in (0, 1):
        found = []
        for cell in () if closed else CELLS[FULL & ~(crosses | noughts)]:
            after = code + (seat + 1) * POWERS[cell]
            there = _strengths(after)
            own, other = there[seat] - here[seat], there[1 - seat] - here[1 - seat]
            found.append(Reply(cell, after, own, other, _is_closed(after)))
        found.sort(key=lambda reply: reply.other_growth - reply.own_growth)
        replies.append(tuple(found))
        growths = [(reply.own_growth, -reply.other_growth) for reply in found]
        best.append(max(growths, key=lambda growth: (sum(growth), growth), default=(0.0, 0.0)))
    winner = here.index(WON_BOARD) if WON_BOARD in here else None
    return Board(code, here, closed, winner, (replies[0], replies[1]), (best[0], best[1]))


def _strengths(code: int) -> tuple[float, float]:
    """Return the strengths of cross and nought in a board."""
    cross, nought = chances(code)
    if cross == 1 or nought == 1:
        return cross * WON_BOARD, nought * WON_BOARD
    return cross * cross, nought * nought


State: TypeAlias = tuple[tuple[Board, ...], int, int, int | None]
"""A position for the search: the nine boards, the one to play in, the seat to act, the result.

The result is None before the end, then 1 if cross won, -1 if nought did, 0 for a draw.
"""


def state_of(position: Position) -> State:
    """Return the search's state of a position that is no end."""
    seat = position[TURN] & 1
    crosses, noughts = (
        (position[OTHER], position[OWN]) if seat else (position[OWN], position[OTHER])
    )
    boards = []
    for board in range(9):
        marks = [crosses[board], noughts[board]]
        for winner, won in enumerate((crosses[WON], noughts[WON])):
            if won >> board & 1:
                marks[1 - winner] = 0  # the rules give the winner all cells, the loser's too
        code = sum((1 + s) * POWERS[cell] for s in (0, 1) for cell in CELLS[marks[s]])
        boards.append(board_of(code))
    legal = position[LEGAL]
    return tuple(boards), legal[0][0] if legal else ANYWHERE, seat, None


class SearchedSuperMorpion(SearchedGame[State, Action]):
    """Super Morpion as the search sees it, for one seat."""

    def __init__(self, seat: int) -> None:
        self._seat = seat

    def is_ours(self, state: State) -> bool:
        return state[2] == self._seat

    def end(self, state: State) -> int | None:
        result = state[3]
        if result is None:
            return None
        return WIN * (-result if self._seat else result)

    def actions(self, state: State) -> Sequence[Action]:
        boards, target, seat, _ = state
        targets = range(9) if target == ANYWHERE else (target,)
        return [(b, reply[0]) for b in targets for reply in boards[b].replies[seat]]

    def play(self, state: State, action: Action) -> State:
        boards, _, seat, _ = state
        board, cell = action
        after = [*boards]
        marked = after[board] = board_of(boards[board].code + (seat + 1) * POWERS[cell])
        result = _result(after, board) if marked.closed else None
        return tuple(after), ANYWHERE if after[cell].closed else cell, 1 - seat, result

    def value(self, state: State) -> int:
        boards, target, seat, _ = state
        mine = [board.strengths[seat] for board in boards]
        theirs = [board.strengths[1 - seat] for board in boards]
        value, per_board, (my_slope, my_pairs), (their_slope, their_pairs) = worth(mine, theirs)
        if target == ANYWHERE:
            value += FREE
        else:
            more, less = boards[target].best[seat]
            gain = my_slope * my_pairs[target] + per_board
            loss = their_slope * their_pairs[target] + per_board
            value += TEMPO * (more * gain + less * loss)
        return round(value if seat == self._seat else -value)

    def last_ply(self, state: State, beta: int, alpha: int = -WIN) -> tuple[int, int]:
        # The change of a board that stays open is taken for small: what it gains is multiplied by
        # the slope of the whole value, and the other boards keep their slopes.
        boards, target, seat, _ = state
        other = 1 - seat
        mine = [board.strengths[seat] for board in boards]
        theirs = [board.strengths[other] for board in boards]
        now, per_board, (my_slope, my_pairs), (their_slope, their_pairs) = worth(mine, theirs)
        best, tried = float(-WIN), 0
        for number in range(9) if target == ANYWHERE else (target,):
            gain = my_slope * my_pairs[number] + per_board
            loss = their_slope * their_pairs[number] + per_board
            for cell, code, own_growth, other_growth, closes in boards[number].replies[seat]:
                tried += 1
                if closes:
                    after = [*boards]
                    after[number] = board_of(code)
                    result = _result(after, number)
                    if result is not None:
                        best = max(best, WIN * (-result if seat else result))
                        continue
                    value = worth(
                        [*mine[:number], mine[number] + own_growth, *mine[number + 1 :]],
                        [*theirs[:number], theirs[number] + other_growth, *theirs[number + 1 :]],
                    )[0]
                else:
                    value = now + gain * own_growth - loss * other_growth
                sent_to = board_of(code) if cell == number else boards[cell]
                if sent_to.closed:
                    value -= FREE
                else:
                    more, less = sent_to.best[other]
                    value -= TEMPO * (
                        more * (their_slope * their_pairs[cell] + per_board)
                        + less * (my_slope * my_pairs[cell] + per_board)
                    )
                if value > best:
                    best = value
                    if best >= beta:
                        return round(best), tried
        return round(best), tried


Slopes: TypeAlias = tuple[float, tuple[float, ...]]
"""How the value changes with a player's strength in a board: by the number, times the strengths of
the pairs that the board makes a line with, and by what a board of the lead is worth."""


def worth(mine: Sequence[float], theirs: Sequence[float]) -> tuple[float, float, Slopes, Slopes]:
    """Return the value of the strengths to one player, and how that value changes.

    Who is to act does not matter. The second number is what a board of the lead is worth; the
    slopes tell how much is gained if one's own strength grows in a board, and how much is lost if
    the other's does.
    """
    my_pairs, my_lines = _lines(mine)
    their_pairs, their_lines = _lines(theirs)
    i_make_none = LINE * exp(-LINES_TO_CHANCE * my_lines)
    they_make_none = LINE * exp(-LINES_TO_CHANCE * their_lines)
    per_board = LEAD * i_make_none * they_make_none / LINE
    by_boards = per_board * (sum(mine) - sum(theirs))
    return (
        they_make_none - i_make_none + by_boards,
        per_board,
        (LINES_TO_CHANCE * (i_make_none - by_boards), my_pairs),
        (LINES_TO_CHANCE * (they_make_none + by_boards), their_pairs),
    )


def _lines(strengths: Sequence[float]) -> tuple[tuple[float, ...], float]:
    """Return for each board the strengths of the pairs that it makes a line with; and all lines."""
    a, b, c, d, e, f, g, h, i = strengths
    pairs = (
        *(b * c + d * g + e * i, a * c + e * h, a * b + f * i + e * g),
        *(e * f + a * g, d * f + b * h + a * i + c * g, d * e + c * i),
        *(h * i + a * d + e * c, g * i + b * e, g * h + c * f + a * e),
    )
    return pairs, a * pairs[0] + e * (d * f + b * h + c * g) + i * (g * h + c * f)


def _result(boards: Sequence[Board], last: int) -> int | None:
    """Return how the game ended with this board's closing, None if it goes on."""
    winner = boards[last].winner
    if winner is not None:
        for one, two in PAIRS[last]:
            if boards[one].winner == winner == boards[two].winner:
                return -1 if winner else 1
    for board in boards:
        if not board.closed:
            return None
    lead = _lead(boards)
    return (lead > 0) - (lead < 0)


def _lead(boards: Sequence[Board]) -> int:
    """Return how many boards more cross has won than nought."""
    return sum((board.winner == 0) - (board.winner == 1) for board in boards)


class BoardsWon(SearchedSuperMorpion):
    """Super Morpion as beginners see it: boards won, and nothing else."""

    def value(self, state: State) -> int:
        lead = _lead(state[0])
        return -BOARD * lead if self._seat else BOARD * lead

    def last_ply(self, state: State, beta: int, alpha: int = -WIN) -> tuple[int, int]:
        return SearchedGame.last_ply(self, state, beta, alpha)


class SuperMorpionProgram(LookingAhead[Position, Action]):
    """Plays Super Morpion by alpha-beta search."""

    even = LINE * 3 // 10
    sights = (
        Sight(1, 1_000),
        Sight(2, 10_000),
        Sight(2, 20_000),
        Sight(5, 200_000),
        Sight(ANY, 4_000_000),
    )
    levels: ClassVar[tuple[Level, ...]] = (
        Level(
            1,
            N_("Takes a board it can win"),
            N_("Wins a board if it can, and does not look where it sends you."),
            0.1,
        ),
        Level(
            2,
            N_("Sees which boards you can win"),
            N_("Looks at your next turn, and counts boards won."),
            0.1,
        ),
        Level(
            3,
            N_("Weighs every board"),
            N_("Looks at your next turn, and estimates who will win which board."),
            0.1,
        ),
        Level(
            4,
            N_("Sees five turns ahead"),
            N_("Looks five turns ahead, with the same estimate."),
            0.1,
        ),
        Level(
            5,
            N_("Looks as far as it can"),
            N_("Looks at four million positions, some ten turns ahead."),
            20.0,
        ),
    )

    def searched(
        self, position: Position, seat: int, level: int
    ) -> tuple[SearchedSuperMorpion, State]:
        kind = SearchedSuperMorpion if level >= _WEIGHS else BoardsWon
        return kind(seat), state_of(position)


_WEIGHS = 3
"""The first level that estimates who will win a board."""
