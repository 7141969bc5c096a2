"""Points and places ("Points"): every own pawn counts two, every other one."""

from __future__ import annotations

from games.rules.base import Outcome
from games.rules.superpion.position import Position
from games.rules.superpion.sides import BOX, COLOURS

_OWN, _OTHER = 2, 1


def score(position: Position, reason: str) -> Outcome:
    """Return the outcome when the game ends here and is counted as it is.

    A seat counts its reserves and its pieces on the board. Sides are placed by the points of their
    seats together; those who left come behind all others, the first to leave last.
    """
    seating, points = position.seating, list[int]()
    sides = seating.sides
    for seat, side in enumerate(sides):
        # A partner's pawns are worth as much as a seat's own.
        partners = [partner for partner, its_side in enumerate(sides) if its_side == side]
        own_colours = {colour for partner in partners for colour in seating.colours(partner)}
        worth = [_OWN if colour in own_colours else _OTHER for colour in (*COLOURS, BOX)]
        total = 0
        for colour in seating.colours(seat):
            held = position.reserves[colour]
            total += sum(value * count for value, count in zip(worth, held, strict=True))
            # The pieces of an empty camp, and so of a player who has left, are nobody's.
            if seating.holder[colour] is not None:
                own = position.pieces[colour]
                total += _OWN * own.bit_count()
                for value, crowned in zip(worth, position.crowns, strict=True):
                    total += value * (own & crowned).bit_count()
        points.append(total)
    ranks: dict[int, tuple[bool, int, int]] = {}
    for side in sides:
        seats = [seat for seat, its_side in enumerate(sides) if its_side == side]
        stayed = any(seat not in seating.left for seat in seats)
        left_after = 0 if stayed else max(seating.left.index(seat) for seat in seats)
        ranks[side] = (stayed, left_after, sum(points[seat] for seat in seats))
    places = tuple(1 + sum(rank > ranks[side] for rank in ranks.values()) for side in sides)
    return Outcome(places, tuple(points), reason)
