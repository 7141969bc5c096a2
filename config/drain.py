"""The loops without a broker: do every chore when it is due, each queue in a thread of its own."""

import logging
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from django.db import close_old_connections, connections
from django.utils.module_loading import import_string

from config.schedule import QUEUES
from notifications.outbox import delivery

log = logging.getLogger(__name__)

AT_A_TIME = 50
"""How often one chore is repeated before the others have their turn."""

LONG = 60.0
"""Seconds after which it is not repeated either: the others include the sign of life."""


@dataclass
class PeriodicTask:
    """One thing to look at every `seconds`; `work` returns how much it did."""

    name: str
    work: Callable[[], int]
    seconds: float
    due: float = 0.0

    def run(self, stopping: threading.Event) -> int:
        """Work until nothing is left or the others have waited enough; return how much was done.

        An error is logged and counts as nothing done: the next look tries again.
        """
        done, until = 0, time.monotonic() + LONG
        try:
            for _ in range(AT_A_TIME):
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
    """Return a queue's chores; a Celery task that is called works on the spot."""
    return [PeriodicTask(name, import_string(name), seconds) for name, seconds in QUEUES[queue]]


def drain_queues(queues: Iterable[Iterable[PeriodicTask]], stopping: threading.Event) -> None:
    """Run one loop for each queue until `stopping` is set; return when all have ended.

    If one of them breaks, the others stop too and its error is raised.
    """
    queues = list(queues)
    with ThreadPoolExecutor(len(queues), thread_name_prefix="drain") as threads:
        loops = [threads.submit(_drain_queue, work, stopping) for work in queues]
        stopping.wait()
        delivery.stopping.set()
    for loop in loops:
        loop.result()


def _drain_queue(work: Iterable[PeriodicTask], stopping: threading.Event) -> None:
    try:
        drain_forever(work, stopping)
    finally:
        stopping.set()
        connections.close_all()


def drain_forever(work: Iterable[PeriodicTask], stopping: threading.Event) -> None:
    """Do each chore whenever it is due, until `stopping` is set."""
    work = list(work)
    while not stopping.is_set():
        for chore in work:
            if chore.due <= time.monotonic():
                chore.run(stopping)
                chore.due = time.monotonic() + chore.seconds
        stopping.wait(max(0.0, min(chore.due for chore in work) - time.monotonic()))


def drain_once(work: Iterable[PeriodicTask], stopping: threading.Event) -> int:
    """Do the chores round and round until none finds anything; return how much was done."""
    work = list(work)
    total = 0
    while not stopping.is_set():
        done = sum(chore.run(stopping) for chore in work)
        total += done
        if not done:
            break
    return total
