"""When clocks do not run: players' vacations, and when this service was down or closed.

All of it is read with one statement: every turn and every page of a game needs it.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time
from typing import Self

from django.db import connection

from accounts.models import User
from accounts.models.vacation import absence_end
from accounts.sql import time_from_sql, time_to_sql
from games.clock.clock import Availability, ReminderSettings
from games.clock.spans import Span, merge_spans
from games.clock.weekly_schedule import WeeklySchedule
from games.models import Game, Outage
from games.models.outage import LONGEST_SILENCE, STALE_CHECK

NIGHT = (time(22), time(8))
"""The night of a player who has no quiet hours, by their own clock."""


@dataclass(frozen=True)
class Interruptions:
    """Vacations by user key, sorted; when this service did not work, where None is not over yet.

    `is_closed` tells whether the site is closed for maintenance.
    """

    vacations: Mapping[int, Sequence[Span]]
    breaks: Sequence[tuple[datetime, datetime | None]]
    is_closed: bool

    def since(self, moment: datetime) -> Self:
        """Return what would have been read since `moment`, which is later than it was read.

        A vacation or outage that ended before a clock was started must not move its deadline.
        """
        vacations = {
            user: [span for span in spans if span.end > moment]
            for user, spans in self.vacations.items()
        }
        breaks = [(began, ended) for began, ended in self.breaks if not ended or ended > moment]
        return replace(self, vacations=vacations, breaks=breaks)

    def outages(self, now: datetime) -> tuple[Span, ...]:
        """Return when this service did not work, in order; what still goes on ends now."""
        spans = (Span(began, ended or now) for began, ended in self.breaks)
        return tuple(merge_spans(sorted(spans)))

    def availability_of(self, game: Game, player: User | None, now: datetime) -> Availability:
        """Return what the clock of a game depends on, where `player` is to move."""
        vacations: Sequence[Span] = ()
        if player is not None and game.allows_vacations:
            vacations = self.vacations.get(player.pk, ())
        return availability_with(player, vacations, self.outages(now))

    def away_until(self, user_id: int | None, now: datetime) -> datetime | None:
        """Return when a user who is on vacation now comes back; None if they are not away."""
        spans = self.vacations.get(user_id, ()) if user_id is not None else ()
        return absence_end(((span.start, span.end) for span in spans), now)


def counted_since(game: Game, now: datetime) -> datetime:
    """Return since when interruptions matter to a game's clock."""
    return game.clock_started_at or game.stopped_at or now


def read_interruptions(users: Collection[int], *, since: datetime, now: datetime) -> Interruptions:
    """Return what ended after `since` or goes on, with the vacations of these users (keys).

    A gap since the last heartbeat counts before a periodic task has recorded it.
    """
    values: dict[str, str | datetime | int] = {
        "since": time_to_sql(since),
        "now": time_to_sql(now),
        "long_ago": time_to_sql(now - LONGEST_SILENCE),
        "asked_since": time_to_sql(now - STALE_CHECK),
    }
    keys = [f"user_{number}" for number in range(len(users))]
    statement = _STATEMENT.format(users=", ".join(f"%({key})s" for key in keys) or "NULL")
    with connection.cursor() as cursor:
        cursor.execute(statement, values | dict(zip(keys, users, strict=True)))
        rows = cursor.fetchall()
    vacations: defaultdict[int, list[Span]] = defaultdict(list)
    breaks = []
    is_closed = False
    for user_id, kind, began_at, ended_at in rows:
        began, ended = time_from_sql(began_at), time_from_sql(ended_at)
        assert began is not None  # noqa: S101  (columns that are never null)
        if user_id is None:
            breaks.append((began, ended))
            is_closed = is_closed or (kind == Outage.Kind.MAINTENANCE and ended is None)
        elif ended is not None:
            vacations[user_id].append(Span(began, ended))
    return Interruptions(
        {user: sorted(spans) for user, spans in vacations.items()}, breaks, is_closed
    )


_STATEMENT = """
SELECT user_id, 'vacation', begins_at, ends_at FROM accounts_vacation
WHERE user_id IN ({users}) AND ends_at > %(since)s
UNION ALL
SELECT NULL, kind, began_at, ended_at FROM games_outage
WHERE ended_at > %(since)s OR ended_at IS NULL
UNION ALL
SELECT NULL, 'silence', at, NULL FROM games_heartbeat
WHERE (id = 1 AND at < %(long_ago)s)
   OR (at < %(now)s AND asked_at > %(asked_since)s AND has_answered AND failing_since IS NOT NULL)
"""
"""The heartbeats are those of the periodic tasks (1), and `HeartbeatQuerySet.failing`."""


def availability_with(
    player: User | None, vacations: Iterable[Span], outages: Iterable[Span]
) -> Availability:
    """Return what a clock depends on, given sorted vacations and outages since it was started."""
    reminders = nights = None
    if player is not None and not player.is_bot:
        quiet = (player.quiet_from, player.quiet_until)
        hours = NIGHT if None in quiet else quiet
        nights = WeeklySchedule(player.zone.key, frozenset(), *hours)
        quiet_nights = None if player.reminders_at_night else nights
        reminders = ReminderSettings(tuple(player.reminders), quiet_nights)
    return Availability(tuple(vacations), tuple(outages), reminders, nights)


def schedule_of(player: User) -> WeeklySchedule:
    """Return a player's days off and quiet hours as they are now."""
    days = frozenset(player.days_off)
    return WeeklySchedule(player.zone.key, days, player.quiet_from, player.quiet_until)
