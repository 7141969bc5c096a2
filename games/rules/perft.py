"""Counts the ways a game can go: the number by which engines are compared."""

from __future__ import annotations

from games.rules.base import A, P, Rules


def perft(rules: Rules[P, A], position: P, depth: int) -> int:
    """Return the number of sequences of exactly `depth` legal actions; `depth` is 1 or more.

    A sequence that ends earlier does not count.
    """
    actions = rules.legal_actions(position)
    if depth == 1:
        return len(actions)
    play = rules.play
    return sum(perft(rules, play(position, action), depth - 1) for action in actions)
