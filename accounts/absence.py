"""Who is away, and until when: what everybody may know of it."""

from collections.abc import Iterable
from datetime import datetime

from accounts.models import Vacation


def away_until(user_ids: Iterable[int | None], now: datetime) -> dict[int, datetime]:
    """Return when those who are away now come back, by their number; one query in all.

    Vacations that follow each other without a gap are one absence.
    """
    wanted = {pk for pk in user_ids if pk is not None}
    later = Vacation.objects.filter(user__in=wanted, ends_at__gt=now).order_by("begins_at")
    back: dict[int, datetime] = {}
    for user_id, begins_at, ends_at in later.values_list("user_id", "begins_at", "ends_at"):
        if begins_at <= back.get(user_id, now):
            back[user_id] = ends_at
    return back
