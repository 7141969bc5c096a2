"""The contract of every game: stateless rules over immutable positions, text for the outside.

A rules app subclasses `Rules` for one game. Clocks, people, resignation and chance do not occur
here; nothing here imports anything but the standard library.

Words (see docs/glossary.md): a *seat* is a player's place, numbered from 0;
an *action* is the smallest thing a player does; a *turn* is the actions of one seat until another
seat is to act; *notation* is an action's one canonical text.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar, final

from games.rules.board import Board
from games.rules.errors import (
    N_,
    AmbiguousMoveError,
    BadPosition,
    BadRecord,
    IllegalMoveError,
    InvalidMoveError,
    MoveError,
    OptionError,
    RulesError,
    TranslatableText,
    shown,
)

__all__ = [
    "MAX_SHOWN",
    "MAX_TEXT",
    "N_",
    "REASONS",
    "A",
    "AmbiguousMoveError",
    "AnyRules",
    "BadPosition",
    "BadRecord",
    "IllegalMoveError",
    "InvalidMoveError",
    "MoveError",
    "Option",
    "OptionError",
    "OptionValue",
    "Options",
    "Outcome",
    "P",
    "Rules",
    "RulesError",
    "Seat",
    "TranslatableText",
    "follow",
    "is_too_long",
    "shown",
]

P = TypeVar("P")
A = TypeVar("A")

Seat = int

OptionValue = str | int | bool | None
Options = Mapping[str, OptionValue]

MAX_TEXT = 4096
"""The longest turn that is read, in bytes of UTF-8."""

MAX_SHOWN = 30
"""A refusal lists the legal actions when there are at most this many."""


_DIGITS = 9

_YES_NO = {"true": True, "1": True, "yes": True, "on": True} | {
    "false": False,
    "0": False,
    "no": False,
    "off": False,
}


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that can be chosen when a table is made; forms and checks are built from it.

    Exactly one shape: `choices` (value, label), a range `minimum`..`maximum` (with `default` None
    the option may be left off), or a yes/no (`default` is a bool). `only_with` is the key of an
    earlier option and the value without which this one means nothing: it is not offered then, and
    has its default.
    """

    key: str
    label: str
    default: OptionValue
    choices: tuple[tuple[str, str], ...] = ()
    minimum: int | None = None
    maximum: int | None = None
    help: str = ""
    only_with: tuple[str, OptionValue] | None = None

    def applies(self, options: Options) -> bool:
        """Tell whether the option means anything with these other choices."""
        if self.only_with is None:
            return True
        key, value = self.only_with
        return options.get(key) == value

    def read(self, given: object) -> OptionValue:
        """Return the value that `given`, a typed value or its text, means. Raises OptionError."""
        text = str(given).strip()
        value: OptionValue
        if self.choices:
            value = next((choice for choice, _ in self.choices if choice == given), None)
        elif isinstance(self.default, bool):
            value = _YES_NO.get(text.lower())
        elif self.default is None and (given is None or text in ("", "None")):
            return None
        else:
            low, high = self.minimum or 0, self.maximum or 0
            is_number = text.isascii() and text.isdigit() and len(text) <= _DIGITS
            if not is_number or not low <= int(text) <= high:
                raise OptionError(
                    N_("“%(option)s” takes a number from %(low)s to %(high)s, not “%(value)s”."),
                    option=self.key,
                    low=low,
                    high=high,
                    value=text[:80],
                )
            return int(text)
        if value is None:
            raise OptionError(
                N_("“%(value)s” is not a value of “%(option)s”."),
                value=str(given)[:80],
                option=self.key,
            )
        return value


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended, seat by seat.

    `places` starts at 1 and is shared in a tie (everybody has 1 in a draw); `points` is None in a
    game that does not count; `reason` is a short English slug such as "line" or "agreed".
    """

    places: tuple[int, ...]
    points: tuple[int, ...] | None
    reason: str

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats in the first place; all of them in a draw."""
        return tuple(seat for seat, place in enumerate(self.places) if place == 1)

    @property
    def is_draw(self) -> bool:
        """Whether everybody shares the first place."""
        return len(self.winners) == len(self.places)


REASONS: Mapping[str, str] = {
    "agreed": N_("The players agreed to stop."),
    "resigned": N_("A player resigned."),
    "timeout": N_("A player ran out of time."),
    "line": N_("Three in a line."),
}
"""Why a game ended, by the slug of `Outcome.reason`, where several games share the reason."""


class Rules(ABC, Generic[P, A]):
    """One game's rules. Holds no state: every answer depends on its arguments alone.

    Positions and actions are immutable, hashable and compared by value; a position carries the
    options and as much history as the rules need.
    """

    slug: ClassVar[str]
    """The game's name in addresses and in the database; never changes."""
    name: ClassVar[str]
    """The game's name for people, an English source string marked with `N_`."""
    summary: ClassVar[str]
    """One sentence that makes somebody want to play, marked with `N_`."""
    reasons: ClassVar[Mapping[str, str]] = {}
    """This game's own reasons for an end, slug to sentence, marked with `N_`; see `REASONS`."""
    decisive: ClassVar[Mapping[str, str]] = {}
    """What decided where the points did not, by the reason for the end, marked with `N_`."""

    # What a game must answer -------------------------------------------------------------------

    @abstractmethod
    def options(self) -> tuple[Option, ...]:
        """Return what can be chosen when a table is made."""

    @abstractmethod
    def seats(self, options: Options) -> int:
        """Return the number of seats under these (checked) options."""

    @abstractmethod
    def initial(self, options: Options) -> P:
        """Return the position at the start under these (checked) options."""

    @abstractmethod
    def to_move(self, position: P) -> Seat | None:
        """Return the seat to act: None exactly when there is an outcome."""

    @abstractmethod
    def turn(self, position: P) -> int:
        """Return the number of finished turns."""

    @abstractmethod
    def legal_actions(self, position: P) -> Sequence[A]:
        """Return every legal action in a fixed order; none after the end."""

    @abstractmethod
    def play(self, position: P, action: A) -> P:
        """Return the position after a legal action; `position` itself never changes.

        The action must come from `legal_actions` or `parse`; it is not checked again here.
        """

    @abstractmethod
    def format(self, position: P, action: A) -> str:
        """Return the one canonical text of an action that is legal in `position`.

        ASCII without spaces and commas. Records keep this text: it never changes.
        """

    @abstractmethod
    def squares(self, position: P, action: A) -> tuple[str, ...]:
        """Return the squares to click for an action that is legal in `position`, in order.

        They are named as on the board; none for an action that is only typed, such as a pass.
        """

    @abstractmethod
    def outcome(self, position: P) -> Outcome | None:
        """Return how the game ended, None while it goes on."""

    @abstractmethod
    def agreed_end(self, position: P) -> Outcome:
        """Return the outcome if everybody agrees to stop here (reason "agreed")."""

    @abstractmethod
    def dump(self, position: P) -> str:
        """Return the position as text, lossless, history included."""

    @abstractmethod
    def load(self, text: str) -> P:
        """Return the position that `dump` wrote. Raises BadPosition for anything else."""

    @abstractmethod
    def board(self, position: P, viewer: Seat | None, last: Sequence[A]) -> Board:
        """Return the drawing of the position as data, seen from `viewer`'s side.

        `last` holds the actions of the turn just played, to be marked.
        """

    @abstractmethod
    def read(self, position: P, text: str) -> Sequence[str]:
        """Return the canonical texts that `text` can mean here: lenient reading, no judging.

        An empty answer means no notation at all. Raise InvalidMoveError to say more about it.
        """

    # What a game may answer better -------------------------------------------------------------

    def sides(self, options: Options) -> tuple[int, ...]:
        """Return each seat's side; partners share a number."""
        return tuple(range(self.seats(options)))

    def seat_name(self, options: Options, seat: Seat) -> TranslatableText:
        """Return what the seat is called in this game ("Cross", "Blue")."""
        return TranslatableText(N_("Player %(number)s"), {"number": seat + 1})

    def seat_colour(self, options: Options, seat: Seat) -> int:
        """Return the side, as `Board` numbers them, in whose colour the seat's pieces are drawn."""
        return seat

    def points(self, position: P) -> tuple[int, ...] | None:
        """Return each seat's points as they stand, shown while the game goes on.

        None in a game without points. It is asked whenever the game is shown, so it must be quick.
        """
        return self.agreed_end(position).points

    def withdraw(self, position: P, seat: Seat) -> P:
        """Return the position after a player left a game of more than two seats."""
        raise IllegalMoveError(N_("Nobody can withdraw from this game while it goes on."))

    def hides_legal_actions(self, position: P) -> bool:
        """Tell whether finding what is legal is part of the game, so that nothing may show it."""
        return False

    def action_kind(self, position: P, action: A) -> str:
        """Return the kind of an action that is legal in `position`, a slug such as "step"."""
        return ""

    def example_turns(self, position: P) -> tuple[str, ...]:
        """Return whole legal turns that show the notation: one for each kind of first action.

        None where finding what is legal is part of the game. Every mail shows them, so this must
        be quick.
        """
        if self.hides_legal_actions(position):
            return ()
        firsts = {self.action_kind(position, one): one for one in self.legal_actions(position)}
        examples: list[str] = []
        for first in firsts.values():
            actions, after = [first], self.play(position, first)
            while self.turn(after) == self.turn(position) and self.to_move(after) is not None:
                actions.append(self.legal_actions(after)[-1])
                after = self.play(after, actions[-1])
            examples.append(self.format_turn(position, actions))
        return tuple(examples)

    def why_not(self, position: P, notation: str) -> TranslatableText:
        """Return why `notation`, which is not legal here, is refused."""
        return TranslatableText(N_("“%(notation)s” is not possible here."), {"notation": notation})

    def describe(self, position: P, action: A) -> TranslatableText:
        """Return what an action that is legal in `position` does, in words without a subject."""
        return TranslatableText(
            N_("plays %(notation)s"), {"notation": self.format(position, action)}
        )

    def reason(self, slug: str) -> TranslatableText:
        """Return why the game ended, in words, for the `reason` of an outcome."""
        return TranslatableText(
            self.reasons.get(slug) or REASONS.get(slug) or N_("The game is over.")
        )

    # What no game overrides --------------------------------------------------------------------

    @final
    def check_options(self, given: Mapping[str, object]) -> dict[str, OptionValue]:
        """Return every option with its value, defaults filled in. Raises OptionError.

        An option that means nothing with the other choices has its default, whatever was given.
        """
        known = {option.key: option for option in self.options()}
        for key in given:
            if key not in known:
                raise OptionError(N_("This game has no option “%(option)s”."), option=key[:80])
        checked = {
            key: option.read(given[key]) if key in given else option.default
            for key, option in known.items()
        }
        return {
            key: value if known[key].applies(checked) else known[key].default
            for key, value in checked.items()
        }

    @final
    def parse(self, position: P, text: str) -> A:
        """Return the legal action that `text` names: the only way in.

        Raises InvalidMoveError, IllegalMoveError or AmbiguousMoveError, with a sentence for the
        player.
        """
        legal = {self.format(position, action): action for action in self.legal_actions(position)}
        try:
            if is_too_long(text):
                raise InvalidMoveError(N_("That is too long to be a move."))
            if not legal:
                raise IllegalMoveError(N_("The game is over."))
            meant = tuple(dict.fromkeys(self.read(position, text)))
            if not meant:
                raise InvalidMoveError(N_("“%(text)s” cannot be read as a move."), text=shown(text))
            found = [notation for notation in meant if notation in legal]
            if len(found) > 1:
                raise AmbiguousMoveError(
                    N_("“%(text)s” can mean more than one thing: %(choices)s."),
                    text=shown(text),
                    choices=", ".join(found),
                )
            if not found:
                reason = self.why_not(position, meant[0])
                raise IllegalMoveError(reason.template, **reason.values)
            return legal[found[0]]
        except MoveError as error:
            error.legal = self._shown(position, legal)
            raise

    def _shown(self, position: P, legal: Iterable[str]) -> tuple[str, ...]:
        """Return these notations if they are few and no secret, else none."""
        notations = tuple(sorted(legal))
        few = len(notations) <= MAX_SHOWN
        return notations if few and not self.hides_legal_actions(position) else ()

    @final
    def parse_actions(self, position: P, text: str) -> tuple[tuple[A, ...], P]:
        """Return the actions that `text` names, which may be a turn's beginning, and what follows.

        Actions are separated by commas. Raises MoveError.
        """
        if is_too_long(text):
            raise InvalidMoveError(N_("That is too long to be a move."))
        start = self.turn(position)
        actions: list[A] = []
        for part in text.split(","):
            if actions and self.turn(position) != start:
                raise IllegalMoveError(N_("The turn is over before “%(text)s”."), text=shown(part))
            action = self.parse(position, part)
            actions.append(action)
            position = self.play(position, action)
        return tuple(actions), position

    @final
    def parse_turn(self, position: P, text: str) -> tuple[A, ...]:
        """Return the actions of exactly one whole turn. Raises MoveError."""
        actions, after = self.parse_actions(position, text)
        if self.turn(after) == self.turn(position) and self.to_move(after) is not None:
            error = IllegalMoveError(
                N_("The turn is not finished: something must still be played.")
            )
            legal = self.legal_actions(after)
            error.legal = self._shown(after, [self.format(after, action) for action in legal])
            raise error
        return actions

    @final
    def format_turn(self, position: P, actions: Iterable[A]) -> str:
        """Return the canonical text of the actions of a turn that begins in `position`."""
        actions = tuple(actions)
        texts: list[str] = []
        for action in actions:
            texts.append(self.format(position, action))
            if len(texts) < len(actions):
                position = self.play(position, action)
        return ", ".join(texts)

    @final
    def play_turn(self, position: P, actions: Iterable[A]) -> P:
        """Return the position after these actions."""
        for action in actions:
            position = self.play(position, action)
        return position


AnyRules = Rules[Any, Any]


def is_too_long(text: str) -> bool:
    """Tell whether a text is longer than any turn may be."""
    return len(text) > MAX_TEXT or len(text.encode(errors="surrogatepass")) > MAX_TEXT


def follow(rules: Rules[P, A], start: P, text: str) -> P:
    """Return the position after the actions of `text`, canonical, a single space between two.

    A game whose `dump` writes its actions loads them with this. Raises BadPosition.
    """
    position = start
    for word in text.split(" ") if text else ():
        legal = {rules.format(position, action): action for action in rules.legal_actions(position)}
        if word not in legal:
            raise BadPosition(N_("This is not a position of the game."))
        position = rules.play(position, legal[word])
    return position
