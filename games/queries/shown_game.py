"""The short game that the landing page shows, turn by turn, in pictures and words."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from django.utils.crypto import constant_time_compare
from django.utils.translation import get_language, gettext, ngettext, override

from games.queries.board_images import PREFIX, image_digest
from games.queries.positions import words_of
from games.render.picture import image_svg
from games.rules.base import AnyRules
from games.rules.entries import positions
from games.rules.registry import UnknownGame, rules_for

SLUG = "taquet"
TURNS = ("a1", "c3", "c1", "Tb1", "a1-a2", "Tb2", "b3", "a3", "c1-c2", "c1", "Tb3")
"""A whole game of SLUG. The first player wins with the last turn, by the piece that is nobody's."""

PLAYERS = ("Ann", "Bob")


@dataclass(frozen=True)
class ShownTurn:
    """A turn of the shown game: its notation, what it does in words, and the board after it."""

    number: int
    notation: str
    words: str
    image: str


def shown_rules() -> AnyRules | None:
    """Return the rules of the shown game; None if that game is not installed here."""
    try:
        return rules_for(SLUG)
    except UnknownGame:
        return None


def shown_turns() -> Sequence[ShownTurn]:
    """Return the turns of the shown game in the active language; none if it is not installed."""
    return _turns(get_language() or "en")


@cache
def _turns(language: str) -> Sequence[ShownTurn]:
    rules = shown_rules()
    if rules is None:
        return ()
    *befores, end = positions(rules, rules.check_options({}), TURNS)
    turns = []
    for number, (text, before) in enumerate(zip(TURNS, befores, strict=True), start=1):
        does = words_of(rules, before, rules.parse_turn(before, text))
        words = gettext("%(name)s %(does)s.") % {"name": PLAYERS[(number - 1) % 2], "does": does}
        turns.append(ShownTurn(number, text, words, image_address(number, language)))
    outcome = rules.outcome(end)
    assert outcome is not None  # noqa: S101  (TURNS is a whole game)
    won = ngettext("%(names)s won.", "%(names)s won.", 1)
    names = {"names": PLAYERS[outcome.winners[0]]}
    ended = f"{turns[-1].words} {rules.reason(outcome.reason).translated(gettext)} {won % names}"
    return (*turns[:-1], ShownTurn(len(TURNS), TURNS[-1], ended, turns[-1].image))


def image_address(turn: int, language: str) -> str:
    """Return the address of the drawing after `turn` turns of the shown game, for good."""
    return f"{PREFIX}shown-{turn}-{language}-{_digest(turn, language)}.svg"


def draw_shown_image(*, turn: int, language: str, digest: str) -> str | None:
    """Return the drawing that an address names; None if this service did not make the address."""
    if not constant_time_compare(digest, _digest(turn, language)):
        return None
    return _draw(turn, language)


def _digest(turn: int, language: str) -> str:
    return image_digest(f"shown-{SLUG}-{' '.join(TURNS)}-{turn}-{language}")


@cache
def _draw(turn: int, language: str) -> str | None:
    """Return the drawing with the last turn marked."""
    rules = shown_rules()
    if rules is None:
        return None
    before, after = list(positions(rules, rules.check_options({}), TURNS[:turn]))[-2:]
    board = rules.board(after, None, rules.parse_turn(before, TURNS[turn - 1]))
    with override(language):
        return image_svg(board, translate=gettext)
