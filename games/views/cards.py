"""The card of a game that is over: a picture to show, on a page of its own."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games import errors
from games.models import Game
from games.render.card import card_size
from games.views.link_previews import CardPosition, card_position, preview_of
from games.views.page import visible_game


@require_safe
@never_cache
def card(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the card of a game that has a result."""
    shown = _result_of(request, pk)
    game, said = shown.game, shown.card(str)
    context = {
        "game": game,
        "card": said,
        "link_preview": preview_of(game, game.turn_number, shown.turn, ""),
        "alt": " ".join([said.title, *said.lines]),
        "link": settings.SITE_URL + reverse("game_card", args=[game.pk]),
        "wide_size": card_size("wide"),
        "tall_size": card_size("tall"),
    }
    return render(request, "games/card.html", context)


@require_safe
@never_cache
def card_picture(request: HttpRequest, pk: int, shape: str) -> HttpResponse:
    """Return the card of a game that has a result as PNG; `shape` is "wide" or "tall"."""
    shown = _result_of(request, pk)
    if shape not in ("wide", "tall"):
        raise errors.NoSuchGame
    answer = shown.draw("tall" if shape == "tall" else "wide")
    name = f"{shown.game.rules_slug}-{shown.game.pk}-{shape}.png"
    answer["Content-Disposition"] = f'inline; filename="{name}"'
    return answer


def _result_of(request: HttpRequest, pk: int) -> CardPosition:
    """Return the end of a game with a result that the viewer may see. Raises NoSuchGame."""
    game = visible_game(request, pk)
    if game.status != Game.Status.FINISHED:
        raise errors.NoSuchGame
    return card_position(game, game.turn_number)
