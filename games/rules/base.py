"""The contract that every game keeps: stateless rules over immutable positions, text at the border.

A rules app subclasses `Rules` and answers for one game. Nothing here knows of clocks, people,
resignation or chance; nothing here imports anything but the standard library.

Words (see the glossary in docs/architecture.md): a *seat* is a player's place, numbered from 0;
an *action* is the smallest thing a player does; a *turn* is the actions of one seat until another
seat is to act; *notation* is an action's one canonical text.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, TypeVar, final

from games.rules.board import Board

P = TypeVar("P")
A = TypeVar("A")

Seat = int
OptionValue = str | int | bool | None
Options = Mapping[str, OptionValue]

MAX_TEXT = 4096
"""The longest turn anybody may send, in characters."""

MAX_SHOWN = 30
"""A refusal lists the legal actions when there are at most this many."""


def N_(text: str) -> str:  # noqa: N802  (gettext's own name for "translate later")
    """Mark a string for translation without translating it: the rules do not know languages."""
    return text


@dataclass(frozen=True, slots=True)
class Sentence:
    """Words for a person, kept apart from any language: an English template and its values."""

    template: str
    values: Mapping[str, str | int] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.template % self.values

    def translated(self, gettext: Callable[[str], str]) -> str:
        """Return the sentence in the language that `gettext` speaks."""
        return gettext(self.template) % self.values


class RulesError(Exception):
    """Whatever the rules refuse; `sentence` tells the person why."""

    def __init__(self, template: str, **values: str | int) -> None:
        self.sentence = Sentence(template, values)
        super().__init__(str(self.sentence))


class OptionError(RulesError):
    """An option that the game does not have, or a value that it does not take."""


class BadPosition(RulesError):
    """A text that is not exactly a dumped position of this game."""


class BadRecord(RulesError):
    """A list of turns that the rules cannot follow from the start."""


class MoveError(RulesError):
    """An action or a turn that is refused. `legal` holds notations when few and not secret."""

    kind: ClassVar[str]

    def __init__(self, template: str, **values: str | int) -> None:
        super().__init__(template, **values)
        self.legal: tuple[str, ...] = ()


class Unreadable(MoveError):
    """The text is no notation of this game."""

    kind = "unreadable"


class Illegal(MoveError):
    """The text is notation, but nothing that the rules allow here."""

    kind = "illegal"


class Ambiguous(MoveError):
    """The text could mean more than one legal action."""

    kind = "ambiguous"


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


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that can be chosen when a table is made; forms, API and checks are built from it.

    Exactly one shape: `choices` (value, label), a range `minimum`..`maximum` (with `default` None
    the option may be left off), or a yes/no (`default` is a bool).
    """

    key: str
    label: str
    default: OptionValue
    choices: tuple[tuple[str, str], ...] = ()
    minimum: int | None = None
    maximum: int | None = None
    help: str = ""

    def read(self, given: object) -> OptionValue:
        """Return the value that `given` (a typed value or a text of one) stands for.

        Raises OptionError when the option does not take it.
        """
        if self.choices:
            value = self._read_choice(given)
        elif isinstance(self.default, bool):
            value = _YES_NO.get(str(given).strip().lower())
        else:
            return self._read_number(given)
        if value is None:
            raise OptionError(
                N_("“%(value)s” is not a value of “%(option)s”."),
                value=str(given)[:80],
                option=self.key,
            )
        return value

    def _read_choice(self, given: object) -> str | None:
        return next((value for value, _ in self.choices if value == given), None)

    def _read_number(self, given: object) -> int | None:
        off = given is None or str(given).strip() in ("", "None")
        if off and self.default is None:
            return None
        text = str(given).strip()
        low, high = self.minimum or 0, self.maximum or 0
        if isinstance(given, bool) or not (text.isascii() and text.isdigit() and len(text) < 10):
            raise self._out_of_range(text, low, high)
        if not low <= int(text) <= high:
            raise self._out_of_range(text, low, high)
        return int(text)

    def _out_of_range(self, text: str, low: int, high: int) -> OptionError:
        return OptionError(
            N_("“%(option)s” takes a number from %(low)s to %(high)s, not “%(value)s”."),
            option=self.key,
            low=low,
            high=high,
            value=text[:80],
        )


_YES_NO = {"true": True, "1": True, "yes": True, "on": True} | {
    "false": False,
    "0": False,
    "no": False,
    "off": False,
}


class Rules(ABC, Generic[P, A]):
    """One game's rules. Holds no state; every answer follows from its arguments alone.

    Positions and actions are immutable, hashable and compared by value; a position carries the
    options and as much history as the rules need.
    """

    slug: ClassVar[str]
    """The game's name in addresses and in the database; never changes."""
    name: ClassVar[str]
    """The game's name for people, an English source string marked with `N_`."""
    summary: ClassVar[str]
    """One sentence that makes somebody want to play, marked with `N_`."""

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
    def format(self, action: A) -> str:
        """Return the action's one canonical text."""

    @abstractmethod
    def squares(self, action: A) -> tuple[str, ...]:
        """Return the squares to click for this action, in order, as named on the board."""

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
    def board(
        self, position: P, viewer: Seat | None, last: Sequence[A]
    ) -> Board:
        """Return the drawing of the position as data, seen from `viewer`'s side.

        `last` holds the actions of the turn just played, to be marked.
        """

    @abstractmethod
    def read(self, position: P, text: str) -> Sequence[str]:
        """Return the canonical texts that `text` can mean here: lenient reading, no judging.

        An empty answer, or raising Unreadable with a better sentence, means no notation at all.
        """

    # What a game may answer better -------------------------------------------------------------

    def sides(self, options: Options) -> tuple[int, ...]:
        """Return each seat's side; partners share a number."""
        return tuple(range(self.seats(options)))

    def seat_name(self, options: Options, seat: Seat) -> Sentence:
        """Return what the seat is called in this game ("Cross", "Blue")."""
        return Sentence(N_("Player %(number)s"), {"number": seat + 1})

    def withdraw(self, position: P, seat: Seat) -> P:
        """Return the position after a player left a game of more than two seats."""
        raise Illegal(N_("Nobody can withdraw from this game while it goes on."))

    def hides_legal_actions(self, position: P) -> bool:
        """Tell whether seeing what is legal is part of the game, so that nothing may show it."""
        return False

    def why_not(self, position: P, notation: str) -> Sentence:
        """Return why `notation`, which is not legal here, is refused."""
        return Sentence(N_("“%(notation)s” is not possible here."), {"notation": notation})

    def describe(self, position: P, action: A) -> Sentence:
        """Return what the action, played in `position`, does, in words without a subject."""
        return Sentence(N_("plays %(notation)s"), {"notation": self.format(action)})

    # What nobody overrides ---------------------------------------------------------------------

    @final
    def check_options(self, given: Mapping[str, object]) -> dict[str, OptionValue]:
        """Return every option with its value, defaults filled in. Raises OptionError."""
        known = {option.key: option for option in self.options()}
        for key in given:
            if key not in known:
                raise OptionError(N_("This game has no option “%(option)s”."), option=key[:80])
        return {
            key: option.read(given[key]) if key in given else option.default
            for key, option in known.items()
        }

    @final
    def parse(self, position: P, text: str) -> A:
        """Return the legal action that `text` names: the only way in.

        Raises Unreadable, Illegal or Ambiguous, each with a sentence fit for the player.
        """
        legal = {self.format(action): action for action in self.legal_actions(position)}
        try:
            return self._look_up(position, text, legal)
        except MoveError as error:
            if len(legal) <= MAX_SHOWN and not self.hides_legal_actions(position):
                error.legal = tuple(sorted(legal))
            raise

    def _look_up(
        self, position: P, text: str, legal: Mapping[str, A]
    ) -> A:
        if len(text) > MAX_TEXT:
            raise Unreadable(N_("That is too long to be a move."))
        if not legal:
            raise Illegal(N_("The game is over."))
        meant = tuple(dict.fromkeys(self.read(position, text)))
        if not meant:
            raise Unreadable(N_("“%(text)s” cannot be read as a move."), text=shown(text))
        found = [notation for notation in meant if notation in legal]
        if len(found) > 1:
            raise Ambiguous(
                N_("“%(text)s” can mean more than one thing: %(choices)s."),
                text=shown(text),
                choices=", ".join(found),
            )
        if not found:
            reason = self.why_not(position, meant[0])
            raise Illegal(reason.template, **reason.values)
        return legal[found[0]]

    @final
    def parse_actions(
        self, position: P, text: str
    ) -> tuple[tuple[A, ...], P]:
        """Return the actions that `text` names, which may be a turn's beginning, and what follows.

        Actions are separated by commas. Raises MoveError.
        """
        if len(text) > MAX_TEXT:
            raise Unreadable(N_("That is too long to be a move."))
        start = self.turn(position)
        actions: list[A] = []
        for part in text.split(","):
            if actions and self.turn(position) != start:
                raise Illegal(N_("The turn is over before “%(text)s”."), text=shown(part))
            action = self.parse(position, part)
            actions.append(action)
            position = self.play(position, action)
        return tuple(actions), position

    @final
    def parse_turn(self, position: P, text: str) -> tuple[A, ...]:
        """Return the actions of exactly one whole turn. Raises MoveError."""
        actions, after = self.parse_actions(position, text)
        if self.turn(after) == self.turn(position) and self.to_move(after) is not None:
            raise Illegal(N_("The turn is not finished: something must still be played."))
        return actions

    @final
    def format_turn(self, actions: Iterable[A]) -> str:
        """Return the canonical text of a turn."""
        return ", ".join(self.format(action) for action in actions)

    @final
    def play_turn(
        self, position: P, actions: Iterable[A]
    ) -> P:
        """Return the position after these actions."""
        for action in actions:
            position = self.play(position, action)
        return position


AnyRules = Rules[Any, Any]


def shown(text: str) -> str:
    """Return a stranger's text cut and made printable, fit to stand in a sentence."""
    clean = "".join(char if char.isprintable() else " " for char in text[:41]).strip()
    return clean[:40] + "…" if len(clean) > 40 else clean


def replay(
    rules: Rules[P, A], options: Options, turns: Iterable[str]
) -> P:
    """Return the position after the turns of a record. Raises BadRecord naming the first bad one."""
    position = rules.initial(options)
    for number, text in enumerate(turns, start=1):
        try:
            position = rules.play_turn(position, rules.parse_turn(position, text))
        except MoveError as error:
            raise BadRecord(
                N_("Turn %(number)s of the record cannot be played: %(reason)s"),
                number=number,
                reason=str(error),
            ) from error
    return position
