"""Announcements that somebody has read."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from accounts.server_time import server_now
from games.context import DISMISSED, dismissed
from games.services.site_status import dismissal_key, site_status


@require_POST
def dismiss(request: HttpRequest, mark: str) -> HttpResponse:
    """Show an announcement no more until the browser is closed, and go back to the page."""
    known = {dismissal_key(one) for one in site_status(server_now()).announcements}
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
