"""What is said to players: what an action does, and why one is refused."""

from __future__ import annotations

from collections.abc import Sequence

from games.rules.base import N_, TranslatableText
from games.rules.superpion.captures import follow, next_hops
from games.rules.superpion.geometry import NAMES, NUMBERS, Square, is_white
from games.rules.superpion.moves import legal_actions, plain_ends
from games.rules.superpion.notation import in_line, parts
from games.rules.superpion.position import Action, Position
from games.rules.superpion.sides import COLOUR_NAMES, LETTERS, Colour

_CROWNS = (
    N_("a blue pawn"),
    N_("a red pawn"),
    N_("a yellow pawn"),
    N_("a black pawn"),
    N_("a pawn from the box"),
)


def describe(position: Position, action: Action) -> TranslatableText:
    """Return what an action does, in words without a subject."""
    sentence = _describe_way(position, action)
    if action.crown is None:
        return sentence
    return TranslatableText(
        N_("%(action)s, and crowns it with %(crown)s"),
        {"action": sentence, "crown": TranslatableText(_CROWNS[action.crown])},
    )


def _describe_way(position: Position, action: Action) -> TranslatableText:
    start, end = NAMES[action.path[0]], NAMES[action.path[-1]]
    values: dict[str, str | int | TranslatableText] = {
        "start": start,
        "end": end,
        "count": action.taken.bit_count(),
    }
    high = position.supers >> action.path[0] & 1
    if not action.taken:
        if high:
            return TranslatableText(N_("moves a superpion from %(start)s to %(end)s"), values)
        return TranslatableText(N_("moves a pawn from %(start)s to %(end)s"), values)
    if action.taken.bit_count() == 1:
        if high:
            return TranslatableText(
                N_("captures a piece with the superpion on %(start)s, landing on %(end)s"), values
            )
        return TranslatableText(
            N_("captures a piece with the pawn on %(start)s, landing on %(end)s"), values
        )
    if high:
        return TranslatableText(
            N_("captures %(count)s pieces with the superpion on %(start)s, landing on %(end)s"),
            values,
        )
    return TranslatableText(
        N_("captures %(count)s pieces with the pawn on %(start)s, landing on %(end)s"), values
    )


def explain_illegal(position: Position, notation: str) -> TranslatableText:
    """Return why a text that `read` gave, and that is not legal, is refused."""
    names, crown = parts(notation)
    for name in names:
        if name not in NUMBERS:
            return TranslatableText(
                N_("There is no square %(square)s on the board."), {"square": name}
            )
        if not is_white(NUMBERS[name]):
            return TranslatableText(
                N_("%(square)s is a black square: only the white ones are played on."),
                {"square": name},
            )
    path = [NUMBERS[name] for name in names]
    return _why_not_this_piece(position, path[0]) or _why_not_this_way(position, path, crown)


def _why_not_this_piece(position: Position, start: Square) -> TranslatableText | None:
    values: dict[str, str | int | TranslatableText] = {"square": NAMES[start]}
    colour = position.colour_at(start)
    if colour is None:
        return TranslatableText(N_("No piece stands on %(square)s."), values)
    if colour != position.colour:
        values["colour"] = TranslatableText(COLOUR_NAMES[position.colour])
        return TranslatableText(
            N_("%(colour)s is to act, and the piece on %(square)s has another colour."), values
        )
    if position.acted >> start & 1:
        return TranslatableText(N_("This piece has acted already in this turn."))
    return None


def _why_not_this_way(
    position: Position, path: Sequence[Square], crown: Colour | None
) -> TranslatableText:
    start, end, taken = path[0], path[-1], follow(position, path)
    plain = len(path) == len(("start", "end")) and plain_ends(position, start) >> end & 1
    if taken is None and not plain:
        return _why_not_possible(position, path)
    this = (start, end, taken or 0)
    allowed = [a.crown for a in legal_actions(position) if (a.path[0], a.path[-1], a.taken) == this]
    if allowed:
        return _why_not_this_crown(allowed)
    if taken is None:
        return TranslatableText(N_("A capture is compulsory."))
    if next_hops(position, start, end, taken):
        return TranslatableText(N_("The capture goes on from %(square)s."), {"square": NAMES[end]})
    return TranslatableText(N_("Another capture takes more pawns."))


def _why_not_this_crown(allowed: Sequence[Colour | None]) -> TranslatableText:
    letters = ", ".join(f"={LETTERS[crown]}" for crown in allowed if crown is not None)
    if not letters:
        return TranslatableText(N_("Nothing is crowned by this action."))
    return TranslatableText(N_("There is no such pawn to make the crown: take %(crowns)s."),
                    {"crowns": letters})  # fmt: skip


def _why_not_possible(position: Position, path: Sequence[Square]) -> TranslatableText:
    start, end = path[0], path[-1]
    if end != start and position.occupied >> end & 1:
        return TranslatableText(N_("A piece stands on %(square)s."), {"square": NAMES[end]})
    high = position.supers >> start & 1
    if len(path) == len(("start", "end")) and in_line(start, end):
        if high:
            return TranslatableText(
                N_("A superpion moves along its row or column, over empty squares.")
            )
        if position.seating.variant == "two":
            return TranslatableText(
                N_("A pawn moves two squares towards the other player's camps.")
            )
        return TranslatableText(
            N_("A pawn moves two squares straight ahead or to a side, never back.")
        )
    if high:
        return TranslatableText(
            N_("A superpion captures along a diagonal, over one opposing piece at a time, with "
               "only empty squares before it and behind it.")
        )  # fmt: skip
    return TranslatableText(
        N_("A pawn captures by jumping diagonally over an opposing piece beside it to the empty "
           "square just behind.")
    )  # fmt: skip
