"""Announcements that somebody has read."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from games.context import DISMISSED, dismissed
from games.services.house import house_news, mark_of


@require_POST
def dismiss(request: HttpRequest, mark: str) -> HttpResponse:
    """Show an announcement no more until the browser is closed, and go back to the page."""
    known = {mark_of(one) for one in house_news(timezone.now()).announcements}
    kept = sorted({*dismissed(request), mark} & known)
    response = redirect(_back(request))
    response.set_cookie(
        DISMISSED,
        ".".join(kept),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response


def _back(request: HttpRequest) -> str:
    page = request.POST.get("next", "")
    return page if url_has_allowed_host_and_scheme(page, {request.get_host()}) else "/"
