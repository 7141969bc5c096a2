"""Search by random games (UCT), for games of which nothing but the rules is known.

Source: L. Kocsis and C. Szepesvári, "Bandit based Monte-Carlo Planning" (2006); R. Coulom,
"Efficient Selectivity and Backup Operators in Monte-Carlo Tree Search" (2006). With more than two
seats, each seat chooses what is best for itself (N. Sturtevant, 2008).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from math import log, sqrt
from typing import Any, Generic

from games.rules.base import A, Outcome, P, Rules, Seat
from games.rules.budget import Budget

EXPLORATION = 0.7
"""How much a seldom tried action is preferred; rewards are from 0 to 1."""

LONGEST = 200
"""A random game is broken off after so many actions, and estimated."""

MOST_NODES = 40_000
"""So many nodes a tree has (some 40 MB); beyond them random games start at its leaves."""

Estimate = Callable[[P], tuple[float, ...]]
"""Returns each seat's reward, from 0 to 1, in a game that is broken off at this position."""


def rewards(outcome: Outcome) -> tuple[float, ...]:
    """Return each seat's reward: the part of the others that it is ahead of, a tie half."""
    places = outcome.places
    others = max(1, len(places) - 1)
    return tuple(
        (sum(other > place for other in places) + (places.count(place) - 1) / 2) / others
        for place in places
    )


class Node(Generic[P, A]):
    """A position of the tree. `reward` is the sum for the seat that chose to come here.

    At the root it is the sum for the seat that the search is for.
    """

    __slots__ = ("action", "children", "position", "reward", "seat", "untried", "visits")

    def __init__(self, position: P, seat: Seat | None, action: A | None, untried: list[A]) -> None:
        self.position = position
        self.seat = seat
        self.action = action
        self.untried = untried
        self.children: list[Node[P, A]] = []
        self.visits = 0
        self.reward = 0.0

    def count(self) -> int:
        """Return the number of nodes of the tree from here on."""
        waiting, found = [self], 0
        while waiting:
            waiting += waiting.pop().children
            found += 1
        return found


class RandomGames(Generic[P, A]):
    """A tree of actions, judged by random games from its leaves.

    A random game has `longest` actions at most; then `estimate` says what it is worth, the
    outcome by agreement if there is none. `exploration` is how much seldom tried actions are
    preferred.
    """

    def __init__(
        self,
        rules: Rules[P, A],
        chance: random.Random,
        *,
        longest: int = LONGEST,
        estimate: Estimate[P] | None = None,
        exploration: float = EXPLORATION,
        most_nodes: int = MOST_NODES,
    ) -> None:
        self._rules = rules
        self._chance = chance
        self._longest = longest
        self._estimate: Estimate[P] = estimate or (lambda p: rewards(rules.agreed_end(p)))
        self._exploration = exploration
        self._most_nodes = most_nodes
        self._nodes = 0
        self._root: Node[P, A] | None = None

    def search(
        self,
        position: P,
        budget: Budget,
        legal: Sequence[A] | None = None,
        seat: Seat | None = None,
    ) -> Node[P, A]:
        """Return the root of the tree after the budget is spent.

        `legal` are the actions to try, all that the rules know if it is None. The tree of the
        search before goes on if it had come to this position, with these actions; the rest of it
        is forgotten.
        """
        root: Node[P, A] | None = None
        for node in self._root.children if self._root else ():
            if node.position == position:
                tries = {*node.untried, *(child.action for child in node.children)}
                root = node if legal is None or tries == set(legal) else None
        self._nodes = root.count() if root else 0
        root = self._root = root or self._node(position, None, legal)
        while not budget.is_over or (root.untried and budget.positions > 0):
            node, path = root, [root]
            is_full = self._nodes >= self._most_nodes
            while node.children and (not node.untried or (is_full and node is not root)):
                wide = self._exploration * sqrt(log(node.visits))
                promise = [c.reward / c.visits + wide / sqrt(c.visits) for c in node.children]
                node = node.children[promise.index(max(promise))]
                path.append(node)
            if node.untried and (not is_full or node is root):
                action = node.untried.pop()
                after = self._node(self._rules.play(node.position, action), action)
                node.children.append(after)
                path.append(after)
            reward, played = self._play_out(path[-1].position)
            budget.spend(len(path) + played)
            chooser = seat
            for node in path:
                node.visits += 1
                if chooser is not None:
                    node.reward += reward[chooser]
                chooser = node.seat
        return root

    def _node(self, position: P, action: A | None, legal: Sequence[A] | None = None) -> Node[P, A]:
        self._nodes += 1
        untried = list(self._rules.legal_actions(position) if legal is None else legal)
        self._chance.shuffle(untried)
        return Node(position, self._rules.to_move(position), action, untried)

    def _play_out(self, position: P) -> tuple[tuple[float, ...], int]:
        """Return each seat's reward after a random game from here, and its number of actions."""
        rules, choose = self._rules, self._chance.random
        for played in range(self._longest):
            legal = rules.legal_actions(position)
            if not legal:
                outcome: Any = rules.outcome(position)
                return rewards(outcome), played
            position = rules.play(position, legal[int(choose() * len(legal))])
        ended = rules.outcome(position)
        return (self._estimate(position) if ended is None else rewards(ended)), self._longest


def best_child(node: Node[P, A]) -> Node[P, A]:
    """Return the child that was visited most, the better one of two."""
    return max(node.children, key=lambda child: (child.visits, child.reward))


def length_of_best_line(root: Node[P, A]) -> int:
    """Return how many actions the way of the most visited children has."""
    node, length = root, 0
    while node.children:
        node, length = best_child(node), length + 1
    return length
