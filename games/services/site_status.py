"""What every page shows: announcements of administrators, and whether the site is closed.

Each process remembers it for `settings.HOUSE_NEWS_KEPT` seconds, so that a page costs no query.
A change calls `clear_site_status`: that process shows it at once, the others after that time.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from django.conf import settings
from django.core.cache import caches

from games.models import Announcement, Outage

_KEY = "house"


@dataclass(frozen=True)
class SiteStatus:
    """What is told: the maintenance that lasts, and announcements, whichever began first before."""

    closed: Outage | None
    announcements: Sequence[Announcement]


def site_status(now: datetime) -> SiteStatus:
    """Return what every page says now."""
    kept: SiteStatus | None = caches["near"].get(_KEY)
    if kept is None:
        kept = SiteStatus(Outage.current_maintenance(), _to_come(now))
        caches["near"].set(_KEY, kept, settings.HOUSE_NEWS_KEPT)
    valid = [one for one in kept.announcements if one.from_at <= now < one.until]
    return SiteStatus(kept.closed, valid)


def _to_come(now: datetime) -> list[Announcement]:
    """Return what is, or will be, announced: one that is kept begins to the second."""
    return list(Announcement.objects.filter(until__gt=now).order_by("from_at", "pk"))


def clear_site_status() -> None:
    """Let the next page of this process ask anew."""
    caches["near"].delete(_KEY)


def dismissal_key(announcement: Announcement) -> str:
    """Return what a browser remembers of a dismissed announcement; other words, another mark."""
    said = f"{announcement.pk}:{announcement.english}:{announcement.french}"
    return sha256(said.encode()).hexdigest()[:12]
