"""What every page tells its reader."""

from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import SimpleLazyObject

from games.services.house import house_news, mark_of

DISMISSED = "dismissed"
"""The cookie that remembers, until the browser is closed, which announcements are shown no more."""


def dismissed(request: HttpRequest) -> list[str]:
    """Return the marks of the announcements that this browser shows no more."""
    return [mark for mark in request.COOKIES.get(DISMISSED, "").split(".") if mark]


def house(request: HttpRequest) -> dict[str, object]:
    """Return what hosts announce, and whether the house is closed, once a page asks."""
    return {"house": SimpleLazyObject(lambda: _house(request))}


def _house(request: HttpRequest) -> dict[str, Any]:
    news = house_news(timezone.now())
    marked = [(mark_of(one), one) for one in news.announcements]
    gone = dismissed(request)
    return {
        "closed": news.closed,
        "announcements": [(mark, one) for mark, one in marked if mark not in gone],
    }
