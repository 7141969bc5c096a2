"""Positions of Superpion from small diagrams, and short ways to ask what can be done there.

A diagram has its rows' numbers at the left and its columns' letters below; what it leaves out is
empty. Pawns are b r y k, superpions B R Y K (with a crown from the box unless `crowns` says
otherwise), everything else is nothing.
"""

from games.rules.board import Board
from games.rules.superpion.geometry import NUMBERS, WHITE
from games.rules.superpion.position import Position
from games.rules.superpion.rules import Superpion
from games.rules.superpion.sides import LETTERS, from_options
from games.rules.superpion.transitions import set_result

RULES = Superpion()


def pieces_in(diagram):
    """Return the pieces of a diagram: square to letter."""
    lines = [line.split() for line in diagram.splitlines() if line.strip()]
    if not lines:
        return {}
    *rows, columns = lines
    return {
        column + number: char
        for number, *chars in rows
        for column, char in zip(columns, chars, strict=True)
        if char in "brykBRYK"
    }


def setup(
    diagram="",
    also="",
    *,
    act="B",
    acted="",
    crowns=None,
    reserves=None,
    quiet=0,
    left=(),
    **options,
):
    """Return a position; `also` adds pieces, such as "k:p12 R:a5" to those of the diagram."""
    pieces = pieces_in(diagram) | {p[2:]: p[0] for p in also.split()}
    squares, tops = [0] * 4, [0] * 5
    for square, char in pieces.items():
        bit = 1 << NUMBERS[square]
        assert WHITE & bit, f"{square} is black"
        squares[LETTERS.index(char.upper())] |= bit
        if char.isupper():
            tops[LETTERS.index((crowns or {}).get(square, "0"))] |= bit
    held = tuple(
        tuple((reserves or {}).get(colour, "").count(c) for c in LETTERS) for colour in "BRYK"
    )
    seating = from_options(RULES.check_options(options))
    for seat in left:
        seating = seating.without(seat)
    position = Position(
        seating,
        tuple(squares),
        tuple(tops),
        held,
        LETTERS.index(act),
        acted=1 << NUMBERS[acted] if acted else 0,
        quiet=quiet,
        turns=20,
    )
    set_result(position)
    return position


def initial(**options):
    return RULES.initial(RULES.check_options(options))


def legal(position):
    return {RULES.format(position, action) for action in RULES.legal_actions(position)}


def play(position, record):
    """Return the position after the actions of `record`, separated by spaces."""
    for text in record.split():
        position = RULES.play(position, RULES.parse(position, text))
    return position


def pieces(position):
    """Return the pieces: square to letter, a superpion with its crown: "B=R"."""
    found = {}
    for colour, own in enumerate(position.pieces):
        for square, number in NUMBERS.items():
            if own >> number & 1:
                crown = position.crown_at(number)
                letter = LETTERS[colour]
                found[square] = letter.lower() if crown is None else f"{letter}={LETTERS[crown]}"
    return found


def reserve(position, colour):
    """Return what a colour's reserve holds, as letters in the colours' order."""
    held = position.reserves[LETTERS.index(colour)]
    return "".join(letter * count for letter, count in zip(LETTERS, held, strict=True))


def to_act(position):
    return None if position.result else LETTERS[position.colour]


def board(position, viewer=None) -> Board:
    """Return the drawing for a seat, or for a spectator."""
    return RULES.board(position, viewer, ())


def ending(position):
    """Return why the game is over, None while it goes on."""
    outcome = RULES.outcome(position)
    return outcome and outcome.reason
