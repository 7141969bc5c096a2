"""What surrounds every request: logging, allowed methods and machines, messages in cookies."""

import hashlib
import logging
import re
import time
import uuid
from collections.abc import Callable
from http import HTTPStatus

import structlog
from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseForbidden,
    HttpResponseNotAllowed,
)
from django.utils.cache import get_conditional_response

from config.metrics import REQUESTS
from config.settings.validation import is_loopback

log = logging.getLogger("pli.requests")


class RequestLogMiddleware:
    """Writes one line a request and counts it.

    The line names the view and not the path: some paths sign somebody in. Every other line of the
    same request has the same `request_id`. The user's key is there only if something else has
    loaded the user: the line itself costs no query.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return the response, measured."""
        began = time.perf_counter()
        # Not unbound at the end: Django logs what failed after the last middleware.
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=uuid.uuid4().hex)
        response = self.get_response(request)
        seconds = time.perf_counter() - began
        match = request.resolver_match
        view = (match.view_name or match.route) if match else "none"
        method = request.method if request.method in _METHODS else "other"
        REQUESTS.labels(view, method, response.status_code).observe(seconds)
        user = getattr(request, "_cached_user", None)
        log.info(
            "%s %s %s %d ms",
            *(method, view, response.status_code, seconds * 1000),
            extra={
                "method": method,
                "view": view,
                "status": response.status_code,
                "milliseconds": round(seconds * 1000),
                "user": user.pk if user is not None else None,
            },
        )
        return response


_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"})
"""A stranger chooses the method, and every new one would be a new series of the metrics."""


class MethodsMiddleware:
    """Answers 405 to every method that no page takes, before anything is looked up.

    Views that do not look at the method, as most of the admin's, would answer them like GET.
    """

    METHODS = ("GET", "HEAD", "POST")

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass on what pages take."""
        is_for_page = not request.path_info.startswith("/api/v1/")  # which answers in its own form
        if is_for_page and request.method not in self.METHODS:
            return HttpResponseNotAllowed(self.METHODS)
        return self.get_response(request)


class LoopbackOnlyMiddleware:
    """Refuses requests from other machines: passwords are public, and anybody reads all mail.

    A proxy on this machine passes on requests of others. Most proxies say so in a header.
    """

    PROXY_HEADERS = ("FORWARDED", "VIA", "X_FORWARDED_FOR", "X_FORWARDED_HOST", "X_REAL_IP")

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        is_from_proxy = any(f"HTTP_{name}" in request.META for name in self.PROXY_HEADERS)
        if is_from_proxy or not is_loopback(request.META.get("REMOTE_ADDR", "")):
            return HttpResponseForbidden("Only for this machine.", content_type="text/plain")
        return self.get_response(request)


class UnchangedPagesMiddleware:
    """Answers 304 to a browser that has the newest state of a page which is the same for everybody.

    Must come before everything that makes an answer private, which is then left as it is.
    """

    PAGES = frozenset(
        {
            *("rules_index", "rules_page", "time_help", "outages", "security_txt"),
            *("about", "privacy", "contact"),
        }
    )

    _TOKEN = re.compile(rb"(?<=\")[A-Za-z0-9]{64}(?=\")")
    """The token of forms: masked differently in each answer, and good for as long as its cookie."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return the page with an ETag, or 304 without it."""
        response = self.get_response(request)
        match = request.resolver_match
        is_public = match is not None and match.view_name in self.PAGES
        if not is_public or response.status_code != HTTPStatus.OK or "Cache-Control" in response:
            return response
        # Tokens are good with one cookie alone: an old page must not be used with a new one.
        cookie = response.cookies.get(settings.CSRF_COOKIE_NAME)
        page = (cookie.value if cookie else "").encode() + self._TOKEN.sub(b"", response.content)
        etag = f'"{hashlib.sha256(page).hexdigest()[:32]}"'
        response["ETag"] = etag
        return get_conditional_response(request, etag=etag, response=response) or response


class HtmxRedirectMiddleware:
    """Has a page with htmx go where an answer redirects to.

    htmx would follow by itself, and put the other page into the place of a part of this one.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if "HX-Request" in request.headers and response.has_header("Location"):
            response["HX-Redirect"] = response["Location"]
            del response["Location"]
            response.status_code = HTTPStatus.OK
        return response


class PrefixedCookieStorage(CookieStorage):
    """Keeps messages for the next page in a cookie that has the prefix of the others."""

    cookie_name = f"{settings.COOKIE_PREFIX}messages"


class MessageStorage(FallbackStorage):
    """Keeps messages in a cookie, and in the session where they are too long for one."""

    storage_classes = (PrefixedCookieStorage, SessionStorage)
