"""What the pieces of a colour may do: captures if there are any, else plain moves."""

from __future__ import annotations

from collections.abc import Sequence

from games.rules.superpion.captures import best_captures, can_capture, quick_captures
from games.rules.superpion.geometry import (
    CAMP_BEHIND,
    EAST,
    NORTH,
    STRAIGHTS,
    WHITE,
    Square,
    Squares,
    squares_in,
)
from games.rules.superpion.position import Action, Position
from games.rules.superpion.sides import BOX, Colour

_SHIFTS = (2 * NORTH, 2 * EAST, -2 * NORTH, -2 * EAST)

_STEP_TO: dict[int, dict[Square, Action]] = {
    shift: {end: Action((end - shift, end)) for end in squares_in(WHITE) if end >= shift}
    for shift in _SHIFTS
}
"""By a pawn's shift and the square where it ends: the action."""

_SLIDES: tuple[tuple[tuple[tuple[Squares, Action], ...], ...], ...] = tuple(
    tuple(tuple((1 << end, Action((start, end))) for end in ray) for ray in rays)
    for start, rays in enumerate(STRAIGHTS)
)
"""By a superpion's square and direction: the actions, nearest end first, each with its end."""


def legal_actions(position: Position) -> Sequence[Action]:
    """Return the legal actions, which the position then keeps; none after the end.

    Captures are compulsory, and only those that gain the most pawns are legal ("The board and the
    pieces", "Four players").
    """
    if position.actions is None:
        own = _able_to_act(position)
        captures = best_captures(position, own)
        position.actions = (
            _with_all_crowns(position, captures) if captures else plain_moves(position, own)
        )
    return position.actions


def likely_actions(position: Position) -> Sequence[Action]:
    """Return the legal actions, as far as a quick look finds them: for programs that look ahead.

    In positions with long captures, they may gain less than the legal ones.
    """
    if position.actions is not None:
        return position.actions
    own = _able_to_act(position)
    captures, certain = quick_captures(position, own)
    actions = _with_all_crowns(position, captures) if captures else plain_moves(position, own)
    if certain:
        position.actions = actions
    return actions


def _able_to_act(position: Position) -> Squares:
    """Return the pieces that may act now; none after the end."""
    if position.result is not None:
        return 0
    return position.pieces[position.colour] & ~position.acted


def _with_all_crowns(position: Position, captures: Sequence[Action]) -> list[Action]:
    return [one for action in captures for one in with_crowns(position, action)]


def plain_moves(position: Position, own: Squares) -> list[Action]:
    """Return the moves of these pieces of the colour to act that capture nothing."""
    occupied, superpions = position.occupied, own & position.superpions
    empty, pawns = WHITE & ~occupied, own & ~superpions
    seating, colour = position.seating, position.colour
    goals, promoting = seating.goals[colour], 0
    found: list[Action] = []
    # Backwards, because a set's last square is found faster than its first one.
    for shift in reversed(seating.steps[colour]):
        ends = (pawns << shift if shift > 0 else pawns >> -shift) & empty
        promoting |= ends & goals
        table = _STEP_TO[shift]
        while ends:
            end = ends.bit_length() - 1
            ends ^= 1 << end
            found.append(table[end])
    found.reverse()
    if promoting:
        found = [one for action in found for one in with_crowns(position, action)]
    for start in squares_in(superpions):
        for ray in _SLIDES[start]:
            for end, action in ray:
                if occupied & end:
                    break
                found.append(action)
    return found


def with_crowns(position: Position, action: Action) -> Sequence[Action]:
    """Return the action once for each crown that it can end with, or as it is without one."""
    bit = 1 << action.path[-1]
    if not bit & position.seating.goals[position.colour]:
        return (action,)
    if position.superpions >> action.path[0] & 1:
        return (action,)
    camp = CAMP_BEHIND[action.path[-1]]
    # A camp that nobody plays, or whose reserve is empty, crowns from the box.
    crowns: Sequence[Colour] = (BOX,)
    if position.seating.holder[camp] is not None:
        crowns = [c for c, count in enumerate(position.reserves[camp]) if count] or (BOX,)
    return [action._replace(crown=crown) for crown in crowns]


def can_act(position: Position, colour: Colour, own: Squares) -> bool:
    """Tell whether any of these pieces of a colour can do anything."""
    empty, superpions = WHITE & ~position.occupied, own & position.superpions
    pawns = own & ~superpions
    for shift in position.seating.steps[colour]:
        if (pawns << shift if shift > 0 else pawns >> -shift) & empty:
            return True
    if superpions:
        for shift in (2 * NORTH, 2 * EAST):
            if (superpions << shift | superpions >> shift) & empty:
                return True
    return bool(own) and can_capture(position, colour, own)
