"""What every page tells its reader."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from accounts.server_time import server_now
from games.services.site_status import dismissal_key, site_status

DISMISSED = f"{settings.COOKIE_PREFIX}dismissed"
"""The cookie that remembers, until the browser is closed, which announcements are shown no more."""


def dismissed(request: HttpRequest) -> list[str]:
    """Return the marks of the announcements that this browser shows no more."""
    return [mark for mark in request.COOKIES.get(DISMISSED, "").split(".") if mark]


def site_notices(request: HttpRequest) -> dict[str, object]:
    """Return the announcements, and whether the site is closed; looked up once a page asks."""
    return {"site_status": SimpleLazyObject(lambda: _visible_notices(request))}


def _visible_notices(request: HttpRequest) -> dict[str, Any]:
    news = site_status(server_now())
    marked = [(dismissal_key(one), one) for one in news.announcements]
    gone = dismissed(request)
    return {
        "closed": news.closed,
        "announcements": [(mark, one) for mark, one in marked if mark not in gone],
    }
