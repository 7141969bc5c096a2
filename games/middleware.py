"""For every page: early answers, refusals that become answers, and visits that are contacts."""

import re
from collections.abc import Callable
from http import HTTPStatus

from django.conf import settings
from django.contrib.messages import constants
from django.contrib.messages.storage.base import Message
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.shortcuts import render
from django.urls import Resolver404, resolve
from django.utils.http import url_has_allowed_host_and_scheme

from accounts.server_time import server_now
from accounts.sql import time_from_sql
from games import errors
from games.queries import board_images
from games.queries.page_stamp import unchanged_game
from games.services.clock.undelivered_turns import record_contact
from games.services.conduct.messages import note_presence

GetResponse = Callable[[HttpRequest], HttpResponse]


class EarlyAnswersMiddleware:
    """Answers with drawings of boards, and that a page is up to date, before session and user.

    Drawings are the same for everybody and are kept for a year: nothing personal may be added.
    The service worker, which browsers ask for again and again, is the same for everybody too.
    """

    SAME_FOR_EVERYBODY = (board_images.PREFIX, "/service-worker.js")

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        early = None
        if request.path_info.startswith(self.SAME_FOR_EVERYBODY):
            early = self._answer(request)
        elif "stamp" in request.GET and is_up_to_date(request):
            early = HttpResponse(status=HTTPStatus.NO_CONTENT)
            early["Cache-Control"] = "no-store, private"
        return early or self.get_response(request)

    def _answer(self, request: HttpRequest) -> HttpResponse | None:
        """Return what the view of the address answers; None if there is no such address."""
        try:
            match = resolve(request.path_info)
        except Resolver404:
            return None
        request.resolver_match = match
        return match.func(request, *match.args, **match.kwargs)


def is_up_to_date(request: HttpRequest) -> bool:
    """Tell whether the request comes from an open page that shows the newest state of its game.

    That its reader still looks at it is remembered.
    """
    path = re.fullmatch(r"/games/(\d{1,18})/news/", request.path_info, re.ASCII)
    if path is None or request.method != "GET":
        return False
    now = server_now()
    session = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
    game = unchanged_game(int(path[1]), request.GET["stamp"], session, now=now)
    if game is None:
        return False
    request.resolver_match = resolve(request.path_info)
    seen_at = time_from_sql(game.seen_at)
    if seen_at is not None and request.GET.get("looking") != "0":
        user = int(request.GET["stamp"].partition("-")[0])
        note_presence(game.pk, user, now=now, seen_at=seen_at)
    return True


class ContactMiddleware:
    """Restarts the turns of a user whom no mail reached when they visit.

    Costs no query for other users. A hidden page that asks for news by itself (`looking=0`) is no
    visit.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Record the visit before the page is made, so that it shows a running clock."""
        user = request.user
        visits = user.is_authenticated and request.GET.get("looking") != "0"
        if user.is_authenticated and visits and user.unreachable_since is not None:
            record_contact(user, now=server_now())
        return self.get_response(request)


class RefusalMiddleware:
    """Answers a Refusal with its status and its sentence, as a page or as JSON.

    A GET of a URL that only takes POST (for example after signing in too late) gets a page too.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        refused = isinstance(response, HttpResponseNotAllowed)
        if refused and request.method == "GET" and request.accepts("text/html"):
            page = render(request, "405.html", status=response.status_code)
            page["Allow"] = response["Allow"]
            return page
        return response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, errors.Refusal):
            return None
        if "HX-Request" in request.headers:
            said = [Message(constants.ERROR, error.sentence)]
            context = {"messages": said, "swapped": True}
            part = render(request, "_messages.html", context, status=error.status)
            part["HX-Reswap"] = "none"  # only the message changes
            return part
        if request.accepts("text/html"):
            referer = request.headers.get("Referer", "")
            is_ours = url_has_allowed_host_and_scheme(referer, allowed_hosts={request.get_host()})
            context = {"refusal": error, "back_to": referer if is_ours else ""}
            return render(request, "games/refused.html", context, status=error.status)
        return JsonResponse({"error": error.sentence, "code": error.code}, status=error.status)
