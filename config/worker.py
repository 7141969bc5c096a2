"""The worker without a broker (`manage.py drain`): runs periodic tasks when they are due.

Each queue has a thread of its own. In `manage.py serve` wake-ups tell them when to look. The queue
of the programs has a process of its own: thinking would keep the other threads waiting.
"""

import logging
import math
import threading
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from django.conf import settings
from django.db import close_old_connections, connections
from django.utils.module_loading import import_string

from accounts.server_time import server_now
from config.local_wakeups import LOOK_EVERY, LocalWakeups, woken_tasks
from config.schedule import PROGRAMS_QUEUE, QUEUES
from games.services import thinking
from games.services.clock.outages import record_start
from notifications.outbox import delivery

log = logging.getLogger(__name__)

THREADS = {PROGRAMS_QUEUE: 2}
"""How many threads a queue has, where that is not one: of those that think, one is for turns that
are chosen quickly."""

MAX_REPEATS = 50
"""How often one task is repeated before it is the turn of the others."""

MAX_SECONDS = 60.0
"""Seconds after which it is not repeated either: the others include the heartbeat."""


@dataclass
class PeriodicTask:
    """A task to run every `seconds`; `work` returns how much it did.

    `busy_at` is when it last had something to do, infinite while it runs.
    """

    name: str
    work: Callable[[], int]
    seconds: float
    due: float = 0.0
    is_woken: bool = False
    busy_at: float = field(default_factory=time.monotonic)

    def run(self, stopping: threading.Event) -> int:
        """Work until nothing is left or the others have waited enough; return how much was done.

        An error is logged and counts as nothing done: the next run tries again.
        """
        done, until = 0, time.monotonic() + MAX_SECONDS
        before, self.busy_at = self.busy_at, math.inf
        try:
            for _ in range(MAX_REPEATS):
                more = 0 if stopping.is_set() else self.work()
                done += more
                if not more or time.monotonic() > until:
                    break
        except Exception:
            log.exception("%s failed", self.name)
        finally:
            self.busy_at = time.monotonic() if done else before
            close_old_connections()
        return done


def periodic_tasks(queue: str) -> list[PeriodicTask]:
    """Return a queue's tasks; a Celery task that is called runs on the spot."""
    return [PeriodicTask(name, import_string(name), seconds) for name, seconds in QUEUES[queue]]


def threads_of(names: Iterable[str]) -> list[list[PeriodicTask]]:
    """Return the tasks of each thread that runs these queues."""
    return [periodic_tasks(name) for name in names for _thread in range(THREADS.get(name, 1))]


def run_woken(
    wakeups: LocalWakeups,
    names: Collection[str],
    stopping: threading.Event,
    rest_after: float | None = None,
) -> None:
    """Run the tasks of these queues as `manage.py drain` does, and those that are woken at once.

    Return when there was nothing to do for `rest_after` seconds.
    """
    note_start(names)
    queues = threads_of(names)
    look_every = min(LOOK_EVERY, settings.MAIL_HOLD.total_seconds() or LOOK_EVERY)
    for task in [task for queue in queues for task in queue if task.name in woken_tasks()]:
        task.seconds = max(task.seconds, look_every)
    run_queues(queues, stopping, wakeups, rest_after)


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


def run_queues(
    queues: Sequence[Sequence[PeriodicTask]],
    stopping: threading.Event,
    wakeups: LocalWakeups | None = None,
    rest_after: float | None = None,
) -> None:
    """Run one loop for each queue until `stopping` is set; return when all have ended.

    It is also set when no task had anything to do for `rest_after` seconds.

    Tasks run when they are due, and when `wakeups` says so. If one of the loops breaks, the others
    stop too and its error is raised.
    """
    looks = [threading.Event() for _ in queues]

    def run_queue(tasks: Sequence[PeriodicTask], look: threading.Event) -> None:
        try:
            run_forever(tasks, stopping, look)
        finally:
            stopping.set()
            connections.close_all()

    def look_at(name: str) -> None:
        for tasks, look in zip(queues, looks, strict=True):
            for task in tasks:
                if task.name == name:
                    task.is_woken = True
                    look.set()

    if wakeups:
        threading.Thread(target=wakeups.listen, args=[look_at], daemon=True).start()
    with ThreadPoolExecutor(len(queues), thread_name_prefix="drain") as threads:
        loops = [threads.submit(run_queue, *one) for one in zip(queues, looks, strict=True)]
        while not stopping.wait(rest_after):
            busy_at = max(task.busy_at for tasks in queues for task in tasks)
            if busy_at + (rest_after or 0) < time.monotonic():
                stopping.set()
        delivery.stopping.set()
        thinking.stopping.set()
        for look in looks:
            look.set()
    for loop in loops:
        loop.result()


def run_forever(
    tasks: Iterable[PeriodicTask], stopping: threading.Event, look: threading.Event | None = None
) -> None:
    """Run each task whenever it is due, until `stopping` is set; `look` ends the wait early."""
    tasks = list(tasks)
    look = look or stopping
    while not stopping.is_set():
        if look is not stopping:
            look.clear()  # before the look at what is due: what is set from now on ends the wait
        for task in tasks:
            if task.is_woken or task.due <= time.monotonic():
                task.is_woken = False  # before the run, which may miss what is written meanwhile
                task.run(stopping)
                task.due = time.monotonic() + task.seconds
        if stopping.is_set():
            break  # after the event was cleared, perhaps
        look.wait(max(0.0, min(task.due for task in tasks) - time.monotonic()))


def run_until_idle(tasks: Sequence[PeriodicTask], stopping: threading.Event) -> int:
    """Run the tasks in rounds until none finds anything to do; return how much was done."""
    total = 0
    while not stopping.is_set():
        done = sum(task.run(stopping) for task in tasks)
        total += done
        if not done:
            break
    return total
