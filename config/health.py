"""Whether the service works: what /readyz, /metrics and `manage.py health` report."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Min
from django.db.models.functions import Coalesce

from accounts.server_time import MOST_SKEW, clock_skew, measure_clock, server_now
from games.models import Game, Heartbeat
from games.services.clock.service_checks import are_held
from games.services.site_status import is_closed
from notifications.models import IncomingMail, Notice

MOST_LATE = 60.0
"""Seconds after which a due deadline must have been dealt with."""

MOST_WAITING = 900.0
"""Seconds after which a mail, in or out, waits too long."""

MOST_SILENT = 180.0
"""Seconds after which a missing heartbeat means that no periodic task runs."""

LIMITS = {
    "oldest_due_deadline_seconds": (MOST_LATE, "deadlines", "A deadline passed {} s ago."),
    "outbox_oldest_due_seconds": (MOST_WAITING, "outbox", "A mail has been due for {} s."),
    "inbox_oldest_seconds": (MOST_WAITING, "inbox", "A mail came in {} s ago, unread."),
    "heartbeat_age_seconds": (MOST_SILENT, "heartbeat", "No periodic task ran for {} s."),
}
"""For each age: the most that is accepted, the problem's name, and its sentence."""

SERVICES: Mapping[int, tuple[str, str]] = {
    Heartbeat.Of.PAGES: ("pages", "Pages do not answer at {} for {} s."),
    Heartbeat.Of.MAIL_IN: ("mail_in", "Mail cannot come in at {} for {} s."),
}
"""For what the periodic tasks ask: the problem's name, and its sentence."""

LEAST_FREE = 200 * 1024 * 1024
"""Bytes that must be free where PLI_VAR is."""


@dataclass(frozen=True)
class Health:
    """What was measured (None: it could not be), and what is wrong, in a sentence by its name.

    All ages are in seconds, and 0 where nothing waits.
    """

    values: dict[str, float | None]
    problems: dict[str, str]


def measure_health() -> Health:
    """Measure everything; a database that does not answer is a problem like the others."""
    problems: dict[str, str] = {}
    values: dict[str, float | None] = {}
    try:
        measure_clock(connection)
        now = server_now()
        beats = Heartbeat.objects.in_bulk()
        values |= _measure_queues(now, beats.get(Heartbeat.Of.PERIODIC_TASKS))
        for which, (problem, sentence) in SERVICES.items():
            beat = beats.get(which)
            unanswered = _unanswered(beat, now) if beat is not None else None
            values[f"{problem}_unanswered_seconds"] = unanswered
            if beat is not None and unanswered:
                problems[problem] = sentence.format(beat.address, round(unanswered))
        problems |= _compare_migrations()
    except (DatabaseError, InterfaceError):
        problems["database"] = "The database does not answer."
        connection.close_if_unusable_or_obsolete()
    values["clock_skew_seconds"] = skew = clock_skew().total_seconds()
    values["disk_free_bytes"] = free = float(shutil.disk_usage(settings.VAR_DIR).free)
    for name, (most, problem, sentence) in LIMITS.items():
        value = values.get(name)
        if value is not None and value > most:
            problems[problem] = sentence.format(round(value))
    if abs(skew) > MOST_SKEW.total_seconds():
        problems["clock"] = f"This machine's clock is {skew:+.1f} s off the database's."
    if free < LEAST_FREE:
        problems["disk"] = f"Only {free / 1024 / 1024:.0f} MB are free in PLI_VAR."
    return Health(values, problems)


def _unanswered(beat: Heartbeat, now: datetime) -> float | None:
    """Return for how many seconds a service has not answered; None if nobody asks it any more."""
    if not beat.is_asked(now):
        return None
    return 0.0 if beat.failing_since is None else max(1.0, (now - beat.at).total_seconds())


def _measure_queues(now: datetime, beat: Heartbeat | None) -> dict[str, float | None]:
    """Return the ages of what waits longest in each queue, and of the last heartbeat."""
    # During maintenance deadlines and incoming mail wait on purpose.
    closed = is_closed()
    waiting_notices, due_mail = Notice.objects.waiting(), IncomingMail.objects.due(now)
    past = Game.objects.filter(deadline__lt=now).order_by("deadline")
    late = past.values_list("deadline", flat=True).first()
    oldest = {
        "oldest_due_deadline_seconds": None if late and are_held(now=now) else late,
        "outbox_oldest_due_seconds": waiting_notices.filter(due_at__lt=now)
        .order_by("due_at")
        .values_list("due_at", flat=True)
        .first(),
        "inbox_oldest_seconds": None
        if closed
        else due_mail.aggregate(since=Min(Coalesce("due_at", "received_at")))["since"],
    }
    return {
        **{name: (now - since).total_seconds() if since else 0.0 for name, since in oldest.items()},
        "heartbeat_age_seconds": max(0.0, (now - beat.at).total_seconds()) if beat else None,
    }


@cache
def _known_migrations() -> frozenset[tuple[str, str]]:
    """Return the migrations that this version of Pli has (read once: it imports all of them)."""
    return frozenset(MigrationLoader(None, ignore_no_migrations=True).disk_migrations)


def _compare_migrations() -> dict[str, str]:
    """Return what is wrong where the database's migrations are not those of this version."""
    problems = {}
    applied = set(MigrationRecorder(connection).applied_migrations())
    known = _known_migrations()
    apps = {app for app, _ in known}
    if missing := known - applied:
        problems["migrations"] = f"The database lacks {len(missing)} migrations: run migrate."
    if newer := [one for one in applied - known if one[0] in apps]:
        problems["version"] = (
            f"The database has {len(newer)} newer migrations: restart this process with the "
            "version that made them."
        )
    return problems
