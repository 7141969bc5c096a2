"""Points and places: every own pawn counts two, every other one."""

from __future__ import annotations

from games.rules.base import Outcome, Seat
from games.rules.superpion.position import Position
from games.rules.superpion.sides import COLOURS, Colour, Seating

_OWN, _OTHER = 2, 1


def counted(position: Position, reason: str) -> Outcome:
    """Return the outcome when the game ends here and is counted as it stands."""
    points = _points(position)
    return Outcome(_places(position.seating, points), points, reason)


def _points(position: Position) -> tuple[int, ...]:
    return tuple(_points_of(position, seat) for seat in range(position.seating.seats))


def _points_of(position: Position, seat: Seat) -> int:
    """Return what a seat's reserves and its pieces on the board are worth.

    The pieces of an empty camp, and so of a player who has left, are nobody's.
    """
    seating = position.seating
    total = 0
    for colour in seating.colours(seat):
        held = position.reserves[colour]
        total += sum(_worth(seating, seat, c) * count for c, count in enumerate(held))
        if seating.holder[colour] is not None:
            own = position.pieces[colour]
            total += _OWN * own.bit_count()
            for c, crowned in enumerate(position.crowns):
                total += _worth(seating, seat, c) * (own & crowned).bit_count()
    return total


def _worth(seating: Seating, seat: Seat, colour: Colour) -> int:
    """Return what a pawn of this colour is worth to a seat; a partner's is an own one."""
    if colour not in COLOURS:
        return _OTHER
    side = seating.sides[seat]
    mine = (seat for seat, number in enumerate(seating.sides) if number == side)
    return _OWN if any(colour in seating.colours(seat) for seat in mine) else _OTHER


def _places(seating: Seating, points: tuple[int, ...]) -> tuple[int, ...]:
    """Return the places: by a side's points, those who left behind all others, the first last."""
    sides = seating.sides
    ranks = {
        side: (
            _stay(seating, side),
            sum(p for s, p in zip(sides, points, strict=True) if s == side),
        )
        for side in sides
    }
    return tuple(1 + sum(rank > ranks[side] for rank in ranks.values()) for side in sides)


def _stay(seating: Seating, side: int) -> tuple[bool, int]:
    """Return how long a side has stayed, to compare sides by: to the end, or how long."""
    seats = [seat for seat, number in enumerate(seating.sides) if number == side]
    if any(seat not in seating.left for seat in seats):
        return (True, 0)
    return (False, max(seating.left.index(seat) for seat in seats))
