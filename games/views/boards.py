"""Drawings of boards as images with an address of their own."""

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseNotFound
from django.views.decorators.http import require_safe

from games.queries.board_images import draw_image

YEAR = 365 * 24 * 60 * 60

HEADERS = {
    "Cache-Control": f"public, max-age={YEAR}, immutable",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    "X-Content-Type-Options": "nosniff",
}


@require_safe
def board_image(request: HttpRequest, **named: Any) -> HttpResponse:
    """Return the drawing that an address names; 404 if this service did not make the address."""
    drawing = draw_image(**named)
    if drawing is None:
        return HttpResponseNotFound()
    return HttpResponse(drawing, content_type="image/svg+xml", headers=HEADERS)
