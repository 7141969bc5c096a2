"""The example game that the landing page shows, turn by turn, in pictures and words."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from django.utils.crypto import constant_time_compare
from django.utils.translation import get_language, gettext, ngettext, override

from games.queries.board_images import PREFIX, image_digest
from games.queries.positions import words_of
from games.render.picture import image_svg
from games.rules.entries import positions
from games.rules.registry import app_with_example

PLAYERS = ("Ann", "Bob")


@dataclass(frozen=True)
class ShownTurn:
    """A turn of the shown game: its notation, what it does in words, and the board after it."""

    number: int
    notation: str
    words: str
    image: str


def shown_turns() -> Sequence[ShownTurn]:
    """Return the turns of the example game in the active language; none if there is none."""
    return _turns(get_language() or "en")


@cache
def _turns(language: str) -> Sequence[ShownTurn]:
    app = app_with_example()
    if app is None:
        return ()
    rules, played = app.rules, app.example_game
    *befores, end = positions(rules, rules.check_options({}), played)
    turns = []
    for number, (text, before) in enumerate(zip(played, befores, strict=True), start=1):
        does = words_of(rules, before, rules.parse_turn(before, text))
        words = gettext("%(name)s %(does)s.") % {"name": PLAYERS[(number - 1) % 2], "does": does}
        turns.append(ShownTurn(number, text, words, image_address(number, language)))
    outcome = rules.outcome(end)
    assert outcome is not None  # noqa: S101  (it is a whole game)
    won = ngettext("%(names)s won.", "%(names)s won.", 1)
    names = {"names": PLAYERS[outcome.winners[0]]}
    ended = f"{turns[-1].words} {rules.reason(outcome.reason).translated(gettext)} {won % names}"
    return (*turns[:-1], ShownTurn(len(played), played[-1], ended, turns[-1].image))


def image_address(turn: int, language: str) -> str:
    """Return the address of the drawing after `turn` turns of the shown game, for good."""
    return f"{PREFIX}shown-{turn}-{language}-{_digest(turn, language)}.svg"


def draw_shown_image(*, turn: int, language: str, digest: str) -> str | None:
    """Return the drawing that an address names; None if this service did not make the address."""
    if not constant_time_compare(digest, _digest(turn, language)):
        return None
    return _draw(turn, language)


def _digest(turn: int, language: str) -> str:
    app = app_with_example()
    shown = f"{app.rules.slug}-{' '.join(app.example_game)}" if app else ""
    return image_digest(f"shown-{shown}-{turn}-{language}")


@cache
def _draw(turn: int, language: str) -> str | None:
    """Return the drawing with the last turn marked."""
    app = app_with_example()
    if app is None:
        return None
    rules, played = app.rules, app.example_game[:turn]
    before, after = list(positions(rules, rules.check_options({}), played))[-2:]
    board = rules.board(after, None, rules.parse_turn(before, played[-1]))
    with override(language):
        return image_svg(board, translate=gettext)
