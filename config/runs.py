"""Records when each periodic task last ran, and warns of those that are late."""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import DatabaseError, InterfaceError, connection
from django.db.models import F
from django.db.models.functions import Now
from prometheus_client import Histogram

from accounts.server_time import is_clock_right
from config.schedule import PERIODIC_TASKS, late_after
from games.services.batches import drop_broken_connection
from notifications.tokens import redact_tokens

log = logging.getLogger(__name__)

SECONDS = Histogram(
    "pli_chore_seconds", "Runs of periodic tasks: done, idle or failed.", ["name", "result"]
)

WRITE_EVERY = 5.0
"""Seconds between two writes of one task's successes by one process."""

WARN_EVERY = 60.0
"""Seconds between two checks for late tasks by one process."""

GRACE = 180.0
"""Seconds after the start of a process before it checks: all was late while it was down."""

LONGEST_ERROR = 500
"""Characters."""


@dataclass(frozen=True)
class LateTask:
    """A periodic task without a success for longer than `late_after`.

    `since` is the time of its last success, None without any.
    """

    name: str
    since: datetime | None


class TaskRuns:
    """The runs of this process. Times are `time.monotonic`."""

    def __init__(self, grace: float = GRACE) -> None:
        self._lock = threading.Lock()
        self.reset(grace)

    def reset(self, grace: float = GRACE) -> None:
        """Forget everything; check for late tasks only after `grace` seconds."""
        self._finished: dict[str, float] = {}
        self._written: dict[str, float] = {}
        self._look_at = time.monotonic() + grace

    def seconds_since(self, name: str) -> float:
        """Return how long ago the last run of a task ended here; infinity before the first."""
        ended = self._finished.get(name)
        return float("inf") if ended is None else time.monotonic() - ended

    def run(self, name: str, work: Callable[[], int]) -> int:
        """Do a task's work and record the run; return what it returns. Raises what it raises.

        Where this machine's clock is wrong nothing is done, and 0 returned.
        """
        began = time.monotonic()
        try:
            connection.ensure_connection()  # a new one compares this machine's clock
            if not is_clock_right():
                connection.close()  # the next run compares again
                return 0
            done = work()
        except Exception as error:
            _report(name, "failed", 0, time.monotonic() - began)
            self._finished[name] = time.monotonic()
            message = redact_tokens(f"{type(error).__name__}: {error}")[:LONGEST_ERROR]
            drop_broken_connection()  # the run may have lost it
            _write(name, {"failed_at": Now(), "error": message})
            raise
        else:
            now = time.monotonic()
            _report(name, "done" if done else "idle", done, now - began)
            self._finished[name] = now
            if now - self._written.get(name, -WRITE_EVERY) >= WRITE_EVERY:
                self._written[name] = now
                _write(name, {"succeeded_at": Now(), "seconds": now - began})
            return done
        finally:
            self._warn_of_late_tasks()

    def _warn_of_late_tasks(self) -> None:
        """Warn of every late task, at most once in WARN_EVERY."""
        with self._lock:
            if time.monotonic() < self._look_at:
                return
            self._look_at = time.monotonic() + WARN_EVERY
        try:
            for late in late_tasks():
                log.warning("%s has not succeeded since %s", late.name, late.since or "ever")
        except (DatabaseError, InterfaceError) as error:
            log.warning("which periodic tasks are late could not be read: %s", error)


runs = TaskRuns()
"""This process's own."""


def _report(name: str, result: str, done: int, seconds: float) -> None:
    """Count a run and log a line; runs that found nothing to do are logged at DEBUG alone."""
    SECONDS.labels(name, result).observe(seconds)
    level = logging.DEBUG if result == "idle" else logging.INFO
    fields = {"chore": name, "result": result, "done": done, "seconds": round(seconds, 3)}
    log.log(level, "%s %s: %d in %.3f s", name, result, done, seconds, extra=fields)


def _write(name: str, fields: dict[str, Any]) -> None:
    """Write to a task's row. If only this fails, the task has not failed."""
    # Imported here: Celery's app, which uses this module, exists before there are models.
    from config.models import ChoreRun

    try:
        if not ChoreRun.objects.filter(name=name).update(**fields):
            ChoreRun.objects.create(name=name, **fields)
    except (DatabaseError, InterfaceError) as error:
        log.warning("the run of %s could not be recorded: %s", name, error)


def late_tasks() -> list[LateTask]:
    """Return the tasks that are late by the database's clock, in the schedule's order."""
    from config.models import ChoreRun

    rows = ChoreRun.objects.annotate(age=Now() - F("succeeded_at"))
    newest = {name: (at, age) for name, at, age in rows.values_list("name", "succeeded_at", "age")}
    found = []
    for name, _ in PERIODIC_TASKS:
        succeeded_at, age = newest.get(name, (None, None))
        if age is None or age > timedelta(seconds=late_after(name)):
            found.append(LateTask(name, succeeded_at))
    return found
