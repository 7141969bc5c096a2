"""The pictures of link previews that show no game of players: of the site, and of a rulebook.

Their addresses name what they show for good, as those of `board_images` do.
"""

from functools import lru_cache
from hashlib import sha256
from urllib.parse import urlsplit

from django.conf import settings
from django.urls import reverse
from django.utils.translation import get_language, gettext, override

from accounts.models import User
from games.render.card import CARD_VERSION, Card, CardShape, card_png
from games.render.font_metrics import has_letters
from games.render.theme import STYLE_VERSION
from games.rulebook import parse_examples
from games.rules.base import AnyRules
from games.rules.board import Board
from games.rules.entries import positions
from games.rules.registry import all_rules, app_for, app_with_example

KEPT = 30
"""How many pictures a process remembers, of some 40 kB."""


def card_digest(*shown: object) -> str:
    """Return a name for all that a picture shows; another way of drawing has another one."""
    said = repr((CARD_VERSION, STYLE_VERSION, get_language(), *shown))
    return sha256(said.encode()).hexdigest()[:20]


def site_host() -> str:
    """Return the name of this server."""
    return urlsplit(settings.SITE_URL).hostname or settings.SITE_NAME


def preview_address(slug: str = "") -> str:
    """Return the address of the picture of a rulebook, or of the site, in the active language."""
    return _preview_address(slug, get_language() or "en", (settings.SITE_NAME, site_host()))


@lru_cache(KEPT)
def _preview_address(slug: str, language: str, _site: tuple[str, str]) -> str:
    named = [slug or "site", language, card_digest(slug, _card(slug))]
    return reverse("preview_picture", args=named)


def draw_preview(*, slug: str, language: str, digest: str) -> bytes | None:
    """Return the picture that an address names as PNG; None if there is no such address.

    `slug` is that of a rulebook, or "site".
    """
    slug = "" if slug == "site" else slug
    if language not in dict(settings.LANGUAGES) or slug not in {"", *map(_slug, all_rules())}:
        return None
    with override(language):
        card = _card(slug)
        if card_digest(slug, card) != digest:
            return None
        board = example_board(slug)
        return None if board is None else draw_card(card, board, "wide", language)


@lru_cache(KEPT)
def draw_card(card: Card, board: Board, shape: CardShape, language: str) -> bytes:
    """Return a card as PNG; the board's own words are in `language`."""
    with override(language):
        return card_png(card, board, shape=shape, translate=gettext)


def _slug(rules: AnyRules) -> str:
    return rules.slug


def _card(slug: str) -> Card:
    if slug:
        rules = app_for(slug).rules
        return Card(
            label=gettext("The rules"),
            title=gettext(rules.name),
            lines=(gettext(rules.summary),),
            site=settings.SITE_NAME,
        )
    return Card(
        label=settings.SITE_NAME,
        title=gettext("Board games by correspondence"),
        lines=(
            gettext(
                "Play over days, at your own pace: think as long as you like, play when you are "
                "ready, and your opponent gets a mail that shows the board."
            ),
        ),
        site=site_host(),
    )


def drawn_name(user: User) -> str:
    """Return the name of a user, or the user name if a picture cannot show all its letters."""
    name = str(user)
    return name if has_letters(name) else user.username


def example_board(slug: str) -> Board | None:
    """Return the longest example of a rulebook; for the site, the end of the game that it shows."""
    if not slug:
        app = app_with_example()
        if app is None:
            return None
        rules, played = app.rules, app.example_game
        *_, before, after = positions(rules, rules.check_options({}), played)
        return rules.board(after, None, rules.parse_turn(before, played[-1]))
    app = app_for(slug)
    example = max(parse_examples(app.rulebook("en")), key=lambda one: len(one.turns))
    return example.board(app.rules)
