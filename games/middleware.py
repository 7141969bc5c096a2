"""What concerns every page: refusals become answers, and a visit is a sign of life."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme

from accounts.server_time import server_now
from games import errors
from games.services.clock.undelivered_turns import record_contact

GetResponse = Callable[[HttpRequest], HttpResponse]


class ContactMiddleware:
    """Lets the turns of somebody whom no mail reached begin anew when they visit.

    Asks the database nothing for anybody else. A page that nobody looks at and that asks for news
    by itself (`looking=0`) is no visit.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Note the visit before the page is made, so that it shows the clock running."""
        user = request.user
        visits = user.is_authenticated and request.GET.get("looking") != "0"
        if user.is_authenticated and visits and user.unreachable_since is not None:
            record_contact(user, now=server_now())
        return self.get_response(request)


class RefusalMiddleware:
    """Answers a Refusal with its status and its sentence, as a page or as JSON.

    Who comes to an address that only takes forms (from the page of sign-in, say, where the form
    was sent too late) reads a page too, not a browser's error.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass the request on."""
        response = self.get_response(request)
        refused = isinstance(response, HttpResponseNotAllowed)
        if refused and request.method == "GET" and request.accepts("text/html"):
            page = render(request, "405.html", status=response.status_code)
            page["Allow"] = response["Allow"]
            return page
        return response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Answer a refusal; leave every other error to Django."""
        if not isinstance(error, errors.Refusal):
            return None
        if request.accepts("text/html"):
            context = {"refusal": error, "back_to": _page_before(request)}
            return render(request, "games/refused.html", context, status=error.status)
        return JsonResponse({"error": error.sentence, "code": error.code}, status=error.status)


def _page_before(request: HttpRequest) -> str:
    """Return the page of ours that the person came from, if any."""
    page = request.headers.get("Referer", "")
    ours = url_has_allowed_host_and_scheme(page, allowed_hosts={request.get_host()})
    return page if ours else ""
