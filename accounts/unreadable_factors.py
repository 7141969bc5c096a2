"""Says so when a second factor was encrypted with a key that is missing."""

import logging
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from accounts.factor_keys import FactorUnreadable

log = logging.getLogger(__name__)


class UnreadableFactorMiddleware:
    """Answers FactorUnreadable with a page (503): the factor is not lost, the host must act."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass the request on."""
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Answer an unreadable factor; leave every other error to Django."""
        if not isinstance(error, FactorUnreadable):
            return None
        log.error("a second factor cannot be read with the keys in PLI_FACTOR_KEYS")
        return render(request, "accounts/factor_unreadable.html", status=503)
