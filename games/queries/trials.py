"""Turns that anybody tries on the page of a rulebook: they are read, and nothing is stored.

A line is its options (`key=value`, separated by spaces) and its turns from the start (separated
by spaces, the actions of one turn by commas), as in the examples of the rulebooks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext, ngettext

from games import errors
from games.queries.positions import Choice, choices_at, shown_choices_at, words_of
from games.rules.base import AnyRules, MoveError, OptionError, is_too_long

MOST_TURNS = 300
LONGEST_LINE = 4000
"""Characters of all turns. Both limits are far beyond the games that people play, and an answer
costs no more than the page of such a game."""

LONGEST_OPTIONS = 400
"""Characters."""


@dataclass(frozen=True)
class Trial:
    """Turns played from the start of a game. The last one may be unfinished."""

    rules: AnyRules
    turns: tuple[str, ...]
    """The finished turns, each in its one canonical text, without spaces."""
    before: Any
    """The position before the newest turn."""
    actions: tuple[Any, ...]
    """Those of the newest turn."""
    position: Any
    options: dict[str, Any]
    is_whole: bool = True
    """Whether the newest turn is finished."""

    def go_on(self, text: str) -> Trial:
        """Return the line after one more turn, or after its beginning.

        Raises MoveRefused, TurnTooLong, TooLongToTry.
        """
        if is_too_long(text):
            raise errors.TurnTooLong
        before = self.position
        try:
            actions, position = self.rules.parse_actions(before, text)
        except MoveError as error:
            raise errors.MoveRefused(error) from error
        is_over = self.rules.to_move(position) is None
        if self.rules.turn(position) == self.rules.turn(before) and not is_over:
            turns, is_whole = self.turns, False
        else:
            notation = self.rules.format_turn(before, actions).replace(" ", "")
            turns, is_whole = (*self.turns, notation), True
        if len(turns) > MOST_TURNS or sum(map(len, turns)) + len(turns) > LONGEST_LINE:
            raise errors.TooLongToTry(most=MOST_TURNS)
        return Trial(self.rules, turns, before, actions, position, self.options, is_whole)

    def choices(self, first_square: str | None = None) -> tuple[Choice, ...]:
        """Return what can be played next; with `first_square`, what begins there."""
        if first_square is not None:
            return choices_at(self.rules, self.position, first_square)
        return shown_choices_at(self.rules, self.position)

    def words(self) -> str:
        """Return what the newest turn does, in the active language, without its subject."""
        return words_of(self.rules, self.before, self.actions)

    def report(self) -> str:
        """Return in words who played what last, and who plays next or how the game ended."""
        said = []
        if self.actions:
            player = self._player_to_move(self.before)
            sentence = gettext("%(player)s: %(words)s.")
            said.append(sentence % {"player": player, "words": self.words()})
        outcome = self.rules.outcome(self.position)
        if outcome is None:
            next_player = self._player_to_move(self.position)
            said.append(gettext("To play: %(player)s.") % {"player": next_player})
            return " ".join(said)
        said.append(self.rules.reason(outcome.reason).translated(gettext))
        if outcome.is_draw:
            said.append(gettext("A draw."))
        else:
            names = [self._name_of(seat) for seat in outcome.winners]
            sentence = ngettext("%(names)s won.", "%(names)s won.", len(names))
            said.append(sentence % {"names": gettext(" and ").join(names)})
        return " ".join(said)

    def _player_to_move(self, position: Any) -> str:
        return self._name_of(self.rules.to_move(position) or 0)

    def _name_of(self, seat: int) -> str:
        return self.rules.seat_name(self.options, seat).translated(gettext)


def read_trial(rules: AnyRules, options: str = "", moves: str = "") -> Trial:
    """Return the line that two texts describe. Every turn must be whole and legal.

    Raises TooLongToTry, BadOption, MoveRefused.
    """
    given = moves.split()
    too_long = len(moves) > LONGEST_LINE or len(options) > LONGEST_OPTIONS
    if too_long or len(given) > MOST_TURNS:
        raise errors.TooLongToTry(most=MOST_TURNS)
    pairs = (pair.partition("=") for pair in options.split())
    try:
        chosen = rules.check_options({key: value for key, _, value in pairs})
    except OptionError as error:
        raise errors.BadOption(error) from error
    start = rules.initial(chosen)
    trial = Trial(rules, (), start, (), start, chosen)
    for text in given:
        before, trial = trial, trial.go_on(text)
        if not trial.is_whole:
            try:
                rules.parse_turn(before.position, text)
            except MoveError as error:
                raise errors.MoveRefused(error) from error
    return trial
