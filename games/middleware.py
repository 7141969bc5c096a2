"""For every page: pictures of boards come first, refusals become answers, a visit is a contact."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.shortcuts import render
from django.urls import Resolver404, resolve
from django.utils.http import url_has_allowed_host_and_scheme

from accounts.server_time import server_now
from games import errors
from games.queries import board_images
from games.services.clock.undelivered_turns import record_contact

GetResponse = Callable[[HttpRequest], HttpResponse]


class BoardImageMiddleware:
    """Answers with the drawings of boards before sessions and users are looked at.

    They are the same for everybody and are kept for a year: nothing personal may be added to them.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path_info.startswith(board_images.PREFIX):
            return self.get_response(request)
        try:
            match = resolve(request.path_info)
        except Resolver404:
            return self.get_response(request)
        request.resolver_match = match
        return match.func(request, *match.args, **match.kwargs)


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
        if request.accepts("text/html"):
            referer = request.headers.get("Referer", "")
            is_ours = url_has_allowed_host_and_scheme(referer, allowed_hosts={request.get_host()})
            context = {"refusal": error, "back_to": referer if is_ours else ""}
            return render(request, "games/refused.html", context, status=error.status)
        return JsonResponse({"error": error.sentence, "code": error.code}, status=error.status)
