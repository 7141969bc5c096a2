"""What every page says to everybody: the announcements of the hosts, and that the house is closed.

Kept in the memory of each process for `settings.HOUSE_NEWS_KEPT` seconds, so that a page costs no
question. Whoever changes any of it calls `forget`: that process shows it at once, the others when
what they keep is that old.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from django.conf import settings
from django.core.cache import caches

from games.models import Announcement, Outage
from games.services.maintenance import standing_maintenance

_KEY = "house"


@dataclass(frozen=True)
class HouseNews:
    """What is told: the maintenance that lasts, and announcements, whichever began first before."""

    closed: Outage | None
    announcements: Sequence[Announcement]


def house_news(now: datetime) -> HouseNews:
    """Return what every page says now."""
    kept: HouseNews | None = caches["near"].get(_KEY)
    if kept is None:
        kept = HouseNews(standing_maintenance(), _to_come(now))
        caches["near"].set(_KEY, kept, settings.HOUSE_NEWS_KEPT)
    valid = [one for one in kept.announcements if one.from_at <= now < one.until]
    return HouseNews(kept.closed, valid)


def _to_come(now: datetime) -> list[Announcement]:
    """Return what is, or will be, announced: one that is kept begins to the second."""
    return list(Announcement.objects.filter(until__gt=now).order_by("from_at", "pk"))


def forget() -> None:
    """Let the next page of this process ask anew."""
    caches["near"].delete(_KEY)


def mark_of(announcement: Announcement) -> str:
    """Return what a browser remembers of a dismissed announcement; other words, another mark."""
    said = f"{announcement.pk}:{announcement.english}:{announcement.french}"
    return sha256(said.encode()).hexdigest()[:12]
