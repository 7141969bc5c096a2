"""A refusal as an answer: `application/problem+json` (RFC 9457)."""

import json
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _
from ninja.responses import NinjaJSONEncoder

from games import errors
from games.api.errors import RETRY_AFTER, ApiRefusal

CONTENT_TYPE = "application/problem+json"

MOST_LEGAL = 30
"""Legal actions that a problem lists."""

CLOSED_RETRY_AFTER = 60
"""Seconds after which to ask again during maintenance."""

TITLES = {
    400: _("The request cannot be read"),
    401: _("A token is needed"),
    403: _("Not allowed"),
    404: _("Not found"),
    405: _("Wrong method"),
    409: _("Not possible in the present state"),
    413: _("Too long"),
    422: _("The request makes no sense here"),
    429: _("Too often"),
    500: _("An error of the server"),
    503: _("Not available for now"),
}
"""What a status means, for people."""


def title_of(status: int) -> str:
    """Return what a status means, in the active language."""
    return gettext(TITLES[status]) if status in TITLES else HTTPStatus(status).phrase


def page_of(code: str) -> str:
    """Return the address of the page that explains a refusal."""
    return str(settings.SITE_URL) + reverse("api_error", args=[code])


def problem_of(refusal: errors.Refusal, state: dict[str, Any] | None = None) -> HttpResponse:
    """Return a refusal as an answer, in the active language.

    `state` is the present state of the game, for a program that must decide anew.
    """
    body: dict[str, Any] = {
        "type": page_of(refusal.code),
        "title": title_of(refusal.status),
        "status": refusal.status,
        "detail": refusal.sentence,
        "code": refusal.code,
    }
    headers: dict[str, str] = {}
    if isinstance(refusal, errors.MoveRefused):
        body |= {"kind": refusal.kind, "legal": list(refusal.legal)[:MOST_LEGAL]}
    if isinstance(refusal, ApiRefusal):
        body |= refusal.extensions
        headers |= refusal.headers
    if state is not None:
        body |= state
    if refusal.status == HTTPStatus.SERVICE_UNAVAILABLE:
        is_closed = isinstance(refusal, errors.ClosedForMaintenance)
        body["retry_after"] = CLOSED_RETRY_AFTER if is_closed else RETRY_AFTER
    if "retry_after" in body:
        headers["Retry-After"] = str(body["retry_after"])
    if refusal.status == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = 'Bearer realm="pli"'
    text = json.dumps(body, cls=NinjaJSONEncoder)  # times as in every other answer
    return HttpResponse(text, status=refusal.status, content_type=CONTENT_TYPE, headers=headers)
