"""What every page's template knows."""

from django.conf import settings
from django.http import HttpRequest


def site(request: HttpRequest) -> dict[str, object]:
    """Return the site's name and address, and whether the letterbox is open."""
    return {
        "site_name": settings.SITE_NAME,
        "site_url": settings.SITE_URL,
        "letterbox_open": settings.DEBUG and settings.LETTERBOX_DIR is not None,
    }
