"""How an action is written, and what a text can mean: every legal way of a chain is read."""

from __future__ import annotations

import re
from collections.abc import Sequence

from games.rules.base import N_, InvalidMoveError, shown
from games.rules.superpion.captures import follow
from games.rules.superpion.geometry import NAMES, NUMBERS, SIZE, Square
from games.rules.superpion.moves import legal_actions
from games.rules.superpion.position import Action, Position
from games.rules.superpion.sides import LETTERS, Colour

_SQUARE = r"[a-p](?:1[0-6]|[1-9])"
_CROWNS = {"b": 0, "r": 1, "y": 2, "j": 2, "k": 3, "n": 3, "0": 4, "o": 4}
"""The colours by their letters, the French ones too."""

_NOTATION = re.compile(rf"({_SQUARE}(?:[-–—x×./:>→]?{_SQUARE})+)(?:[=(]([{''.join(_CROWNS)}])\)?)?")
_EACH = re.compile(_SQUARE)
_MOST_CHOICES = 5


def format_action(action: Action) -> str:
    """Return the canonical text: e3-e5, e3xg5xi7, e14-e16=R."""
    text = ("x" if action.taken else "-").join(NAMES[square] for square in action.path)
    return text if action.crown is None else f"{text}={LETTERS[action.crown]}"


def parse_turn(position: Position, text: str) -> Sequence[str]:
    """Return the canonical texts that a text can mean, or what it says if that is not legal.

    A chain may be given by any of its ways, or by its first and last squares; the crown may be left
    out. Raises InvalidMoveError.
    """
    found = _NOTATION.fullmatch("".join(text.split()).lower())
    if found is None:
        raise InvalidMoveError(
            N_("“%(text)s” cannot be read: e3-e5 moves, e3xg5xi7 captures, e14-e16=R also says "
               "which pawn makes the crown."),
            text=shown(text),
        )  # fmt: skip
    names = _EACH.findall(found[1])
    crown = _CROWNS[found[2]] if found[2] else None
    meant = [
        format_action(action)
        for action in _meant(position, names)
        if crown is None or action.crown == crown
    ]
    return meant[:_MOST_CHOICES] or (_as_typed(names, crown),)


def _meant(position: Position, names: Sequence[str]) -> list[Action]:
    """Return the legal actions that go this way, whatever their crowns."""
    if not all(name in NUMBERS for name in names):
        return []
    path = tuple(NUMBERS[name] for name in names)
    legal = [a for a in legal_actions(position) if (a.path[0], a.path[-1]) == (path[0], path[-1])]
    taken = follow(position, path)
    if taken is not None:
        return [action for action in legal if action.taken == taken]
    return legal if len(path) == len(("start", "end")) else []


def _as_typed(names: Sequence[str], crown: Colour | None) -> str:
    straight = len(names) == len(("start", "end")) and in_line(*(_grid(name) for name in names))
    text = ("-" if straight else "x").join(names)
    return text if crown is None else f"{text}={LETTERS[crown]}"


def _grid(name: str) -> Square:
    return NAMES.index(name)


def in_line(start: Square, end: Square) -> bool:
    """Tell whether two squares lie in one row or one column."""
    return start // SIZE == end // SIZE or start % SIZE == end % SIZE


def parts(notation: str) -> tuple[list[str], Colour | None]:
    """Return the names of the squares in a text that `read` gave, and the crown's colour."""
    way, _, crown = notation.partition("=")
    return _EACH.findall(way), LETTERS.index(crown) if crown else None
