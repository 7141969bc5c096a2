"""A position as text and back: exactly what `dump` wrote is loaded, and quickly.

Nine fields with a space between: the variant (with the empty camp's colour in `three`), the quiet
rounds that end the game, the seats that have left (or -), the finished turns, the colour to act
(- when the game is over), its piece that has acted (or -, with ! if its turn saw a capture or a
promotion), the quiet turns so far, the pieces and the reserves. These are by colour, parted by
slashes: squares in order, a superpion with the colour of its upper pawn (e5=R), or -; and five
numbers parted by dots.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from games.rules.base import N_, BadPosition
from games.rules.superpion.geometry import CAMPS, EVEN, NAMES, NUMBERS, ODD, Squares, each
from games.rules.superpion.moves import can_act
from games.rules.superpion.position import Position, Reserve, start
from games.rules.superpion.sides import BLUE, COLOURS, LETTERS, Seating, seating, seats
from games.rules.superpion.transitions import settle

_NUMBER = r"(?:0|[1-9]\d{0,5})"
_SAVED = re.compile(
    r"(four|teams|two|superduel|three-[BRYK]) ([1-9]\d?) (-|[0-3]{1,4}) "
    rf"({_NUMBER}) ([BRYK-]) (-|[a-p]\d\d?!?) ({_NUMBER}) "
    rf"([-a-p0-9=BRYK]+(?:/[-a-p0-9=BRYK]+){{3}}) ([\d.]+(?:/[\d.]+){{3}})",
    re.ASCII,
)
_PIECE = re.compile(r"([a-p]1?\d)(?:=([BRYK0]))?")
_PAWNS = 15
_ROUNDS = range(5, 51)


def dump(position: Position) -> str:
    """Return the position as text, history included."""
    seating = position.seating
    variant = f"three-{LETTERS[seating.empty]}" if seating.variant == "three" else seating.variant
    acted = "".join(NAMES[square] for square in each(position.acted)) or "-"
    return " ".join(
        (
            variant,
            str(seating.quiet_rounds),
            "".join(map(str, seating.left)) or "-",
            str(position.turns),
            LETTERS[position.colour] if position.result is None else "-",
            acted + "!" * position.stirred,
            str(position.quiet),
            "/".join(_pieces(position, own) for own in position.pieces),
            "/".join(".".join(map(str, held)) for held in position.reserves),
        )
    )


def _pieces(position: Position, own: Squares) -> str:
    return "".join(NAMES[square] + _crown(position, square) for square in each(own)) or "-"


def _crown(position: Position, square: int) -> str:
    crown = position.crown_at(square)
    return "" if crown is None else f"={LETTERS[crown]}"


def load(text: str) -> Position:
    """Return the position that `dump` wrote. Raises BadPosition for anything else."""
    found = _SAVED.fullmatch(text)
    position = _read(found.groups()) if found else None
    if position is None or not _is_possible(position) or dump(position) != text:
        raise BadPosition(N_("This is not a position of the game."))
    return position


def _read(fields: Sequence[str]) -> Position | None:
    """Return what the fields say, which need not be possible; None if it is not even that."""
    variant, rounds, left, turns, colour, acted, quiet, pieces, reserves = fields
    squares: list[Squares] = [0] * 4
    crowns: list[Squares] = [0] * 5
    for own, names in enumerate(pieces.split("/")):
        for name, crown in _PIECE.findall(names):
            if name not in NUMBERS:
                return None
            squares[own] |= 1 << NUMBERS[name]
            if crown:
                crowns[LETTERS.index(crown)] |= 1 << NUMBERS[name]
    held = [_reserve(numbers) for numbers in reserves.split("/")]
    seated = _seating(variant, int(rounds), left)
    mover = acted.rstrip("!")
    if seated is None or None in held or (mover != "-" and mover not in NUMBERS):
        return None
    position = Position(
        seated,
        tuple(squares),
        tuple(crowns),
        tuple(one for one in held if one is not None),
        LETTERS.index(colour) if colour != "-" else BLUE,
        acted=1 << NUMBERS[mover] if mover != "-" else 0,
        quiet=int(quiet),
        stirred=acted.endswith("!"),
        turns=int(turns),
    )
    settle(position)
    return position


def _reserve(text: str) -> Reserve | None:
    numbers = text.split(".")
    if len(numbers) != len(LETTERS) or not all(re.fullmatch(_NUMBER, n) for n in numbers):
        return None
    blue, red, yellow, black, box = map(int, numbers)
    return blue, red, yellow, black, box


def _seating(variant: str, rounds: int, left: str) -> Seating | None:
    name, _, empty = variant.partition("-")
    gone = () if left == "-" else tuple(map(int, left))
    count = seats(name)
    if rounds not in _ROUNDS or len(set(gone)) != len(gone) or (gone and count == 2):  # noqa: PLR2004
        return None
    if any(seat >= count for seat in gone):
        return None
    return seating(name, LETTERS.index(empty or "K"), rounds, gone)


def _is_possible(position: Position) -> bool:
    """Tell whether nothing in a position contradicts the rules."""
    return (
        all(_has_all_its_pawns(position, colour) for colour in COLOURS)
        and all(_stands_where_it_can(position, colour) for colour in COLOURS)
        and _is_somebodys_turn(position)
        and _counts_agree(position)
    )


def _has_all_its_pawns(position: Position, colour: int) -> bool:
    """Tell whether the pawns of a colour, wherever they are, are as many as at the start."""
    held = sum(reserve[colour] for reserve in position.reserves)
    own, crowned = position.pieces[colour], position.crowns[colour]
    return own.bit_count() + crowned.bit_count() + held == _PAWNS


def _stands_where_it_can(position: Position, colour: int) -> bool:
    """Tell whether a colour's pieces stand on squares that they can have come to."""
    own, camp = position.pieces[colour], CAMPS[colour]
    pawns = own & ~position.supers
    if any(own & position.pieces[other] for other in range(colour)) or own & ~(EVEN | ODD):
        return False
    if any((pawns & half).bit_count() > (camp & half).bit_count() for half in (EVEN, ODD)):
        return False
    if position.seating.variant == "three" and colour == position.seating.empty:
        # Nobody has ever moved these.
        return own & ~camp == 0 and pawns == own and not any(position.reserves[colour])
    return not pawns & position.seating.goals[colour]


def _is_somebodys_turn(position: Position) -> bool:
    """Tell whether the colour to act, if any, can act, and its turn is as it says."""
    if position.result is not None:
        return True
    own, acted = position.pieces[position.colour], position.acted
    if position.seating.holder[position.colour] is None or acted & ~own:
        return False
    if position.stirred and (not acted or position.quiet):
        return False
    return can_act(position, position.colour, own & ~acted)


def _counts_agree(position: Position) -> bool:
    """Tell whether the turns are enough for what has happened in them."""
    first = start(position.seating)
    if not position.turns and not position.seating.left:
        if position.colour != first.colour and position.seating.variant != "two":
            return False
        if position.colour == first.colour and not position.acted:
            return position == first
    a_turn = 2 if position.seating.variant == "two" else 1
    return position.quiet <= min(a_turn * (position.turns + 1), 4 * position.seating.quiet_rounds)
