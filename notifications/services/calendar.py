"""A person's deadlines and vacations as a calendar (RFC 5545).

Every time is in UTC, so that no time zone need be described. An entry keeps its UID; when its time
moves SEQUENCE grows. Nothing depends on when the calendar is read: read twice it is the same.
"""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _
from icalendar import Calendar, Event, vDuration

from accounts.models import User, Vacation
from games.clock.calendar_days import is_whole_days, local_time
from games.models import Game
from games.queries import opponents_of
from notifications.services.emails.names import plain

READ_AGAIN = timedelta(hours=1)
"""How often calendar programs are asked to look again."""

KEPT = timedelta(days=366)
"""How long a vacation that is over stays in the calendar."""


def calendar_of(user: User, *, now: datetime) -> bytes:
    """Return a person's calendar in their language: their own turns, their own vacations."""
    with translation.override(user.language):
        calendar = _empty(user)
        for entry in (*_deadlines(user), *_vacations(user, now)):
            calendar.add_component(entry)
        return calendar.to_ical()


def _empty(user: User) -> Calendar:
    calendar = Calendar()
    calendar.add("version", "2.0")
    calendar.add("prodid", f"-//{settings.SITE_NAME}//{settings.MAIL_DOMAIN}//")
    calendar.add("calscale", "GREGORIAN")
    calendar.add("method", "PUBLISH")
    name = _("%(site)s: your turns") % {"site": settings.SITE_NAME}
    calendar.add("name", name)
    calendar.add("x-wr-calname", name)
    calendar.add("refresh-interval", vDuration(READ_AGAIN), parameters={"VALUE": "DURATION"})
    calendar.add("x-published-ttl", vDuration(READ_AGAIN))
    return calendar


def _deadlines(user: User) -> Iterable[Event]:
    turns = Game.objects.awaiting(user.pk).filter(deadline__isnull=False).order_by("pk")
    for game in turns.prefetch_related("seats__user", "seats__played_by_partner"):
        if game.deadline is not None and game.started_at is not None:
            yield _deadline(game, user, game.deadline, game.started_at)


def _deadline(game: Game, user: User, deadline: datetime, started_at: datetime) -> Event:
    """Return the end of a turn's time. SEQUENCE is the age of the game as its deadline moved."""
    changed = game.deadline_set_at or started_at
    opponents = ", ".join(plain(person) for person in opponents_of(game, user))
    entry = _entry(
        f"turn-{game.pk}-{game.turn_number}",
        changed,
        int((changed - started_at).total_seconds()),
    )
    names = {"game": _(game.rules.name), "opponents": opponents, "number": game.pk}
    entry.add("summary", _("Your turn ends: %(game)s with %(opponents)s") % names)
    entry.add("description", _("The time for your turn in game %(number)s is over then.") % names)
    entry.add("dtstart", deadline.astimezone(UTC).replace(microsecond=0))
    entry.add("url", settings.SITE_URL + game.get_absolute_url())
    entry.add("transp", "TRANSPARENT")
    return entry


def _vacations(user: User, now: datetime) -> Iterable[Event]:
    for vacation in Vacation.objects.filter(user=user, ends_at__gt=now - KEPT):
        changed = vacation.ended_early_at or vacation.announced_at
        entry = _entry(f"vacation-{vacation.pk}", changed, int(bool(vacation.ended_early_at)))
        entry.add("summary", _("Vacation: your clock is stopped"))
        begins_at, ends_at = vacation.begins_at.astimezone(UTC), vacation.ends_at.astimezone(UTC)
        if is_whole_days(begins_at, ends_at, user.zone.key):
            entry.add("dtstart", local_time(begins_at, user.zone.key).date())
            entry.add("dtend", local_time(ends_at, user.zone.key).date())
        else:
            start, end = begins_at.replace(microsecond=0), ends_at.replace(microsecond=0)
            entry.add("dtstart", start)
            entry.add("dtend", max(end, start + timedelta(seconds=1)))  # never empty
        entry.add("transp", "TRANSPARENT")
        yield entry


def _entry(name: str, changed: datetime, sequence: int) -> Event:
    moment = changed.astimezone(UTC).replace(microsecond=0)
    entry = Event()
    entry.add("uid", f"{name}@{settings.MAIL_DOMAIN}")
    entry.add("dtstamp", moment)
    entry.add("last-modified", moment)
    entry.add("sequence", sequence)
    return entry
