"""Whether the site is closed for maintenance, and what every page shows of it and announces.

Reading works during maintenance, writing waits: services ask the database (`check_open`). For
pages, each process keeps the answer for `settings.SITE_STATUS_SECONDS` seconds: a page costs no
query. A change calls `clear_site_status`: that process shows it at once, the others later.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from django.conf import settings
from django.core.cache import caches

from games import errors
from games.models import Announcement, Outage

_KEY = "site-status"


def is_closed() -> bool:
    """Tell whether the site is closed for maintenance."""
    return Outage.current_maintenance() is not None


def check_open() -> None:
    """Raise ClosedForMaintenance while the site is closed for maintenance."""
    maintenance = Outage.current_maintenance()
    if maintenance is not None:
        raise errors.ClosedForMaintenance(note=maintenance.note)


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
