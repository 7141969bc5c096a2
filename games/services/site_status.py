"""What every page shows: announcements of administrators, and whether the site is closed.

Each process remembers it for `settings.SITE_STATUS_SECONDS` seconds, so that a page costs no query.
A change calls `clear_site_status`: that process shows it at once, the others after that time.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from django.conf import settings
from django.core.cache import caches

from games.models import Announcement, Outage

_KEY = "site-status"


@dataclass(frozen=True)
class SiteStatus:
    """The ongoing maintenance, if any, and the announcements ordered by start."""

    closed: Outage | None
    announcements: Sequence[Announcement]


def site_status(now: datetime) -> SiteStatus:
    """Return what every page shows now."""
    kept: SiteStatus | None = caches["near"].get(_KEY)
    if kept is None:
        # Those that begin later, too: kept, they begin to the second.
        announcements = Announcement.objects.filter(until__gt=now).order_by("from_at", "pk")
        kept = SiteStatus(Outage.current_maintenance(), list(announcements))
        caches["near"].set(_KEY, kept, settings.SITE_STATUS_SECONDS)
    valid = [one for one in kept.announcements if one.from_at <= now < one.until]
    return SiteStatus(kept.closed, valid)


def clear_site_status() -> None:
    """Forget what is kept: the next page of this process asks the database."""
    caches["near"].delete(_KEY)


def dismissal_key(announcement: Announcement) -> str:
    """Return the key of a dismissed announcement in the browser; it depends on the text, too."""
    text = f"{announcement.pk}:{announcement.english}:{announcement.french}"
    return sha256(text.encode()).hexdigest()[:12]
