"""The whole turns that are legal in a position, for programs."""

from dataclasses import dataclass
from typing import Any

from games.rules.base import AnyRules

MOST_TURNS = 250
MOST_POSITIONS = 2000
"""How much is looked at for one answer: some games have long turns, and thousands of them."""


@dataclass(frozen=True)
class LegalTurns:
    """Whole turns in canonical notation; `is_complete` if they are all."""

    turns: tuple[str, ...]
    is_complete: bool


def legal_turns(rules: AnyRules, position: Any) -> LegalTurns:
    """Return the legal turns of the player to move, at most MOST_TURNS; at least one is found.

    Depth first, so that long turns are found whole.
    """
    found: list[str] = []
    seen, start = 0, rules.turn(position)
    waiting: list[tuple[tuple[Any, ...], Any]] = [((), position)]
    while waiting:
        actions, reached = waiting.pop()
        if actions and (rules.turn(reached) != start or rules.to_move(reached) is None):
            if len(found) == MOST_TURNS:
                return LegalTurns(tuple(found), is_complete=False)
            found.append(rules.format_turn(position, actions))
            continue
        seen += 1
        if seen > MOST_POSITIONS and found:
            return LegalTurns(tuple(found), is_complete=False)
        for action in reversed(rules.legal_actions(reached)):
            waiting.append(((*actions, action), rules.play(reached, action)))
    return LegalTurns(tuple(found), is_complete=True)
