"""A position, an action, and how one follows from another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from games.rules.base import Outcome
from games.rules.superpion.geometry import CAMPS, Square, Squares
from games.rules.superpion.sides import BOX, COLOURS, Colour, Seating

Reserve = tuple[int, int, int, int, int]
"""How many pawns of each colour are held, the box's last."""

NOTHING: Reserve = (0, 0, 0, 0, 0)
NO_CROWNS: tuple[Squares, ...] = (0, 0, 0, 0, 0)


class Action(NamedTuple):
    """One piece's move or chain of captures.

    `path` holds its square and every landing square; `taken` the pieces captured; `crown` the
    colour of the pawn that makes it a superpion, None if it does not become one.
    """

    path: tuple[Square, ...]
    taken: Squares = 0
    crown: Colour | None = None


class Position:
    """A position. Never changes, is compared by value, and keeps its legal actions.

    `pieces` are the squares of each colour's pawns and superpions; `crowns` the squares of the
    superpions by the colour of their upper pawn (the box's last). `colour` is to act, and `acted`
    is the square of its piece that has acted in this turn (a set of at most one). `quiet` counts
    the colours' turns in a row without a capture or a promotion; `eventful` tells that there was
    one in this turn. `turns` counts the finished turns of seats. When the game is over, `result`
    says how; `colour`, `acted` and `eventful` are then at their first values.
    """

    __slots__ = (
        "acted",
        "actions",
        "colour",
        "crowns",
        "eventful",
        "occupied",
        "pieces",
        "quiet",
        "reserves",
        "result",
        "seating",
        "superpions",
        "turns",
    )

    def __init__(  # noqa: PLR0917  (arguments by name take longer, in every action)
        self,
        seating: Seating,
        pieces: tuple[Squares, ...],
        crowns: tuple[Squares, ...],
        reserves: tuple[Reserve, ...],
        colour: Colour,
        acted: Squares = 0,
        quiet: int = 0,
        eventful: bool = False,
        turns: int = 0,
    ) -> None:
        self.seating = seating
        self.pieces = pieces
        self.crowns = crowns
        self.reserves = reserves
        self.colour = colour
        self.acted = acted
        self.quiet = quiet
        self.eventful = eventful
        self.turns = turns
        blue, red, yellow, black = pieces
        self.occupied = blue | red | yellow | black
        self.superpions = 0
        if crowns != NO_CROWNS:
            self.superpions = crowns[0] | crowns[1] | crowns[2] | crowns[3] | crowns[4]
        self.result: Outcome | None = None
        self.actions: Sequence[Action] | None = None

    def _value(self) -> tuple[object, ...]:
        return (
            self.seating,
            self.pieces,
            self.crowns,
            self.reserves,
            self.colour,
            self.acted,
            self.quiet,
            self.eventful,
            self.turns,
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self._value() == other._value()

    def __hash__(self) -> int:
        return hash(self._value())

    def __repr__(self) -> str:
        return f"Position{self._value()!r}"

    def prey_of(self, colour: Colour) -> Squares:
        """Return every piece that a colour may capture."""
        found = self.occupied
        for friend in self.seating.friends[colour]:
            found ^= self.pieces[friend]
        return found

    def colour_at(self, square: Square) -> Colour | None:
        """Return the colour of the piece on a square, None if there is none."""
        return next((c for c in COLOURS if self.pieces[c] >> square & 1), None)

    def crown_at(self, square: Square) -> Colour | None:
        """Return the colour of a superpion's upper pawn, None if there is no superpion."""
        if not self.superpions >> square & 1:
            return None
        return next(c for c in (*COLOURS, BOX) if self.crowns[c] >> square & 1)


def start(seating: Seating) -> Position:
    """Return the position at the start: fifteen pawns in every camp, nothing in the reserves."""
    first = next(colour for colour in COLOURS if seating.holder[colour] is not None)
    return Position(seating, CAMPS, NO_CROWNS, (NOTHING,) * 4, first)
