"""How long programs may think for a person on a day, and how long they have."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F

from accounts.models import User
from games.models import Game, ThinkingTime

GUEST_SECONDS = 300
"""What a guest has in a day: enough for a game against the best level."""

KEPT = timedelta(days=7)
"""How long it is remembered what programs used on a day."""


def people_of(game: Game) -> list[User]:
    """Return for whom programs think in a game: the people who play in it, or who made it.

    For the account of somebody's program that is its owner. Who has left the game has no part.
    """
    seats = [one for one in game.all_seats if one.left_at is None or one.played_by_partner]
    players = [seat.player for seat in seats if seat.player is not None]
    people = [one.owner or one for one in players if not one.is_played_here]
    people = people or [game.creator.owner or game.creator]
    return list({person.pk: person for person in people}.values())


def has_time_left(people: Sequence[User], *, now: datetime) -> bool:
    """Return whether one of these people has not used up what programs think for them in a day."""
    return any(seconds_left(person, now=now) > 0 for person in people)


def seconds_a_day(person: User | None) -> float:
    """Return for how many CPU seconds programs think for a person in a day; None: for a guest."""
    most: float = settings.THINKING_SECONDS_A_DAY
    return min(most, GUEST_SECONDS) if person is None or person.is_guest else most


def seconds_left(person: User, *, now: datetime) -> float:
    """Return for how many CPU seconds programs may think for a person until the day (UTC) ends."""
    used = ThinkingTime.objects.filter(user=person, day=_day(now)).values_list("seconds", flat=True)
    return max(0.0, seconds_a_day(person) - sum(used))


@transaction.atomic
def charge(people: Sequence[User], seconds: float, *, now: datetime) -> None:
    """Add CPU seconds to what programs used today for these people, to each an equal part."""
    day = _day(now)
    for person in sorted(people, key=lambda one: one.pk):
        ThinkingTime.objects.filter(user=person, day__lt=day - KEPT).delete()
        ThinkingTime.objects.get_or_create(user=person, day=day)
        found = ThinkingTime.objects.filter(user=person, day=day)
        found.update(seconds=F("seconds") + seconds / len(people))


def next_day(now: datetime) -> datetime:
    """Return when everybody has a day's thinking time again: at midnight, UTC."""
    return datetime.combine(_day(now) + timedelta(days=1), time(), UTC)


def _day(now: datetime) -> date:
    return now.astimezone(UTC).date()
