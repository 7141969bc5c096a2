"""Keeps pages about somebody out of caches, and has browsers forget them after signing out."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse

NO_STORE = "no-store, private"

FORGET = '"cache", "storage"'
"""What a browser deletes after signing out. Its cookies stay: they are preferences (language,
colours) and say nothing of the person, and the cookies of the domain's other sites would go too."""

_SIGNED_OUT = "pli.signed_out"
"""The key of a request's META that says that it signed somebody out."""


class PrivatePagesMiddleware:
    """Forbids storing any answer in whose making a session had a part (RFC 9111, 5.2.2).

    That is: the request came with a session's cookie or the answer sets one. Whether it is still
    somebody's need not be asked, so this costs no query. Must stand before SessionMiddleware.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return the answer with its headers."""
        response = self.get_response(request)
        came_with = request.COOKIES.get(settings.SESSION_COOKIE_NAME)
        answered = response.cookies.get(settings.SESSION_COOKIE_NAME)
        if came_with or answered:
            response["Cache-Control"] = NO_STORE
        # An empty cookie deletes it: the session ended elsewhere.
        is_deleted = bool(came_with and answered and not answered.value)
        if is_deleted or request.META.get(_SIGNED_OUT):
            response["Clear-Site-Data"] = FORGET
        return response


def note_sign_out(sender: object, request: HttpRequest | None, **more: Any) -> None:
    """Remember with a request that it signed somebody out."""
    if request is not None:
        request.META[_SIGNED_OUT] = True
