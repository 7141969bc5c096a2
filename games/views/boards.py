"""Drawings of boards as images with an address of their own."""

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseNotFound
from django.views.decorators.http import require_safe

from games.queries.board_images import draw_example_image, draw_image
from games.queries.shown_game import draw_shown_image

YEAR = 365 * 24 * 60 * 60

HEADERS = {
    "Cache-Control": f"public, max-age={YEAR}, immutable",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    "X-Content-Type-Options": "nosniff",
}


@require_safe
def board_image(request: HttpRequest, **named: Any) -> HttpResponse:
    """Return the drawing that an address names; 404 if this service did not make the address."""
    return _answer(draw_image(**named))


@require_safe
def example_image(request: HttpRequest, **named: Any) -> HttpResponse:
    """Return a drawing of a game while it is played, as `board_image` does."""
    return _answer(draw_example_image(**named))


@require_safe
def shown_image(request: HttpRequest, **named: Any) -> HttpResponse:
    """Return a drawing of the game that the landing page shows, as `board_image` does."""
    return _answer(draw_shown_image(**named))


def _answer(drawing: str | None) -> HttpResponse:
    if drawing is None:
        return HttpResponseNotFound()
    return HttpResponse(drawing, content_type="image/svg+xml", headers=HEADERS)
