"""What an action makes of a position: what stands where, who is next, whether it is over."""

from __future__ import annotations

from games.rules.base import N_, IllegalMoveError, Seat
from games.rules.superpion.geometry import CAMP_BEHIND, EVEN, ODD, Squares
from games.rules.superpion.moves import can_act
from games.rules.superpion.position import Action, Position, Reserve
from games.rules.superpion.scoring import counted
from games.rules.superpion.sides import BLUE, COLOURS, Colour

_NEIGHBOURS = ((0, 1), (2, 3))
"""The colours that act in one turn, one after the other, in the variant `two`."""


def played(before: Position, action: Action) -> Position:
    """Return the position after a legal action."""
    path, taken, crown = action
    colour, start, end = before.colour, 1 << path[0], 1 << path[-1]
    pieces, crowns, reserves = list(before.pieces), before.crowns, before.reserves
    if taken:
        # They leave first: a chain can end where it captured a piece.
        reserves = _with_captured(before, taken)
        pieces = [one & ~taken for one in pieces]
        crowns = tuple(one & ~taken for one in crowns)
    pieces[colour] = pieces[colour] & ~start | end
    if start & before.supers:
        crowns = tuple(one & ~start | end if one & start else one for one in crowns)
    if crown is not None:
        reserves = _without_crown(before, reserves, CAMP_BEHIND[path[-1]], crown)
        crowns = tuple(one | end if c == crown else one for c, one in enumerate(crowns))
    after = Position(
        before.seating,
        tuple(pieces),
        crowns,
        reserves,
        colour,
        acted=end,
        quiet=before.quiet,
        stirred=before.stirred,
        turns=before.turns,
    )
    if taken or crown is not None:
        after.quiet, after.stirred = 0, True
    _go_on(after, last=bool(before.acted), captured=bool(taken))
    return after


def _with_captured(before: Position, taken: Squares) -> tuple[Reserve, ...]:
    """Return the reserves once the colour to act has added what it captures."""
    gained = [
        held + (crowned & taken).bit_count()
        for held, crowned in zip(before.reserves[before.colour], before.crowns, strict=True)
    ]
    for colour in COLOURS:
        gained[colour] += (before.pieces[colour] & taken).bit_count()
    return _replaced(before.reserves, before.colour, gained)


def _without_crown(
    before: Position, reserves: tuple[Reserve, ...], camp: Colour, crown: Colour
) -> tuple[Reserve, ...]:
    """Return the reserves once a crown was taken from the camp's, or from the box if it has none.

    The reserve of a camp that nobody plays is left alone.
    """
    if before.seating.holder[camp] is None or not reserves[camp][crown]:
        return reserves
    held = list(reserves[camp])
    held[crown] -= 1
    return _replaced(reserves, camp, held)


def _replaced(
    reserves: tuple[Reserve, ...], colour: Colour, held: list[int]
) -> tuple[Reserve, ...]:
    changed = list(reserves)
    blue, red, yellow, black, box = held
    changed[colour] = (blue, red, yellow, black, box)
    return tuple(changed)


def _go_on(position: Position, *, last: bool, captured: bool) -> None:
    """Say what follows an action of `position.colour`, the last of its turn if `last`."""
    if captured and _only_one_side(position):
        return _end(position, "alone")
    if no_captures(position):
        return _end(position, "no-captures")
    if not last:
        others = position.pieces[position.colour] & ~position.acted
        if can_act(position, position.colour, others):
            return None
    if not position.stirred:
        position.quiet += 1
    return _hand_over(position)


def _hand_over(position: Position) -> None:
    """Give the turn to the next colour that can act."""
    colour, position.acted, position.stirred = position.colour, 0, False
    following = next_colour(position)
    if following is None:
        return _end(position, "no-moves")
    if is_quiet(position):
        return _end(position, "quiet")
    position.colour = following
    if position.seating.variant != "two" or (colour, following) not in _NEIGHBOURS:
        position.turns += 1
    return None


def next_colour(position: Position) -> Colour | None:
    """Return the next colour that can act after the one whose turn it is, None if none can."""
    for colour in range(position.colour + 1, position.colour + 5):
        own = position.pieces[colour % 4]
        if position.seating.holder[colour % 4] is not None and can_act(position, colour % 4, own):
            return colour % 4
    return None


def _only_one_side(position: Position) -> bool:
    """Tell whether the pieces of one side alone are left, an empty camp's aside."""
    sides = {position.seating.side[c] for c in COLOURS if position.pieces[c]}
    return len(sides - {None}) <= 1


def no_captures(position: Position) -> bool:
    """Tell whether it is certain that nothing can ever be captured again.

    So it is when only pawns are left, all on squares of one class, that will never be promoted.
    """
    if position.supers or (position.occupied & EVEN and position.occupied & ODD):
        return False
    promising = position.seating.promising
    return not any(position.pieces[colour] & promising[colour] for colour in COLOURS)


def is_quiet(position: Position) -> bool:
    """Tell whether enough turns in a row went by without a capture or a promotion."""
    seating = position.seating
    if position.quiet < seating.quiet_rounds:
        return False
    acting = sum(bool(position.pieces[c]) for c in COLOURS if seating.holder[c] is not None)
    return position.quiet >= seating.quiet_rounds * acting


def _end(position: Position, reason: str) -> None:
    position.result = counted(position, reason)
    position.colour, position.acted, position.stirred = BLUE, 0, False
    position.turns += 1


def settle(position: Position) -> None:
    """Say whether the game is over for a position that was made otherwise than by an action."""
    if reason := _reason(position):
        position.result = counted(position, reason)
        position.colour, position.acted, position.stirred = BLUE, 0, False


def _reason(position: Position) -> str | None:
    seating = position.seating
    if len({side for side in seating.side if side is not None}) == 1:
        return "left"
    if _only_one_side(position):
        return "alone"
    if no_captures(position):
        return "no-captures"
    if not position.acted and next_colour(position) is None:
        return "no-moves"
    return "quiet" if is_quiet(position) else None


def withdrawn(before: Position, seat: Seat) -> Position:
    """Return the position after this seat has left: its colour is an empty camp's from now on.

    In `teams` its partner plays it. The actions of its unfinished turn stay played.
    Raises IllegalMoveError.
    """
    if before.result is not None:
        raise IllegalMoveError(N_("The game is over."))
    if before.seating.seats == 2 or seat in before.seating.left:  # noqa: PLR2004
        raise IllegalMoveError(N_("Nobody can withdraw from this game while it goes on."))
    after = Position(
        before.seating.without(seat),
        before.pieces,
        before.crowns,
        before.reserves,
        before.colour,
        acted=before.acted,
        quiet=before.quiet,
        stirred=before.stirred,
        turns=before.turns,
    )
    settle(after)
    if after.result is None and after.seating.holder[after.colour] is None:
        following = next_colour(after)
        assert following is not None  # noqa: S101  (or the game would be over)
        after.colour, after.acted, after.stirred = following, 0, False
    return after
