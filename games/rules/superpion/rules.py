"""Superpion: four camps of draughtsmen on a cross, and crowns out of captured pawns."""

from __future__ import annotations

from collections.abc import Sequence

from games.rules.base import N_, Option, Options, Outcome, Rules, Seat, TranslatableText
from games.rules.board import Board
from games.rules.superpion import (
    drawing,
    moves,
    notation,
    scoring,
    serialization,
    transitions,
)
from games.rules.superpion.geometry import NAMES
from games.rules.superpion.notation import explain_illegal
from games.rules.superpion.position import Action, Position, start
from games.rules.superpion.sides import COLOUR_NAMES, OPTIONS, from_options

__all__ = ["Action", "Position", "Superpion"]


class Superpion(Rules[Position, Action]):
    """The rules of Superpion, all five variants."""

    slug = "superpion"
    name = N_("Superpion")
    summary = N_("Four camps on a cross: capture, crown your pawns with what you took, and count.")
    reasons = {
        "alone": N_("Only one side has pieces left."),
        "no-moves": N_("Nobody can move any more."),
        "no-captures": N_("Nothing can be captured any more."),
        "quiet": N_("Nothing was captured or promoted for a long time."),
        "left": N_("Everybody else has left."),
    }

    def options(self) -> tuple[Option, ...]:
        return OPTIONS

    def seats(self, options: Options) -> int:
        return from_options(options).seats

    def sides(self, options: Options) -> tuple[int, ...]:
        return from_options(options).sides

    def seat_name(self, options: Options, seat: Seat) -> TranslatableText:
        names = [TranslatableText(COLOUR_NAMES[c]) for c in from_options(options).colours(seat)]
        if len(names) == 1:
            return names[0]
        return TranslatableText(
            N_("%(first)s and %(second)s"), {"first": names[0], "second": names[1]}
        )

    def seat_colour(self, options: Options, seat: Seat) -> int:
        return from_options(options).colours(seat)[0]

    def initial(self, options: Options) -> Position:
        return start(from_options(options))

    def to_move(self, position: Position) -> Seat | None:
        return None if position.result is not None else position.seating.holder[position.colour]

    def turn(self, position: Position) -> int:
        return position.turns

    def legal_actions(self, position: Position) -> Sequence[Action]:
        return moves.legal_actions(position)

    def play(self, position: Position, action: Action) -> Position:
        return transitions.play_action(position, action)

    def outcome(self, position: Position) -> Outcome | None:
        return position.result

    def agreed_end(self, position: Position) -> Outcome:
        return scoring.score(position, "agreed")

    def withdraw(self, position: Position, seat: Seat) -> Position:
        return transitions.withdraw(position, seat)

    # Text ----------------------------------------------------------------------------------------

    def format(self, position: Position, action: Action) -> str:
        return notation.format_action(action)

    def squares(self, position: Position, action: Action) -> tuple[str, ...]:
        return tuple(NAMES[square] for square in action.path)

    def read(self, position: Position, text: str) -> Sequence[str]:
        return notation.meanings(position, text)

    def why_not(self, position: Position, notation: str) -> TranslatableText:
        return explain_illegal(position, notation)

    def describe(self, position: Position, action: Action) -> TranslatableText:
        return notation.describe(position, action)

    def dump(self, position: Position) -> str:
        return serialization.dump(position)

    def load(self, text: str) -> Position:
        return serialization.load(text)

    # Drawing -------------------------------------------------------------------------------------

    def board(self, position: Position, viewer: Seat | None, last: Sequence[Action]) -> Board:
        return drawing.board(position, viewer, last)
