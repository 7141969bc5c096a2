"""Answers the requests of programs before sessions, cookies and CSRF come in."""

from collections.abc import Callable, Iterable
from http import HTTPStatus

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import Resolver404, resolve
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers

from games.api.auth import ALLOWANCE, language_asked
from games.api.errors import MethodNotAllowed, NoSuchAddress
from games.api.limits import Allowance
from games.api.problems import problem_of

PREFIX = "/api/v1/"
METHODS = ("GET", "HEAD", "POST")
"""The methods that any route takes, as pages do."""


class ApiMiddleware:
    """Answers everything under /api/v1/ itself; a browser's session is never looked at."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer a program, or pass the request on."""
        if not request.path_info.startswith(PREFIX):
            return self.get_response(request)
        request.user = AnonymousUser()
        with translation.override(language_asked(request) or "en"), timezone.override("UTC"):
            response = self._answer(request)
            response.headers.setdefault("Content-Language", translation.get_language())
        response.headers.setdefault("Cache-Control", "no-store, private")
        patch_vary_headers(response, ["Authorization", "Accept-Language"])
        allowance = request.META.get(ALLOWANCE)
        if isinstance(allowance, Allowance):
            for name, value in allowance.headers().items():
                response.headers.setdefault(name, value)
        return response

    def _answer(self, request: HttpRequest) -> HttpResponse:
        if request.method not in METHODS:
            return _wrong_method(METHODS)
        is_head = request.method == "HEAD"
        if is_head:
            request.method = "GET"
        try:
            match = resolve(request.path_info)
            request.resolver_match = match
            if match.url_name == "openapi-json" and request.method != "GET":
                return _wrong_method(("GET", "HEAD"))
            response: HttpResponse = match.func(request, *match.args, **match.kwargs)
        except (Resolver404, Http404):
            response = problem_of(NoSuchAddress())
        if response.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
            allowed = response.headers["Allow"].split(", ")
            response = _wrong_method(["GET", "HEAD"] if "GET" in allowed else allowed)
        if is_head:
            request.method = "HEAD"
            response.headers["Content-Length"] = str(len(response.content))
            response.content = b""
        return response


def _wrong_method(allowed: Iterable[str]) -> HttpResponse:
    refusal = MethodNotAllowed()
    refusal.headers = {"Allow": ", ".join(allowed)}
    return problem_of(refusal)
