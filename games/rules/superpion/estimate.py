"""What a position of Superpion is worth to each side, in points.

The idea: the points as they would be counted now, and what they do not show yet. A superpion rules
long lines, and captures more than its pawns are worth, as the king does in draughts; a pawn is
worth the more, the fewer steps it has to go until it is promoted (A. Samuel, "Some Studies in
Machine Learning Using the Game of Checkers", 1959, has both). How much each is worth was found by
games of programs against each other.
"""

from __future__ import annotations

from functools import cache

from games.rules.superpion.geometry import WHITE, Squares
from games.rules.superpion.position import Position, Reserve
from games.rules.superpion.sides import BOX, COLOURS, Colour, Seating

OWN, OTHER = 2.0, 1.0
"""What a pawn of a side's own counts, and any other."""

SUPERPION = 2.0
"""What a superpion is worth besides its pawns."""

STEP = 0.12
"""What a step towards promotion is worth."""

FARTHEST = 8
"""Pawns that have so many steps to go, or more, have gained nothing yet."""


MOST_KNOWN = 50_000
"""So many colours' estimates are remembered at a time (15 MB); an action changes few colours."""

Known = tuple[Colour, Squares, Reserve, tuple[Squares, ...]]


class Estimate:
    """What positions of one seating are worth. It remembers what it has worked out."""

    def __init__(self, seating: Seating) -> None:
        self._seating = seating
        self._known: dict[Known, float] = {}
        self._weights = [_weights(seating, colour) for colour in COLOURS]
        self._near = [_near_promotion(seating, colour) for colour in COLOURS]

    def lead(self, position: Position, side: int | None) -> float:
        """Return by how much a side leads before the best of the others, in points."""
        worth = self.sides(position)
        own = 0.0 if side is None else worth.pop(side, 0.0)
        return own - max(worth.values(), default=0.0)

    def sides(self, position: Position, superpion: float = 0.0) -> dict[int, float]:
        """Return what each side that still plays has, in points.

        `superpion` is what each superpion is worth besides.
        """
        found: dict[int, float] = {}
        pieces, reserves, crowns, known = (
            position.pieces,
            position.reserves,
            position.crowns,
            self._known,
        )
        for colour, side in enumerate(self._seating.side):
            if side is not None:
                key = (colour, pieces[colour], reserves[colour], crowns)
                worth = known.get(key)
                if worth is None:
                    if len(known) >= MOST_KNOWN:
                        known.clear()
                    worth = known[key] = self._colour(*key)
                found[side] = found.get(side, 0.0) + worth
        if superpion and position.superpions:
            for owner, own in zip(self._seating.side, pieces, strict=True):
                if owner is not None:
                    found[owner] += superpion * (own & position.superpions).bit_count()
        return found

    def _colour(
        self, colour: Colour, own: Squares, reserve: Reserve, crowns: tuple[Squares, ...]
    ) -> float:
        """Return what the pieces and the reserve of a colour are worth to its side."""
        total, pawns = OWN * own.bit_count(), own
        for worth, held, crown in zip(self._weights[colour], reserve, crowns, strict=True):
            total += worth * held
            superpions = own & crown
            if superpions:
                pawns ^= superpions
                total += (SUPERPION + worth) * superpions.bit_count()
        for near in self._near[colour]:
            total += STEP * (pawns & near).bit_count()
        return total


@cache
def estimate_for(seating: Seating) -> Estimate:
    """Return the one estimate of a seating."""
    return Estimate(seating)


def _weights(seating: Seating, colour: Colour) -> tuple[float, ...]:
    """Return what each colour's pawns, and the box's, count for the side of a colour."""
    prey = (*seating.prey[colour], BOX)
    return tuple(OTHER if other in prey else OWN for other in (*COLOURS, BOX))


def _near_promotion(seating: Seating, colour: Colour) -> tuple[Squares, ...]:
    """Return the squares from which a pawn has less than 1, 2, ... FARTHEST steps to go."""
    near, sets = seating.goals[colour], []
    for _ in range(FARTHEST):
        sets.append(near)
        for shift in seating.steps[colour]:
            near |= (near >> shift if shift > 0 else near << -shift) & WHITE
    return tuple(sets)
