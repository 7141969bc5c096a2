"""Pages about the site rather than a game: its texts, time, outages, dismissed announcements."""

from django.conf import settings
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language
from django.views.decorators.http import require_POST, require_safe

from accounts.server_time import server_now
from games.clock.durations import span_in_words
from games.context import DISMISSED, dismissed
from games.models import SitePage
from games.models.outage import LONGEST_SILENCE
from games.queries import lists
from games.queries import time_help as help_texts
from games.queries.site_pages import page_text
from games.services.site_status import dismissal_key, site_status

OUTAGES_ON_A_PAGE = 50


@require_safe
def time_help(request: HttpRequest) -> HttpResponse:
    """Say how time is counted."""
    return render(request, "games/time_help.html", {"parts": help_texts.time_help()})


@require_safe
def outages(request: HttpRequest) -> HttpResponse:
    """List when this service was down or closed, how long and why."""
    page = Paginator(lists.outages(), OUTAGES_ON_A_PAGE).get_page(request.GET.get("page"))
    now = server_now()
    entries = [
        {"outage": outage, "lasted": span_in_words((outage.ended_at or now) - outage.began_at)}
        for outage in page
    ]
    context = {"entries": entries, "page": page, "silence": int(LONGEST_SILENCE.total_seconds())}
    return render(request, "games/outages.html", context)


@require_safe
def site_page(request: HttpRequest, name: str) -> HttpResponse:
    """Show the page About, Privacy or Contact."""
    page = page_text(name, (get_language() or "en")[:2])
    context = {"title": SitePage.Name(name).label, "page": page}
    return render(request, "games/site_page.html", context)


@require_POST
def dismiss_announcement(request: HttpRequest, mark: str) -> HttpResponse:
    """Hide an announcement until the browser is closed, and go back to the page."""
    known = {dismissal_key(one) for one in site_status(server_now()).announcements}
    kept = sorted({*dismissed(request), mark} & known)
    page = request.POST.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(page, {request.get_host()})
    response = redirect(page if is_ours else "/")
    response.set_cookie(
        DISMISSED,
        ".".join(kept),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response
