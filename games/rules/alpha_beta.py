"""Alpha-beta search over single actions: the one search of all programs that look ahead.

It deepens action by action, remembers positions in a table of bounded size, tries first what was
best before (table, then history), and proves with a null window that the rest is no better
(principal variation search). A side may act several times in a row; with more than two sides, all
the others are taken for one opponent ("paranoid").

Sources: D. Knuth and R. Moore, "An Analysis of Alpha-Beta Pruning" (1975); A. Reinefeld, "An
Improvement to the Scout Tree-Search Algorithm" (1983); J. Schaeffer, "The History Heuristic"
(1983); N. Sturtevant and R. Korf, "On Pruning Techniques for Multi-Player Games" (2000).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from games.rules.base import A
from games.rules.budget import Budget

S = TypeVar("S", bound=Hashable)
"""What a game makes of its positions for the search. Equal states have equal futures."""

WIN = 1_000_000
"""The value of a won end; values that programs estimate are far below."""

SURE = WIN - 10_000
"""From this value on a win is certain: it is WIN less the number of actions until the end."""

MOST_ENTRIES = 15_000
"""Half of the table's size: when so many are new, those before them are forgotten (30 MB)."""

DEEP = 8
"""A search that looks further than this keeps no position two actions before its last: they are
most of all, and cost least to search again."""

_EXACT, _AT_LEAST, _AT_MOST = 0, 1, 2

Entry = tuple[int, int, int, A | None]
"""What the table knows of a state: depth, kind of value, value for the side to act, best action."""


class SearchedGame(ABC, Generic[S, A]):
    """What the search asks of a game. All values are for "us", the side that it searches for."""

    @abstractmethod
    def is_ours(self, state: S) -> bool:
        """Tell whether our side is to act."""

    @abstractmethod
    def actions(self, state: S) -> Sequence[A]:
        """Return the legal actions of a state that is no end."""

    @abstractmethod
    def play(self, state: S, action: A) -> S:
        """Return the state after an action."""

    @abstractmethod
    def end(self, state: S) -> int | None:
        """Return WIN, -WIN or what a draw is worth at the end of the game; None before it."""

    @abstractmethod
    def value(self, state: S) -> int:
        """Return an estimate of a state that is no end."""

    def last_ply(self, state: S, beta: int, alpha: int = -WIN) -> tuple[int, int]:
        """Return the best value of one more action, for the side to act, and how many were tried.

        Actions need not be tried once one is worth `beta`, nor those that are certainly worth no
        more than `alpha`: then the value returned is one that they do not exceed. A game overrides
        this if it can estimate the states after all actions faster than one by one.
        """
        ours, best, tried = self.is_ours(state), -WIN, 0
        for action in self.actions(state):
            after = self.play(state, action)
            found = self.end(after)
            if found is None:
                found = self.value(after)
            tried += 1
            best = max(best, found if ours else -found)
            if best >= beta:
                break
        return best, tried


@dataclass(frozen=True, slots=True)
class Found(Generic[A]):
    """What a search found: the best action, what it is worth to us, and how far the search saw."""

    action: A
    value: int
    depth: int

    @property
    def actions_left(self) -> int | None:
        """The number of actions until the end, if a win or a loss is certain."""
        return WIN - abs(self.value) if abs(self.value) >= SURE else None


class _BudgetSpent(Exception):
    pass


class AlphaBeta(Generic[S, A]):
    """One search; its table and history hold for the positions that follow, too."""

    def __init__(self, game: SearchedGame[S, A]) -> None:
        self._game = game
        self._table: dict[S, Entry[A]] = {}
        self._older: dict[S, Entry[A]] = {}
        # By whether we act: the less an action has here, the more often it was good.
        self._history: tuple[Counter[A], Counter[A]] = (Counter(), Counter())

    def search(self, state: S, actions: Sequence[A], most_depth: int, budget: Budget) -> Found[A]:
        """Return the best of these actions; the earlier one of two that are worth the same.

        Depth 1 is always finished, however small the budget.
        """
        self._budget, self._plies = Budget(1 << 60), 1
        ordered = list(actions)
        found = self._try_all(state, ordered, 1, Found(ordered[0], -WIN, 0))
        self._budget = budget
        for depth in range(2, most_depth + 1):
            if budget.is_over or abs(found.value) >= SURE or len(ordered) == 1:
                break
            ordered.remove(found.action)
            ordered.insert(0, found.action)
            self._plies = depth
            found = self._try_all(state, ordered, depth, found)
        return found if self._game.is_ours(state) else replace(found, value=-found.value)

    def _try_all(self, state: S, actions: list[A], depth: int, before: Found[A]) -> Found[A]:
        """Return the best action at a depth, or the best so far if the budget ends before.

        If all that were tried until then lose for certain, that is the first of the others. The
        value is that for the side to act.
        """
        game, best, alpha = self._game, before, -WIN
        ours = game.is_ours(state)
        try:
            for number, action in enumerate(actions):
                value = self._value_of(game.play(state, action), ours, depth, alpha, WIN, number)
                if value > alpha or number == 0:
                    alpha, best = value, Found(action, value, depth)
        except _BudgetSpent:
            if alpha <= -SURE and best is not before:
                return Found(action, before.value, depth - 1)
        return best

    def _value_of(  # noqa: PLR0917  (keywords would cost time)
        self, after: S, ours: bool, depth: int, alpha: int, beta: int, number: int
    ) -> int:
        """Return the value, for the side that acted, of the state that its action led to."""
        game = self._game
        end = game.end(after)
        if end is not None:
            return _sooner(end if ours else -end, self._plies - depth + 1)
        if depth == 1:
            self._count(1)
            return game.value(after) if ours else -game.value(after)
        side = game.is_ours(after)
        sign, low, high = (1, alpha, beta) if side == ours else (-1, -beta, -alpha)
        if depth == 2:  # noqa: PLR2004
            value, tried = game.last_ply(after, high, low)
            self._count(tried)
            return _sooner(sign * value, self._plies)
        if number:
            # A window that holds nothing proves, or not, that this is no better than `alpha`.
            edge = low if sign == 1 else high - 1
            value = sign * self._visit(after, side, depth - 1, edge, edge + 1)
            if not alpha < value < beta:
                return value
        return sign * self._visit(after, side, depth - 1, low, high)

    def _visit(self, state: S, ours: bool, depth: int, alpha: int, beta: int) -> int:
        """Return the value of a state for the side to act, or a bound of it outside the window."""
        game = self._game
        self._count(1)
        entry = self._table.get(state) or self._older.get(state)
        first = None
        if entry is not None:
            known_depth, kind, value, first = entry
            if known_depth >= depth and (
                kind == _EXACT
                or (kind == _AT_LEAST and value >= beta)
                or (kind == _AT_MOST and value <= alpha)
            ):
                return value
        history = self._history[ours]
        actions = sorted(game.actions(state), key=history.__getitem__)
        if first is not None:
            actions.remove(first)
            actions.insert(0, first)
        best, best_action, floor = -WIN, actions[0], alpha
        for number, action in enumerate(actions):
            value = self._value_of(game.play(state, action), ours, depth, floor, beta, number)
            if value > best:
                best, best_action = value, action
                if value > floor:
                    floor = value
                    if value >= beta:
                        history[action] -= depth * depth
                        break
        if depth == 2 and self._plies > DEEP:  # noqa: PLR2004
            return best
        kind = _AT_LEAST if best >= beta else _EXACT if best > alpha else _AT_MOST
        if len(self._table) >= MOST_ENTRIES:
            self._older, self._table = self._table, {}
        self._table[state] = (depth, kind, best, best_action)
        return best

    def _count(self, positions: int) -> None:
        if not self._budget.spend(positions):
            raise _BudgetSpent


def _sooner(value: int, actions: int) -> int:
    """Return the value of an end that is so many actions away: wins soon, losses late."""
    if value == WIN:
        return value - actions
    return value + actions if value == -WIN else value
