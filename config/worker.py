"""The worker without a broker (`manage.py drain`): runs periodic tasks when they are due.

Each queue has a thread of its own.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from django.db import close_old_connections, connections
from django.utils.module_loading import import_string

from accounts.server_time import server_now
from config.schedule import QUEUES
from games.services.clock.outages import record_start
from notifications.outbox import delivery

log = logging.getLogger(__name__)

MAX_REPEATS = 50
"""How often one task is repeated before it is the turn of the others."""

MAX_SECONDS = 60.0
"""Seconds after which it is not repeated either: the others include the heartbeat."""


@dataclass
class PeriodicTask:
    """A task to run every `seconds`; `work` returns how much it did."""

    name: str
    work: Callable[[], int]
    seconds: float
    due: float = 0.0

    def run(self, stopping: threading.Event) -> int:
        """Work until nothing is left or the others have waited enough; return how much was done.

        An error is logged and counts as nothing done: the next run tries again.
        """
        done, until = 0, time.monotonic() + MAX_SECONDS
        try:
            for _ in range(MAX_REPEATS):
                more = 0 if stopping.is_set() else self.work()
                done += more
                if not more or time.monotonic() > until:
                    break
        except Exception:
            log.exception("%s failed", self.name)
        finally:
            close_old_connections()
        return done


def periodic_tasks(queue: str) -> list[PeriodicTask]:
    """Return a queue's tasks; a Celery task that is called runs on the spot."""
    return [PeriodicTask(name, import_string(name), seconds) for name, seconds in QUEUES[queue]]


def note_start(queues: Iterable[str]) -> None:
    """Record that a worker of these queues starts, if the clocks are among them.

    It starts in any case: an error is logged.
    """
    if "clocks" not in queues:
        return
    try:
        record_start(now=server_now())
    except Exception:
        log.exception("the start was not recorded")
    finally:
        connections.close_all()  # processes that are forked later must not share it


def run_queues(queues: Sequence[Iterable[PeriodicTask]], stopping: threading.Event) -> None:
    """Run one loop for each queue until `stopping` is set; return when all have ended.

    If one of them breaks, the others stop too and its error is raised.
    """

    def run_queue(tasks: Iterable[PeriodicTask]) -> None:
        try:
            run_forever(tasks, stopping)
        finally:
            stopping.set()
            connections.close_all()

    with ThreadPoolExecutor(len(queues), thread_name_prefix="drain") as threads:
        loops = [threads.submit(run_queue, tasks) for tasks in queues]
        stopping.wait()
        delivery.stopping.set()
    for loop in loops:
        loop.result()


def run_forever(tasks: Iterable[PeriodicTask], stopping: threading.Event) -> None:
    """Run each task whenever it is due, until `stopping` is set."""
    tasks = list(tasks)
    while not stopping.is_set():
        for task in tasks:
            if task.due <= time.monotonic():
                task.run(stopping)
                task.due = time.monotonic() + task.seconds
        stopping.wait(max(0.0, min(task.due for task in tasks) - time.monotonic()))


def run_until_idle(tasks: Sequence[PeriodicTask], stopping: threading.Event) -> int:
    """Run the tasks in rounds until none finds anything to do; return how much was done."""
    total = 0
    while not stopping.is_set():
        done = sum(task.run(stopping) for task in tasks)
        total += done
        if not done:
            break
    return total
