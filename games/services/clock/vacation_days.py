"""The days of vacation that a player has each calendar year."""

from collections import Counter
from datetime import datetime, timedelta

from django.conf import settings

from accounts.models import User, Vacation
from games.clock.calendar_days import days_by_year


def allowed() -> timedelta:
    """Return how much vacation a calendar year has."""
    return timedelta(days=settings.VACATION_DAYS_A_YEAR)


def used(user: User) -> dict[int, timedelta]:
    """Return how much vacation a player has taken or announced, by calendar year."""
    total: Counter[int] = Counter()
    for vacation in Vacation.objects.filter(user=user):
        parts = days_by_year(vacation.begins_at, vacation.ends_at, vacation.zone)
        total.update({year: part // timedelta.resolution for year, part in parts.items()})
    return {year: count * timedelta.resolution for year, count in total.items()}


def overdrawn(user: User, begins_at: datetime, ends_at: datetime) -> tuple[int, timedelta] | None:
    """Return the first year that has too little left for one more vacation, and what it has."""
    taken = used(user)
    for year, part in days_by_year(begins_at, ends_at, user.zone.key).items():
        left = max(timedelta(), allowed() - taken.get(year, timedelta()))
        if part > left:
            return year, left
    return None
