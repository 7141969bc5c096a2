"""A position as text and back: exactly what `dump` wrote is loaded, and quickly.

Nine fields with a space between: the variant (with the empty camp's colour in `three`), the quiet
rounds that end the game, the seats that have left (or -), the finished turns, the colour to act
(- when the game is over), its piece that has acted (or -, with ! if there was a capture or a
promotion in its turn), the quiet turns so far, the pieces and the reserves. These are by colour,
separated by slashes: squares in order, a superpion with the colour of its upper pawn (e5=R), or -;
and five numbers separated by dots.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from games.rules.base import N_, BadPosition
from games.rules.superpion.geometry import CAMPS, EVEN, NAMES, NUMBERS, ODD, Squares, squares_in
from games.rules.superpion.moves import can_act
from games.rules.superpion.position import Position, Reserve, start
from games.rules.superpion.sides import BLUE, COLOURS, LETTERS, Colour, seating, seats
from games.rules.superpion.transitions import set_result

_NUMBER = r"(?:0|[1-9]\d{0,5})"
_SAVED = re.compile(
    r"(four|teams|two|superduel|three-[BRYK]) ([1-9]\d?) (-|[0-3]{1,4}) "
    rf"({_NUMBER}) ([BRYK-]) (-|[a-p]\d\d?!?) ({_NUMBER}) "
    rf"([-a-p0-9=BRYK]+(?:/[-a-p0-9=BRYK]+){{3}}) ([\d.]+(?:/[\d.]+){{3}})",
    re.ASCII,
)
_RESERVE = re.compile(rf"{_NUMBER}(?:\.{_NUMBER}){{4}}", re.ASCII)
_PIECE = re.compile(r"([a-p]1?\d)(?:=([BRYK0]))?")
_PAWNS = 15
_QUIET_ROUNDS = range(5, 51)


def dump(position: Position) -> str:
    """Return the position as text, history included."""
    seating = position.seating
    variant = f"three-{LETTERS[seating.empty]}" if seating.variant == "three" else seating.variant
    acted = "".join(NAMES[square] for square in squares_in(position.acted)) or "-"
    pieces = []
    for own in position.pieces:
        names = ""
        for square in squares_in(own):
            crown = position.crown_at(square)
            names += NAMES[square] if crown is None else f"{NAMES[square]}={LETTERS[crown]}"
        pieces.append(names or "-")
    return " ".join(
        (
            variant,
            str(seating.quiet_rounds),
            "".join(map(str, seating.left)) or "-",
            str(position.turns),
            LETTERS[position.colour] if position.result is None else "-",
            acted + "!" * position.eventful,
            str(position.quiet),
            "/".join(pieces),
            "/".join(".".join(map(str, held)) for held in position.reserves),
        )
    )


def load(text: str) -> Position:
    """Return the position that `dump` wrote. Raises BadPosition for anything else."""
    found = _SAVED.fullmatch(text)
    position = _read(found.groups()) if found else None
    if (
        position is None
        or not all(_pieces_are_possible(position, colour) for colour in COLOURS)
        or not _turn_is_possible(position)
        or dump(position) != text
    ):
        raise BadPosition(N_("This is not a position of the game."))
    return position


def _read(fields: Sequence[str]) -> Position | None:
    """Return what the fields say, which need not be possible; None if it is not even that."""
    variant, rounds, left, turns, colour, acted, quiet, pieces, reserves = fields
    name, _, empty = variant.partition("-")
    gone = () if left == "-" else tuple(map(int, left))
    count, mover = seats(name), acted.rstrip("!")
    if (
        int(rounds) not in _QUIET_ROUNDS
        or len(set(gone)) != len(gone)
        or any(seat >= count for seat in gone)
        or (gone and count == 2)  # noqa: PLR2004  (nobody leaves a game of two that continues)
        or (mover != "-" and mover not in NUMBERS)
    ):
        return None
    squares: list[Squares] = [0] * 4
    crowns: list[Squares] = [0] * 5
    for own, names in enumerate(pieces.split("/")):
        for square, crown in _PIECE.findall(names):
            if square not in NUMBERS:
                return None
            squares[own] |= 1 << NUMBERS[square]
            if crown:
                crowns[LETTERS.index(crown)] |= 1 << NUMBERS[square]
    held: list[Reserve] = []
    for numbers in reserves.split("/"):
        if not _RESERVE.fullmatch(numbers):
            return None
        blue, red, yellow, black, box = map(int, numbers.split("."))
        held.append((blue, red, yellow, black, box))
    position = Position(
        seating(name, LETTERS.index(empty or "K"), int(rounds), gone),
        tuple(squares),
        tuple(crowns),
        tuple(held),
        LETTERS.index(colour) if colour != "-" else BLUE,
        acted=1 << NUMBERS[mover] if mover != "-" else 0,
        quiet=int(quiet),
        eventful=acted.endswith("!"),
        turns=int(turns),
    )
    set_result(position)
    return position


def _pieces_are_possible(position: Position, colour: Colour) -> bool:
    """Tell whether a colour's pawns are as many as at the start and where they can have come to."""
    own, crowned, camp = position.pieces[colour], position.crowns[colour], CAMPS[colour]
    held = sum(reserve[colour] for reserve in position.reserves)
    if own.bit_count() + crowned.bit_count() + held != _PAWNS:
        return False
    pawns = own & ~position.superpions
    if any(own & position.pieces[other] for other in range(colour)) or own & ~(EVEN | ODD):
        return False
    if any((pawns & half).bit_count() > (camp & half).bit_count() for half in (EVEN, ODD)):
        return False
    if position.seating.variant == "three" and colour == position.seating.empty:
        # Nobody has ever moved these.
        return own & ~camp == 0 and pawns == own and not any(position.reserves[colour])
    return not pawns & position.seating.goals[colour]


def _turn_is_possible(position: Position) -> bool:
    """Tell whether the colour to act can act, and the turns are enough for what happened."""
    seating, colour, acted = position.seating, position.colour, position.acted
    if position.result is None:
        own = position.pieces[colour]
        if seating.holder[colour] is None or acted & ~own:
            return False
        if position.eventful and (not acted or position.quiet):
            return False
        if not can_act(position, colour, own & ~acted):
            return False
    first = start(seating)
    if not position.turns and not seating.left:
        if colour != first.colour and seating.variant != "two":
            return False
        if colour == first.colour and not acted:
            return position == first
    a_turn = 2 if seating.variant == "two" else 1
    return position.quiet <= min(a_turn * (position.turns + 1), 4 * seating.quiet_rounds)
