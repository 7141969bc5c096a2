"""The public ledger of outages."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.server_time import server_now
from games import queries
from games.clock.durations import span_in_words
from games.services.clock.time_off import LONGEST_SILENCE

ON_A_PAGE = 50


@require_safe
def ledger(request: HttpRequest) -> HttpResponse:
    """List when this service was down or closed, how long and why."""
    page = Paginator(queries.outages(), ON_A_PAGE).get_page(request.GET.get("page"))
    now = server_now()
    entries = [
        {"outage": outage, "lasted": span_in_words((outage.ended_at or now) - outage.began_at)}
        for outage in page
    ]
    context = {"entries": entries, "page": page, "silence": span_in_words(LONGEST_SILENCE)}
    return render(request, "games/outages.html", context)
