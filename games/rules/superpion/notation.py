"""Actions as text: how one is written, what a text can mean, and why it is refused."""

from __future__ import annotations

import re
from collections.abc import Sequence

from games.rules.base import N_, InvalidMoveError, TranslatableText, shown
from games.rules.superpion.captures import captured_along, next_jumps
from games.rules.superpion.geometry import NAMES, NUMBERS, SIZE, Square, Squares, is_white
from games.rules.superpion.moves import legal_actions, plain_moves
from games.rules.superpion.position import Action, Position
from games.rules.superpion.sides import COLOUR_NAMES, LETTERS

_SQUARE = r"[a-p](?:1[0-6]|[1-9])"
_LETTERS_OF_CROWNS = {"b": 0, "r": 1, "y": 2, "j": 2, "k": 3, "n": 3, "0": 4, "o": 4}
"""The colours by their letters, the French ones too."""

_NOTATION = re.compile(
    rf"({_SQUARE}(?:[-–—x×./:>→]?{_SQUARE})+)(?:[=(]([{''.join(_LETTERS_OF_CROWNS)}])\)?)?"
)
_EACH = re.compile(_SQUARE)
_MOST_CHOICES = 5
_ENDS_ONLY = 2
"""A path of two squares may be a plain move, or a chain that is named by its ends."""

_CROWNS = (
    N_("a blue pawn"),
    N_("a red pawn"),
    N_("a yellow pawn"),
    N_("a black pawn"),
    N_("a pawn from the box"),
)


def format_action(action: Action) -> str:
    """Return the canonical text: e3-e5, e3xg5xi7, e14-e16=R."""
    text = ("x" if action.taken else "-").join(NAMES[square] for square in action.path)
    return text if action.crown is None else f"{text}={LETTERS[action.crown]}"


def meanings(position: Position, text: str) -> Sequence[str]:
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
    crown = _LETTERS_OF_CROWNS[found[2]] if found[2] else None
    meant: list[Action] = []
    if all(name in NUMBERS for name in names):
        path = tuple(NUMBERS[name] for name in names)
        taken = captured_along(position, path)
        if taken is not None or len(path) == _ENDS_ONLY:
            meant = [
                action
                for action in legal_actions(position)
                if (action.path[0], action.path[-1]) == (path[0], path[-1])
                and (taken is None or action.taken == taken)
                and (crown is None or action.crown == crown)
            ]
    if meant:
        return [format_action(action) for action in meant[:_MOST_CHOICES]]
    is_move = len(names) == _ENDS_ONLY and _in_line(*(NAMES.index(name) for name in names))
    as_typed = ("-" if is_move else "x").join(names)
    return (as_typed if crown is None else f"{as_typed}={LETTERS[crown]}",)


def _in_line(start: Square, end: Square) -> bool:
    """Tell whether two squares lie in one row or one column."""
    return start // SIZE == end // SIZE or start % SIZE == end % SIZE


def describe(position: Position, action: Action) -> TranslatableText:
    """Return what an action does, in words without a subject."""
    count, is_superpion = action.taken.bit_count(), position.superpions >> action.path[0] & 1
    if not count and is_superpion:
        template = N_("moves a superpion from %(start)s to %(end)s")
    elif not count:
        template = N_("moves a pawn from %(start)s to %(end)s")
    elif count == 1 and is_superpion:
        template = N_("captures a piece with the superpion on %(start)s, landing on %(end)s")
    elif count == 1:
        template = N_("captures a piece with the pawn on %(start)s, landing on %(end)s")
    elif is_superpion:
        template = N_(
            "captures %(count)s pieces with the superpion on %(start)s, landing on %(end)s"
        )
    else:
        template = N_("captures %(count)s pieces with the pawn on %(start)s, landing on %(end)s")
    start, end = NAMES[action.path[0]], NAMES[action.path[-1]]
    sentence = TranslatableText(template, {"start": start, "end": end, "count": count})
    if action.crown is None:
        return sentence
    return TranslatableText(
        N_("%(action)s, and crowns it with %(crown)s"),
        {"action": sentence, "crown": TranslatableText(_CROWNS[action.crown])},
    )


def explain_illegal(position: Position, notation: str) -> TranslatableText:
    """Return why a text that `meanings` gave, and that is not legal, is refused."""
    names = _EACH.findall(notation.partition("=")[0])
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
    start, colour = path[0], position.colour_at(path[0])
    if colour is None:
        return TranslatableText(N_("There is no piece on %(square)s."), {"square": names[0]})
    if colour != position.colour:
        return TranslatableText(
            N_("%(colour)s is to act, and the piece on %(square)s has another colour."),
            {"colour": TranslatableText(COLOUR_NAMES[position.colour]), "square": names[0]},
        )
    if position.acted >> start & 1:
        return TranslatableText(N_("This piece has acted already in this turn."))
    taken, is_move = captured_along(position, path), False
    if taken is None and len(path) == _ENDS_ONLY:
        is_move = any(one.path[-1] == path[-1] for one in plain_moves(position, 1 << start))
    is_possible = taken is not None or is_move
    return (
        _why_not_legal(position, path, taken) if is_possible else _why_not_possible(position, path)
    )


def _why_not_possible(position: Position, path: Sequence[Square]) -> TranslatableText:
    """Return why a piece that may act can go this way neither moving nor capturing."""
    start, end = path[0], path[-1]
    if end != start and position.occupied >> end & 1:
        return TranslatableText(
            N_("There is already a piece on %(square)s."), {"square": NAMES[end]}
        )
    is_superpion = position.superpions >> start & 1
    is_move = len(path) == _ENDS_ONLY and _in_line(start, end)
    if is_move and is_superpion:
        reason = N_("A superpion moves along its row or column, over empty squares.")
    elif is_move and position.seating.variant == "two":
        reason = N_("A pawn moves two squares towards the other player's camps.")
    elif is_move:
        reason = N_("A pawn moves two squares straight ahead or to a side, never back.")
    elif is_superpion:
        reason = N_(
            "A superpion captures along a diagonal, over one opposing piece at a time, with "
            "only empty squares before it and behind it."
        )
    else:
        reason = N_(
            "A pawn captures by jumping diagonally over an opposing piece beside it to the "
            "empty square just behind."
        )
    return TranslatableText(reason)


def _why_not_legal(
    position: Position, path: Sequence[Square], taken: Squares | None
) -> TranslatableText:
    """Return why a way that is possible is not legal; `taken` is None if it is a plain move."""
    start, end = path[0], path[-1]
    crowns = [
        action.crown
        for action in legal_actions(position)
        if (action.path[0], action.path[-1], action.taken) == (start, end, taken or 0)
    ]
    letters = ", ".join(f"={LETTERS[crown]}" for crown in crowns if crown is not None)
    if letters:
        return TranslatableText(
            N_("This pawn is not available for the crown: choose %(crowns)s."), {"crowns": letters}
        )
    if crowns:
        return TranslatableText(N_("Nothing is crowned by this action."))
    if taken is None:
        return TranslatableText(N_("A capture is compulsory."))
    if next_jumps(position, start, end, taken):
        return TranslatableText(N_("The capture goes on from %(square)s."), {"square": NAMES[end]})
    return TranslatableText(N_("Another capture takes more pawns."))
