"""The side from which a reader sees the board of a game: chosen by ?side=, kept in a cookie.

Side 0 is the reader's own; each further one is that of the next player, or the opposite one.
"""

import re

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from games.models import Game

COOKIE = f"{settings.COOKIE_PREFIX}board_sides"

KEPT = 50
"""A browser keeps the sides of so many games: those whose boards were turned last."""

KEPT_FOR = 365 * 24 * 60 * 60

QUARTERS = 4
"""How many quarters a whole circle has, and how many sides a board of more than two players."""

_SIDES = re.compile(r"([1-9][0-9]{0,17})-([1-3])", re.ASCII)


def sides_of(game: Game) -> int:
    """Return from how many sides a board is shown."""
    return QUARTERS if len(game.all_seats) > 2 else 2  # noqa: PLR2004  (two sit opposite)


def quarters_turned(request: HttpRequest, game: Game) -> int:
    """Return by how many quarters of a circle a reader has turned the board of a game."""
    chosen = request.GET.get("side", "")
    side = int(chosen) if chosen in ("0", "1", "2", "3") else _kept_sides(request).get(game.pk, 0)
    return side % sides_of(game) * (QUARTERS // sides_of(game))


def next_side(game: Game) -> int:
    """Return the side that comes after the one from which a game is shown."""
    return (game.turned_by // (QUARTERS // sides_of(game)) + 1) % sides_of(game)


def keep_side(request: HttpRequest, response: HttpResponse, game: Game) -> HttpResponse:
    """Let the reader's browser keep the side of a game that they have just chosen."""
    if "side" not in request.GET:
        return response
    kept = _kept_sides(request)
    kept.pop(game.pk, None)
    side = game.turned_by // (QUARTERS // sides_of(game))
    newest = [*kept.items(), (game.pk, side)][-KEPT:]
    value = ".".join(f"{pk}-{side}" for pk, side in newest if side)
    response.set_cookie(
        COOKIE,
        value,
        max_age=KEPT_FOR,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response


def _kept_sides(request: HttpRequest) -> dict[int, int]:
    """Return the sides that the browser has kept, by the keys of games."""
    found = map(_SIDES.fullmatch, request.COOKIES.get(COOKIE, "").split(".")[:KEPT])
    return {int(one[1]): int(one[2]) for one in found if one}
