"""Every page in the reader's language and time zone."""

from collections.abc import Callable
from datetime import tzinfo

from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation


class PersonMiddleware:
    """Answers somebody signed in by their profile; others by what LocaleMiddleware found."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return the page, made in the reader's language and zone."""
        user = request.user
        if not user.is_authenticated:
            return self._answer(request, translation.get_language(), None)
        return self._answer(request, user.language, user.zone)

    def _answer(
        self, request: HttpRequest, language: str | None, zone: tzinfo | None
    ) -> HttpResponse:
        with translation.override(language), timezone.override(zone):
            request.LANGUAGE_CODE = translation.get_language()
            response = self.get_response(request)
            response.headers.setdefault("Content-Language", translation.get_language())
        return response
