"""What an action changes: the pieces, who acts next, and whether the game is over."""

from __future__ import annotations

from games.rules.base import N_, IllegalMoveError, Seat
from games.rules.superpion.geometry import CAMP_BEHIND, EVEN, ODD
from games.rules.superpion.moves import can_act
from games.rules.superpion.position import Action, Position, Reserve
from games.rules.superpion.scoring import score
from games.rules.superpion.sides import BLUE, COLOURS, Colour

_NEIGHBOURS = ((0, 1), (2, 3))
"""The colours that act in one turn, one after the other, in the variant `two`."""

_FOLLOWING = tuple(tuple((colour + step) % 4 for step in (1, 2, 3, 4)) for colour in COLOURS)
"""By colour: who may act after it, in this order; itself if nobody else can."""


def play_action(before: Position, action: Action) -> Position:
    """Return the position after a legal action."""
    path, taken, crown = action
    colour, start, end = before.colour, 1 << path[0], 1 << path[-1]
    pieces, crowns, reserves = [*before.pieces], before.crowns, before.reserves
    if taken:
        # The captured pieces leave first: a chain can end where it captured one.
        gained = [
            held + (crowned & taken).bit_count()
            for held, crowned in zip(reserves[colour], crowns, strict=True)
        ]
        for other in COLOURS:
            gained[other] += (pieces[other] & taken).bit_count()
        reserves = _with_reserve(reserves, colour, gained)
        pieces = [one & ~taken for one in pieces]
        crowns = tuple([one & ~taken for one in crowns])
    pieces[colour] = pieces[colour] ^ start | end
    if start & before.superpions:
        crowns = tuple([one ^ start | end if one & start else one for one in crowns])
    if crown is not None:
        camp = CAMP_BEHIND[path[-1]]
        # The crown comes from the camp's reserve; from the box if that has none or nobody plays it.
        if before.seating.holder[camp] is not None and reserves[camp][crown]:
            held = list(reserves[camp])
            held[crown] -= 1
            reserves = _with_reserve(reserves, camp, held)
        crowns = tuple([one | end if c == crown else one for c, one in enumerate(crowns)])
    is_event = bool(taken) or crown is not None
    after = Position(
        before.seating,
        tuple(pieces),
        crowns,
        reserves,
        colour,
        end,
        0 if is_event else before.quiet,
        is_event or before.eventful,
        before.turns,
    )
    _continue_turn(after, is_last=bool(before.acted), captured=bool(taken))
    return after


def _with_reserve(
    reserves: tuple[Reserve, ...], colour: Colour, held: list[int]
) -> tuple[Reserve, ...]:
    changed = list(reserves)
    blue, red, yellow, black, box = held
    changed[colour] = (blue, red, yellow, black, box)
    return tuple(changed)


def _continue_turn(position: Position, *, is_last: bool, captured: bool) -> None:
    """Set what follows an action: another one, the turn of the next colour, or the end.

    A turn has two actions, with two different pieces ("Four players"); `is_last` tells that this
    was the second.
    """
    if captured and _only_one_side(position):
        return _end(position, "alone")
    if no_captures(position):
        return _end(position, "no-captures")
    colour = position.colour
    if not is_last and can_act(position, colour, position.pieces[colour] & ~position.acted):
        return None
    if not position.eventful:
        position.quiet += 1
    position.acted, position.eventful = 0, False
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
    holder, pieces = position.seating.holder, position.pieces
    for colour in _FOLLOWING[position.colour]:
        if holder[colour] is not None and can_act(position, colour, pieces[colour]):
            return colour
    return None


def _only_one_side(position: Position) -> bool:
    """Tell whether the pieces of one side alone are left, an empty camp's aside."""
    sides = {position.seating.side[c] for c in COLOURS if position.pieces[c]}
    return len(sides - {None}) <= 1


def no_captures(position: Position) -> bool:
    """Tell whether it is certain that nothing can ever be captured again ("The end").

    This is so when only pawns are left, all on squares of one class, that will never be promoted.
    """
    if position.superpions or (position.occupied & EVEN and position.occupied & ODD):
        return False
    can_promote_from = position.seating.can_promote_from
    return not any(position.pieces[colour] & can_promote_from[colour] for colour in COLOURS)


def is_quiet(position: Position) -> bool:
    """Tell whether enough turns in a row went by without a capture or a promotion."""
    seating = position.seating
    if position.quiet < seating.quiet_rounds:
        return False
    acting = sum(bool(position.pieces[c]) for c in COLOURS if seating.holder[c] is not None)
    return position.quiet >= seating.quiet_rounds * acting


def _end(position: Position, reason: str) -> None:
    position.result = score(position, reason)
    position.colour, position.acted, position.eventful = BLUE, 0, False
    position.turns += 1


def set_result(position: Position) -> None:
    """Set whether the game is over in a position that was made otherwise than by an action."""
    seating, reason = position.seating, None
    if len({side for side in seating.side if side is not None}) == 1:
        reason = "left"
    elif _only_one_side(position):
        reason = "alone"
    elif no_captures(position):
        reason = "no-captures"
    elif not position.acted and next_colour(position) is None:
        reason = "no-moves"
    elif is_quiet(position):
        reason = "quiet"
    if reason:
        position.result = score(position, reason)
        position.colour, position.acted, position.eventful = BLUE, 0, False


def withdraw(before: Position, seat: Seat) -> Position:
    """Return the position after this seat has left: its colour becomes an empty camp's.

    In `teams` its partner plays it. The actions of its unfinished turn remain.
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
        eventful=before.eventful,
        turns=before.turns,
    )
    set_result(after)
    if after.result is None and after.seating.holder[after.colour] is None:
        following = next_colour(after)
        assert following is not None  # noqa: S101  (or the game would be over)
        after.colour, after.acted, after.eventful = following, 0, False
    return after
