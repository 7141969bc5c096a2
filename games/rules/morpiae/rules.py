"""Morpiae: two players draw the lines of the solitaire game, and colour circles."""

from __future__ import annotations

from collections.abc import Sequence

from games.rules.base import (
    N_,
    BadPosition,
    Option,
    Options,
    Outcome,
    Rules,
    Seat,
    TranslatableText,
)
from games.rules.board import Board
from games.rules.morpiae.drawing import SEAT_NAMES, drawing
from games.rules.morpiae.notation import TEXTS, explain_illegal, legal_action, meanings
from games.rules.morpiae.position import Position, draw_line, pass_turn, score, start
from games.rules.morpiae.sheet import FIVE, LINES, NEW, PASS, SQUARES, Action, points_in

_LEAST, _MOST = 1, 40
_OFF = "-"
_TARGETS = {_OFF: None, **{str(number): number for number in range(_LEAST, _MOST + 1)}}
_HINTS = {_OFF: False, "hints": True}
"""What the first two words of a dump mean."""


class Morpiae(Rules[Position, Action]):
    """The rules of Morpiae."""

    slug = "morpiae"
    name = N_("Morpiae")
    summary = N_("Draw lines of five circles; cross a circle in all four directions to colour it.")
    reasons = {
        "passes": N_("Both players passed."),
        "no-line": N_("No line is left to draw."),
        "target": N_("A player coloured enough circles, with a lead of two."),
    }

    def options(self) -> tuple[Option, ...]:
        return (
            Option(
                "target",
                N_("Circles that win"),
                None,
                minimum=_LEAST,
                maximum=_MOST,
                help=N_("The game also ends when a player has this many, and two more than "
                        "the other. Left empty, it ends with the last line."),
            ),
            Option(
                "hints",
                N_("Show where lines can be drawn"),
                default=False,
                help=N_("Finding them is part of the game: only switch this on to learn."),
            ),
        )  # fmt: skip

    def seats(self, options: Options) -> int:
        return 2

    def seat_name(self, options: Options, seat: Seat) -> TranslatableText:
        return TranslatableText(SEAT_NAMES[seat])

    def initial(self, options: Options) -> Position:
        target = options.get("target")
        return start(None if target is None else int(target), hints=bool(options.get("hints")))

    def to_move(self, position: Position) -> Seat | None:
        return None if position.result is not None else len(position.played) & 1

    def turn(self, position: Position) -> int:
        return len(position.played)

    def legal_actions(self, position: Position) -> Sequence[Action]:
        return position.legal

    def hides_legal_actions(self, position: Position) -> bool:
        return not position.hints

    def action_kind(self, position: Position, action: Action) -> str:
        return "pass" if action == PASS else "line"

    def example_turns(self, position: Position) -> tuple[str, ...]:
        # A pass gives away no line that the players are to find.
        if self.hides_legal_actions(position) and PASS in self.legal_actions(position):
            return (self.format(position, PASS),)
        return super().example_turns(position)

    def play(self, position: Position, action: Action) -> Position:
        return pass_turn(position) if action == PASS else draw_line(position, action)

    def outcome(self, position: Position) -> Outcome | None:
        return position.result

    def agreed_end(self, position: Position) -> Outcome:
        return score(position.coloured, "agreed")

    # Text and drawing ----------------------------------------------------------------------------

    def format(self, position: Position, action: Action) -> str:
        return TEXTS[action // FIVE]

    def squares(self, position: Position, action: Action) -> tuple[str, ...]:
        line = None if action == PASS else LINES[action // FIVE]
        return tuple(dict.fromkeys((SQUARES[NEW[action]], *line.ends))) if line else ()

    def read(self, position: Position, text: str) -> Sequence[str]:
        return meanings(position, text)

    def why_not(self, position: Position, notation: str) -> TranslatableText:
        return explain_illegal(position, notation)

    def describe(self, position: Position, action: Action) -> TranslatableText:
        if action == PASS:
            return TranslatableText(N_("passes"))
        seat = len(position.played) & 1
        gained = draw_line(position, action).coloured[seat] & ~position.coloured[seat]
        values = {
            "line": TEXTS[action // FIVE],
            "circle": SQUARES[NEW[action]],
            "coloured": ", ".join(SQUARES[point] for point in points_in(gained)),
        }
        if gained:
            return TranslatableText(
                N_("draws a circle on %(circle)s and the line %(line)s, and colours %(coloured)s"),
                values,
            )
        return TranslatableText(N_("draws a circle on %(circle)s and the line %(line)s"), values)

    def board(self, position: Position, viewer: Seat | None, last: Sequence[Action]) -> Board:
        return drawing(position, last)

    def dump(self, position: Position) -> str:
        """Return the two options and the actions played, separated by spaces."""
        target = _OFF if position.target is None else str(position.target)
        hints = "hints" if position.hints else _OFF
        return " ".join([target, hints, *(TEXTS[action // FIVE] for action in position.played)])

    def load(self, text: str) -> Position:
        target, _, rest = text.partition(" ")
        hints, _, played = rest.partition(" ")
        if target not in _TARGETS or hints not in _HINTS:
            raise BadPosition(N_("This is not a position of the game."))
        position = start(_TARGETS[target], hints=_HINTS[hints])
        for word in played.split(" ") if played else ():
            action = legal_action(position, word)
            if action is None:
                raise BadPosition(N_("This is not a position of the game."))
            position = self.play(position, action)
        if self.dump(position) != text:  # a blank too many at the end
            raise BadPosition(N_("This is not a position of the game."))
        return position
