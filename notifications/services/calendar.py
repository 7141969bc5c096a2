"""A user's deadlines and vacations as a calendar (RFC 5545).

All times are in UTC, so that no time zone need be described. An entry keeps its UID; when its time
moves, SEQUENCE grows. Nothing depends on when the calendar is read: two reads give the same bytes.
"""

from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _
from icalendar import Calendar, Event, vDuration

from accounts.models import User, Vacation
from games.clock.calendar_days import is_whole_days, local_time
from games.models import Game
from games.models.undo import MARGIN
from games.queries.seats import opponents_of
from games.services.undo_window import end_undo, end_undo_of_ends
from notifications.emails.formatting import plain

REFRESH_INTERVAL = timedelta(hours=1)
"""How often calendar programs should read it again."""

KEEP_VACATIONS = timedelta(days=366)
"""How long past vacations stay in the calendar."""


def calendar_of(user: User, *, now: datetime) -> bytes:
    """Return a user's calendar in their language: their turns and their vacations."""
    with translation.override(user.language):
        calendar = Calendar()
        calendar.add("version", "2.0")
        calendar.add("prodid", f"-//{settings.SITE_NAME}//{settings.MAIL_DOMAIN}//")
        calendar.add("calscale", "GREGORIAN")
        calendar.add("method", "PUBLISH")
        name = _("%(site)s: your turns") % {"site": settings.SITE_NAME}
        calendar.add("name", name)
        calendar.add("x-wr-calname", name)
        refresh = vDuration(REFRESH_INTERVAL)
        calendar.add("refresh-interval", refresh, parameters={"VALUE": "DURATION"})
        calendar.add("x-published-ttl", vDuration(REFRESH_INTERVAL))
        turns = Game.objects.awaiting(user.pk).filter(deadline__isnull=False).order_by("pk")
        unseen = turns.exclude(undo_by=user).filter(undo_until__gt=now - MARGIN)
        end_undo(unseen.values_list("pk", flat=True))  # before they are read
        end_undo_of_ends(user, now=now)
        for game in turns.prefetch_related("seats__user", "seats__played_by_partner"):
            if game.deadline is not None and game.started_at is not None:
                calendar.add_component(deadline_entry(game, user, game.deadline, game.started_at))
        for vacation in Vacation.objects.filter(user=user, ends_at__gt=now - KEEP_VACATIONS):
            calendar.add_component(vacation_entry(vacation, user))
        return calendar.to_ical()


def deadline_entry(game: Game, user: User, deadline: datetime, started_at: datetime) -> Event:
    """Return the end of a turn's time. SEQUENCE is the game's age when its deadline was set."""
    changed = game.deadline_set_at or started_at
    age = int((changed - started_at).total_seconds())
    entry = new_entry(f"turn-{game.pk}-{game.turn_number}", changed, age)
    opponents = ", ".join(plain(player) for player in opponents_of(game, user))
    names = {"game": _(game.rules.name), "opponents": opponents, "number": game.pk}
    entry.add("summary", _("Your turn ends: %(game)s with %(opponents)s") % names)
    entry.add("description", _("The time for your turn in game %(number)s is over then.") % names)
    entry.add("dtstart", deadline.astimezone(UTC).replace(microsecond=0))
    entry.add("url", settings.SITE_URL + game.get_absolute_url())
    entry.add("transp", "TRANSPARENT")
    return entry


def vacation_entry(vacation: Vacation, user: User) -> Event:
    """Return a vacation: as whole days if it consists of them, else with its times."""
    changed = vacation.ended_early_at or vacation.announced_at
    entry = new_entry(f"vacation-{vacation.pk}", changed, int(bool(vacation.ended_early_at)))
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
    return entry


def new_entry(name: str, changed: datetime, sequence: int) -> Event:
    """Return an entry with its identity and version only."""
    moment = changed.astimezone(UTC).replace(microsecond=0)
    entry = Event()
    entry.add("uid", f"{name}@{settings.MAIL_DOMAIN}")
    entry.add("dtstamp", moment)
    entry.add("last-modified", moment)
    entry.add("sequence", sequence)
    return entry
