"""Pages that belong to no app: for monitoring, for failed requests, and what all pages know."""

import secrets
import sys
from datetime import timedelta

from django.conf import settings
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBadRequest,
    HttpResponseServerError,
    JsonResponse,
)
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST

from accounts.server_time import server_now
from config.health import measure_health
from config.metrics import render_metrics
from games.api.errors import RETRY_AFTER, Unavailable, is_temporary


def site(request: HttpRequest) -> dict[str, object]:
    """Return what every page's template knows (a context processor)."""
    return {
        "site_name": settings.SITE_NAME,
        "site_url": settings.SITE_URL,
        "has_service_worker": settings.SERVICE_WORKER,
        "letterbox_open": settings.DEVELOPMENT and settings.LETTERBOX_DIR is not None,
    }


SECURITY_TXT_LIFETIME = timedelta(days=180)
"""How long security.txt says that it is valid. RFC 9116 (2.5.5) advises less than a year."""


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Say that this process answers requests. The database is not asked: /readyz does that."""
    return HttpResponse("ok", content_type="text/plain")


@never_cache
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """Say whether the whole service works: 200, or 503 with what is wrong, as JSON."""
    health = measure_health()
    body = {"ready": not health.problems, "problems": health.problems, "values": health.values}
    return JsonResponse(body, status=503 if health.problems else 200)


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Return the metrics to a client that knows the token (PLI_METRICS_TOKEN)."""
    expected = f"Bearer {settings.METRICS_TOKEN}".encode()
    given = request.headers.get("Authorization", "").encode()
    if not settings.METRICS_TOKEN or not secrets.compare_digest(given, expected):
        raise Http404
    return HttpResponse(render_metrics(), content_type=CONTENT_TYPE_LATEST)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer a request that failed (Django's handler500).

    503 with Retry-After where the database is locked, gone or out of space, else 500.
    """
    named = {"site_name": settings.SITE_NAME}
    if not is_temporary(sys.exc_info()[1]):
        return HttpResponseServerError(render_to_string("500.html", named))
    headers = {"Retry-After": str(RETRY_AFTER), "Cache-Control": "no-store"}
    if request.accepts("text/html"):
        return HttpResponse(render_to_string("503.html", named), status=503, headers=headers)
    refusal = Unavailable()
    body = {"error": refusal.sentence, "code": refusal.code}
    return JsonResponse(body, status=503, headers=headers)


@require_safe
def security_txt(request: HttpRequest) -> HttpResponse:
    """Say where to report a security weakness (RFC 9116); 404 without PLI_SECURITY_CONTACT."""
    if not settings.SECURITY_CONTACT:
        raise Http404
    expires = server_now() + SECURITY_TXT_LIFETIME
    fields = {
        "Contact": settings.SECURITY_CONTACT,
        "Expires": expires.strftime("%Y-%m-%dT00:00:00Z"),
        "Preferred-Languages": ", ".join(code for code, _ in settings.LANGUAGES),
        "Canonical": f"{settings.SITE_URL}{reverse('security_txt')}",
    }
    lines = "".join(f"{name}: {value}\n" for name, value in fields.items())
    return HttpResponse(lines, content_type="text/plain; charset=utf-8")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the page for an invalid request, without looking at the request again."""
    # Where the host is wrong the thread still has the language of the request before.
    with translation.override(translation.get_language_from_request(request)):
        page = render_to_string("400.html", {"site_name": settings.SITE_NAME})
    return HttpResponseBadRequest(page)
