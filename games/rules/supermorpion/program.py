"""A program for Super Morpion: alpha-beta over an estimate of who will win which board.

The idea: suppose that in each board a coin says who marks next, and that both players mark as well
as they can. Then each board has a chance to be won by either player, which is exact and small
enough for a table ("random-turn" games: Y. Peres, O. Schramm, S. Sheffield and D. Wilson,
"Random-Turn Hex and Other Selection Games", 2007). A line of three boards is worth the product of
its three chances, and a position the sum over the eight lines, one player's less the other's.

Besides, every board counts a little, and so does the right to play anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import ClassVar, NamedTuple

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

UNIT = 10_000
"""The value of a line that is certainly won."""
BOARD = 500
"""What a board is worth, won or to be won, besides its lines."""
FREE = 300
"""What it is worth to play anywhere."""

PAIRS = tuple(
    tuple(tuple(b for b in line if b != board) for line in LINES if board in line)
    for board in range(9)
)
"""By board: the two other boards of each of its lines."""


class Board(NamedTuple):
    """What is known of one board by its code.

    `chances` are those of cross and of nought to win it. `replies` holds for each seat what it can
    mark: the cell, the code after it, by how much its own and the other chance grow, and whether
    that closes the board.
    """

    chances: tuple[float, float]
    closed: bool
    replies: tuple[tuple[tuple[int, int, float, float, bool], ...], ...]


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
        best.append(max(after, key=lambda pair: sign * (pair[0] - pair[1])))
    (one, two), (three, four) = best
    return ((one + three) / 2, (two + four) / 2)


@cache
def board_of(code: int) -> Board:
    """Return what is known of a board."""
    crosses, noughts = _codes(code)
    closed = _is_closed(code)
    here = chances(code)
    replies = []
    for seat in (0, 1):
        found = []
        for cell in () if closed else CELLS[FULL & ~(crosses | noughts)]:
            after = code + (seat + 1) * POWERS[cell]
            there = chances(after)
            more, less = there[seat] - here[seat], there[1 - seat] - here[1 - seat]
            found.append((cell, after, more, less, _is_closed(after)))
        replies.append(tuple(found))
    return Board(here, closed, tuple(replies))


class State(NamedTuple):
    """A position for the search: the nine codes, the board to play in, the seat to act."""

    boards: tuple[int, ...]
    target: int
    seat: int
    result: int | None
    """None before the end, then 1 if cross won, -1 if nought did, 0 for a draw."""


def state_of(position: Position) -> State:
    """Return the search's state of a position that is no end."""
    seat = position[TURN] & 1
    crosses, noughts = (
        (position[OTHER], position[OWN]) if seat else (position[OWN], position[OTHER])
    )
    codes = []
    for board in range(9):
        marks = [crosses[board], noughts[board]]
        for winner, won in enumerate((crosses[WON], noughts[WON])):
            if won >> board & 1:
                marks[1 - winner] = 0  # the rules give the winner all cells, the loser's too
        codes.append(sum((1 + s) * POWERS[cell] for s in (0, 1) for cell in CELLS[marks[s]]))
    legal = position[LEGAL]
    return State(tuple(codes), legal[0][0] if legal else ANYWHERE, seat, None)


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
        return [(b, reply[0]) for b in targets for reply in board_of(boards[b])[2][seat]]

    def play(self, state: State, action: Action) -> State:
        boards, _, seat, _ = state
        board, cell = action
        code = boards[board] + (seat + 1) * POWERS[cell]
        after = (*boards[:board], code, *boards[board + 1 :])
        target = cell
        result = None
        if board_of(code)[1]:
            result = _result(after, board)
        if board_of(after[cell])[1]:
            target = ANYWHERE
        return State(after, target, 1 - seat, result)

    def value(self, state: State) -> int:
        boards, target, seat, _ = state
        pairs = [board_of(code)[0] for code in boards]
        total = BOARD * sum(pair[0] - pair[1] for pair in pairs)
        for one, two, three in LINES:
            total += UNIT * pairs[one][0] * pairs[two][0] * pairs[three][0]
            total -= UNIT * pairs[one][1] * pairs[two][1] * pairs[three][1]
        if target == ANYWHERE:
            total += -FREE if seat else FREE
        return round(-total if self._seat else total)

    def last_ply(self, state: State, beta: int, alpha: int = -WIN) -> tuple[int, int]:
        boards, target, seat, _ = state
        known = [board_of(code) for code in boards]
        mine = [one[0][seat] for one in known]
        theirs = [one[0][1 - seat] for one in known]
        base = UNIT * (
            mine[0] * mine[1] * mine[2]
            + mine[3] * (mine[4] * mine[5] + mine[0] * mine[6])
            + mine[6] * mine[7] * mine[8]
            + mine[4] * (mine[1] * mine[7] + mine[0] * mine[8] + mine[2] * mine[6])
            + mine[2] * mine[5] * mine[8]
            - theirs[0] * theirs[1] * theirs[2]
            - theirs[3] * (theirs[4] * theirs[5] + theirs[0] * theirs[6])
            - theirs[6] * theirs[7] * theirs[8]
            - theirs[4] * (theirs[1] * theirs[7] + theirs[0] * theirs[8] + theirs[2] * theirs[6])
            - theirs[2] * theirs[5] * theirs[8]
        ) + BOARD * (sum(mine) - sum(theirs))
        best, tried = float(-WIN), 0
        for board in range(9) if target == ANYWHERE else (target,):
            replies = known[board][2][seat]
            if not replies:
                continue
            tried += len(replies)
            gain = loss = float(BOARD)
            for one, two in PAIRS[board]:
                gain += UNIT * mine[one] * mine[two]
                loss += UNIT * theirs[one] * theirs[two]
            for cell, code, more, less, closes in replies:
                value = base + gain * more - loss * less
                if closes:
                    result = _result((*boards[:board], code, *boards[board + 1 :]), board)
                    if result is not None:
                        best = max(best, WIN * (-result if seat else result))
                        continue
                if known[cell][1] or (closes and cell == board):
                    value -= FREE
                if value > best:  # noqa: PLR1730  (max is slower)
                    best = value
            if best >= beta:
                break
        return round(best), tried


def _result(boards: tuple[int, ...], last: int) -> int | None:
    """Return how the game ended with this board's closing, None if it goes on."""
    pairs = [board_of(code)[0] for code in boards]
    for one, two in PAIRS[last]:
        for seat, result in ((0, 1), (1, -1)):
            if pairs[last][seat] == pairs[one][seat] == pairs[two][seat] == 1.0:
                return result
    if all(board_of(code)[1] for code in boards):
        lead = sum(p[0] for p in pairs) - sum(p[1] for p in pairs)
        return (lead > 0) - (lead < 0)
    return None


class BoardsWon(SearchedSuperMorpion):
    """Super Morpion as beginners see it: boards won, and nothing else."""

    def value(self, state: State) -> int:
        pairs = [board_of(code)[0] for code in state.boards]
        lead = sum((pair[0] == 1) - (pair[1] == 1) for pair in pairs)
        return -BOARD * lead if self._seat else BOARD * lead

    def last_ply(self, state: State, beta: int, alpha: int = -WIN) -> tuple[int, int]:
        return SearchedGame.last_ply(self, state, beta, alpha)


class SuperMorpionProgram(LookingAhead[Position, Action]):
    """Plays Super Morpion by alpha-beta search."""

    even = UNIT
    sights = (
        Sight(1, 1_000),
        Sight(2, 10_000),
        Sight(2, 20_000),
        Sight(5, 200_000),
        Sight(ANY, 8_000_000),
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
            N_("Looks at eight million positions, some ten turns ahead."),
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
