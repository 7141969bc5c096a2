"""What every page's template knows."""

from django.conf import settings
from django.http import HttpRequest


def site(request: HttpRequest) -> dict[str, object]:
    """Return this place's name and whether the letterbox is open."""
    return {
        "site_name": settings.SITE_NAME,
        "letterbox_open": settings.DEBUG and settings.LETTERBOX_DIR is not None,
    }
