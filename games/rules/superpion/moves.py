"""What the pieces of a colour may do: captures if there are any, else plain moves."""

from __future__ import annotations

from collections.abc import Sequence

from games.rules.superpion.captures import can_capture
from games.rules.superpion.chains import best_captures
from games.rules.superpion.geometry import (
    CAMP_BEHIND,
    EAST,
    NORTH,
    STRAIGHTS,
    WHITE,
    Square,
    Squares,
    each,
)
from games.rules.superpion.position import Action, Position
from games.rules.superpion.sides import BOX, Colour

_SHIFTS = (2 * NORTH, 2 * EAST, -2 * NORTH, -2 * EAST)

_STEP_TO: dict[int, tuple[Action | None, ...]] = {
    shift: tuple(
        Action((end - shift, end)) if WHITE >> end & 1 and end >= shift else None
        for end in range(256)
    )
    for shift in _SHIFTS
}
"""By a pawn's shift and the square where it ends: the action."""

_SLIDES: tuple[tuple[tuple[tuple[Squares, Action], ...], ...], ...] = tuple(
    tuple(tuple((1 << end, Action((start, end))) for end in ray) for ray in rays)
    for start, rays in enumerate(STRAIGHTS)
)
"""By a superpion's square and direction: the actions, nearest end first, each with its end."""


def legal_actions(position: Position) -> Sequence[Action]:
    """Return the legal actions, which the position then keeps; none after the end."""
    if position.actions is None:
        position.actions = () if position.result is not None else _find(position)
    return position.actions


def _find(position: Position) -> list[Action]:
    own = position.pieces[position.colour] & ~position.acted
    captures = best_captures(position, own)
    if captures:
        return [crowned for action in captures for crowned in with_crowns(position, action)]
    return _plain_moves(position, own)


def _plain_moves(position: Position, own: Squares) -> list[Action]:
    occupied, supers = position.occupied, position.supers
    found = _steps(position, own & ~supers)
    if own & supers:
        for start in each(own & supers):
            for ray in _SLIDES[start]:
                for end, action in ray:
                    if occupied & end:
                        break
                    found.append(action)
    return found


def _steps(position: Position, pawns: Squares) -> list[Action]:
    empty, seating, colour = WHITE & ~position.occupied, position.seating, position.colour
    goals, found = seating.goals[colour], list[Action]()
    for shift in seating.steps[colour]:
        ends = (pawns << shift if shift > 0 else pawns >> -shift) & empty
        table = _STEP_TO[shift]
        while ends:
            end = ends & -ends
            ends ^= end
            action = table[end.bit_length() - 1]
            assert action is not None  # noqa: S101  (a step never ends on a black square)
            if end & goals:
                found += with_crowns(position, action)
            else:
                found.append(action)
    return found


def with_crowns(position: Position, action: Action) -> Sequence[Action]:
    """Return the action once for each crown that it can end with, or as it is without one."""
    bit = 1 << action.path[-1]
    if not bit & position.seating.goals[position.colour]:
        return (action,)
    if position.supers >> action.path[0] & 1:
        return (action,)
    camp = CAMP_BEHIND[action.path[-1]]
    return [action._replace(crown=crown) for crown in crowns(position, camp)]


def crowns(position: Position, camp: Colour) -> Sequence[Colour]:
    """Return the colours that a pawn reaching this camp can be crowned with."""
    if position.seating.holder[camp] is None:
        return (BOX,)
    return [c for c, count in enumerate(position.reserves[camp]) if count] or (BOX,)


def can_act(position: Position, colour: Colour, own: Squares) -> bool:
    """Tell whether any of these pieces of a colour can do anything."""
    empty, supers = WHITE & ~position.occupied, position.supers
    pawns = own & ~supers
    for shift in position.seating.steps[colour]:
        if (pawns << shift if shift > 0 else pawns >> -shift) & empty:
            return True
    high = own & supers
    if high:
        for shift in (2 * NORTH, 2 * EAST):
            if (high << shift | high >> shift) & empty:
                return True
    return bool(own) and can_capture(position, colour, own)


def plain_ends(position: Position, start: Square) -> Squares:
    """Return where the piece on a square can move without capturing, were that allowed."""
    ends = 0
    for action in _plain_moves(position, 1 << start):
        ends |= 1 << action.path[-1]
    return ends
