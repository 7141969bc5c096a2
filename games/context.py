"""What every page says about the site, and about the games of its reader."""

from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from accounts.models import User
from accounts.server_time import server_now
from games.queries.seats import count_awaiting
from games.services.site_status import dismissal_key, site_status

DISMISSED = f"{settings.COOKIE_PREFIX}dismissed"
"""The cookie with the announcements that are hidden until the browser is closed."""


def dismissed(request: HttpRequest) -> list[str]:
    """Return the marks of the announcements that this browser hides."""
    return [mark for mark in request.COOKIES.get(DISMISSED, "").split(".") if mark]


def site_notices(request: HttpRequest) -> dict[str, object]:
    """Return announcements, and whether the site is closed, once a template asks."""

    def notices() -> dict[str, Any]:
        status = site_status(server_now())
        marked = [(dismissal_key(one), one) for one in status.announcements]
        hidden = dismissed(request)
        return {
            "closed": status.closed,
            "announcements": [(mark, one) for mark, one in marked if mark not in hidden],
        }

    return {"site_notices": SimpleLazyObject(notices)}


def awaiting_games(request: HttpRequest) -> dict[str, object]:
    """Return how many games wait for the user, counted once a template asks.

    Views that have read the number for other reasons give it themselves.
    """

    @cache
    def count() -> int:
        user = getattr(request, "user", None)
        return count_awaiting(user) if isinstance(user, User) else 0

    return {"awaiting_count": count}
