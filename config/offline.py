"""What makes the site an app: the service worker, the page without a network, the manifest."""

import hashlib
from functools import cache

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils import translation
from django.utils.translation import get_language, gettext
from django.views.decorators.http import require_safe

ICONS = (
    ("img/icon.svg", "any", "image/svg+xml", "any"),
    ("img/icon-192.png", "192x192", "image/png", "any"),
    ("img/icon-512.png", "512x512", "image/png", "any"),
    ("img/icon-maskable-192.png", "192x192", "image/png", "maskable"),
    ("img/icon-maskable-512.png", "512x512", "image/png", "maskable"),
)
"""File, size, type and purpose of each icon. A maskable one keeps clear of rounded corners."""


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker: at the root of the site, so that it can serve every page.

    Browsers ask for it after each page that they load, so it needs neither session nor user.
    """
    context = {"is_on": settings.SERVICE_WORKER, "version": _version()}
    script = render_to_string("service_worker.js", context)
    headers = {"Cache-Control": "no-cache"}
    return HttpResponse(script, content_type="text/javascript; charset=utf-8", headers=headers)


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """Return the page that the service worker shows without a network: the same for everybody."""
    return HttpResponse(_offline_page(get_language()))


@require_safe
def web_manifest(request: HttpRequest) -> HttpResponse:
    """Return the manifest of the site as an app, in the language of the page that links it.

    Browsers ask for it without cookies, and so without the user's language.
    """
    language = request.GET.get("language", "")
    if language not in dict(settings.LANGUAGES):
        language = get_language()
    with translation.override(language):
        manifest = {
            "id": "/",
            "name": settings.SITE_NAME,
            "short_name": settings.SITE_NAME,
            "description": gettext("Board games by correspondence, one turn at a time."),
            "lang": language,
            "start_url": "/",
            "scope": "/",
            # With a button that goes back, where the browser knows how.
            "display": "standalone",
            "display_override": ["minimal-ui"],
            "background_color": "#f6f1e4",
            "theme_color": "#fdfaf1",
            "icons": [
                {"src": static(file), "sizes": sizes, "type": kind, "purpose": purpose}
                for file, sizes, kind, purpose in ICONS
            ],
        }
    return JsonResponse(manifest, content_type="application/manifest+json")


@cache
def _offline_page(language: str | None) -> str:
    with translation.override(language):
        context = {"site_name": settings.SITE_NAME, "kept_days": settings.SESSION_LIFETIME.days}
        return render_to_string("offline.html", context)


@cache
def _version() -> str:
    """Return what changes with the page for no network, and so makes browsers keep the new one."""
    pages = "".join(_offline_page(code) for code, _ in settings.LANGUAGES)
    return hashlib.sha256(pages.encode()).hexdigest()[:16]
