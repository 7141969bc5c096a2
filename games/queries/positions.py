"""Positions of a game and what led to them, as boards and in words."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from django.db.models import QuerySet
from django.utils.translation import get_language, gettext

from games.models import Game, Turn
from games.queries.seats import Viewer, seat_played
from games.rules.base import AnyRules
from games.rules.board import Board
from games.rules.entries import positions, replay, taken_back_to, withdrawn_seat

KEPT = 200
"""Of how many positions a process remembers what is made of them: it is shown again and again."""


@lru_cache(KEPT)
def load_position(rules: AnyRules, text: str) -> Any:
    """Return the position that a game has stored. Raises BadPosition."""
    return rules.load(text)


@lru_cache(KEPT)
def drawn_position(
    rules: AnyRules, position: Any, viewer: int | None, last: tuple[Any, ...], quarters: int
) -> Board:
    """Return the drawing of a position from a seat's side, turned by so many quarters."""
    return rules.board(position, viewer, last).turned(quarters)


def notations(game: Game, number: int | None = None) -> list[str]:
    """Return the notation of every turn, or of the first `number` turns."""
    turns = game.turns.order_by("number")
    if number is not None:
        turns = turns.filter(number__lte=number)
    return list(turns.values_list("notation", flat=True))


def position_at(game: Game, number: int | None = None) -> Any:
    """Return the position after `number` turns: the newest when None."""
    number = game.turn_number if number is None else number
    if number == 0:
        return game.rules.initial(game.options)
    if number == game.turn_number and game.position:
        return load_position(game.rules, game.position)
    return replay(game.rules, game.options, notations(game, number))


@dataclass(frozen=True)
class Moment:
    """A position of a game with the entry of the record that led to it.

    `actions` are those of the turn just played in `before`. There are none at the start, after a
    withdrawal (`left` is the seat) and after a takeback (`back` is the entry from which the game
    continues).
    """

    position: Any
    before: Any
    actions: tuple[Any, ...] = ()
    left: int | None = None
    back: int | None = None


def moment_at(
    game: Game, number: int | None = None, entries: Sequence[str] | None = None
) -> Moment:
    """Return the position after `number` entries of the record (all when None).

    `entries` is the whole record; what is needed of it is read if it is not given.
    """
    number = game.turn_number if number is None else number
    if number == 0:
        start = game.rules.initial(game.options)
        return Moment(start, start)
    if number == game.turn_number and game.previous_position:
        before = load_position(game.rules, game.previous_position)
        after = load_position(game.rules, game.position)
        if entries is None:
            newest = game.turns.values_list("notation", flat=True).get(number=number)
        else:
            newest = entries[-1]
        return moment_between(game.rules, before, after, newest)
    entries = notations(game, number) if entries is None else entries[:number]
    *_, before, after = positions(game.rules, game.options, entries)
    return moment_between(game.rules, before, after, entries[-1])


def moment_between(rules: AnyRules, before: Any, after: Any, entry: str) -> Moment:
    """Return how an entry of the record led from one position to the next."""
    seat, back = withdrawn_seat(entry), taken_back_to(entry)
    if seat is not None or back is not None:
        return Moment(after, before, left=seat, back=back)
    return Moment(after, before, rules.parse_turn(before, entry))


def moments_of(game: Game, entries: Sequence[str]) -> list[Moment]:
    """Return all positions of a game whose whole record is `entries`, first to last."""
    reached = positions(game.rules, game.options, entries)
    return [Moment(reached[0], reached[0])] + [
        moment_between(game.rules, before, after, entry)
        for entry, (before, after) in zip(entries, pairwise(reached), strict=True)
    ]


def board_of(game: Game, viewer: Viewer, number: int | None = None) -> Board:
    """Return the drawing after `number` turns (the newest when None), from the viewer's side."""
    moment = moment_at(game, number)
    seat = seat_played(game, viewer)
    return game.rules.board(moment.position, seat.number if seat else None, moment.actions)


def thumbnail_of(game: Game, viewer: Viewer) -> Board:
    """Return the drawing of the newest position without its last turn; reads no turns."""
    seat = seat_played(game, viewer)
    return game.rules.board(position_at(game), seat.number if seat else None, ())


def words_of(rules: AnyRules, before: Any, actions: Iterable[Any]) -> str:
    """Return what a turn does, in the active language, without its subject."""
    words = []
    for action in actions:
        words.append(rules.describe(before, action).translated(gettext))
        before = rules.play(before, action)
    return ", ".join(words)


def words_of_moment(game: Game, moment: Moment) -> str:
    """Return what led to a moment, in the active language, without its subject."""
    if moment.left is not None:
        return gettext("leaves the game")
    if moment.back == 0:
        return gettext("takes the game back to its start")
    if moment.back is not None:
        return gettext("takes the game back to turn %(number)s") % {"number": moment.back}
    return words_of(game.rules, moment.before, moment.actions)


class Choice(NamedTuple):
    """A legal action: its notation, the squares to click for it, and what it does in words."""

    text: str
    squares: tuple[str, ...]
    words: str


def choices_at(
    rules: AnyRules, position: Any, first_square: str | None = None
) -> tuple[Choice, ...]:
    """Return the legal actions, in the active language; `first_square`: those that begin there."""
    return tuple(
        Choice(
            rules.format(position, action),
            rules.squares(position, action),
            rules.describe(position, action).translated(gettext),
        )
        for action in rules.legal_actions(position)
        if first_square is None or rules.squares(position, action)[:1] == (first_square,)
    )


def shown_choices_at(rules: AnyRules, position: Any) -> tuple[Choice, ...]:
    """Return the legal actions that a page may show before a click, in the active language.

    If finding the legal actions is part of the game, only those without a square (a pass).
    """
    hides_some = rules.hides_legal_actions(position)
    return _shown_choices(rules, position, get_language(), hides_some=hides_some)


@lru_cache(KEPT)
def _shown_choices(
    rules: AnyRules, position: Any, language: str | None, *, hides_some: bool
) -> tuple[Choice, ...]:
    """Return the choices in the active `language`; if it `hides_some`, those without a square."""
    choices = choices_at(rules, position)
    return tuple(choice for choice in choices if not (hides_some and choice.squares))


def choices_for_script(choices: Iterable[Choice]) -> list[dict[str, Any]]:
    """Return choices as the board's page module reads them: `{"text", "squares", "words"}` each."""
    return [choice._asdict() for choice in choices]


def turns_of(game: Game) -> QuerySet[Turn]:
    """Return the record, first turn first, with its players."""
    return game.turns.select_related("player").order_by("number")
