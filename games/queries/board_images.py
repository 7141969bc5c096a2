"""Drawings of boards as images with an address of their own, for lists of games.

An address names a position for good: a game's record only grows. So browsers keep the image for a
year, and a list has one small element a game. Whoever has the address may see the image: its
digest can be made by this service alone, and is written on pages that show the game.
"""

from functools import lru_cache

from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import get_language, gettext, override

from games.models import Game
from games.queries.positions import position_at
from games.queries.seats import Viewer, seat_played
from games.render.picture import image_svg
from games.render.theme import STYLE_VERSION
from games.rulebook import parse_examples
from games.rules.registry import UnknownGame, app_for, rules_for

PREFIX = "/boards/"
"""What the addresses begin with; `games.middleware.EarlyAnswersMiddleware` knows them by it."""

NO_SEAT = "x"
"""The seat in an address if the viewer has none."""

KEPT = 500
"""How many drawings a process remembers."""


def board_image_url(game: Game, viewer: Viewer) -> str:
    """Return the address of a game's newest position, drawn for `viewer`."""
    seat = seat_played(game, viewer)
    return board_image_address(game.pk, game.turn_number, NO_SEAT if seat is None else seat.number)


def board_image_address(pk: int, turn: int, seat: int | str) -> str:
    """Return the address of a game's position after `turn` turns, as a seat or NO_SEAT sees it."""
    what = f"{pk}-{turn}-{seat}-{get_language()}"
    return f"{PREFIX}{what}-{image_digest(what)}.svg"


def draw_image(*, pk: int, turn: int, seat: str, language: str, digest: str) -> str | None:
    """Return the drawing that an address names; None if this service did not make the address."""
    if not constant_time_compare(digest, image_digest(f"{pk}-{turn}-{seat}-{language}")):
        return None
    game = Game.objects.filter(pk=pk).first()
    if game is None:
        return None
    try:
        position = game.rules.dump(position_at(game, turn))
    except UnknownGame:
        return None
    return _draw(game.rules_slug, position, seat, language)


def example_image_address(slug: str) -> str:
    """Return the address of a drawing that shows what a game looks like while it is played."""
    what = f"{slug}-{get_language()}"
    return f"{PREFIX}{what}-{image_digest(what)}.svg"


def draw_example_image(*, slug: str, language: str, digest: str) -> str | None:
    """Return the longest example of a rulebook; None if this service did not make the address."""
    if not constant_time_compare(digest, image_digest(f"{slug}-{language}")):
        return None
    return _draw_example(slug, language)


@lru_cache(KEPT)
def _draw_example(slug: str, language: str) -> str | None:
    try:
        app = app_for(slug)
    except UnknownGame:
        return None
    example = max(parse_examples(app.rulebook("en")), key=lambda one: len(one.turns))
    with override(language):
        return image_svg(example.board(app.rules), translate=gettext)


def image_digest(what: str) -> str:
    """Return what proves that this service made an address; another style has another one."""
    salt = f"board images {STYLE_VERSION}"
    return salted_hmac(salt, what, algorithm="sha256").hexdigest()[:20]


@lru_cache(KEPT)
def _draw(slug: str, position: str, seat: str, language: str) -> str:
    rules = rules_for(slug)
    board = rules.board(rules.load(position), None if seat == NO_SEAT else int(seat), ())
    with override(language):
        return image_svg(board, translate=gettext)
