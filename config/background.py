"""The processes that `manage.py serve` forks besides its web server, and what they share."""

import gc
import logging
import sys
from importlib import import_module

from django.core.management import CommandError, call_command
from django.db import connections
from django.urls import get_resolver

from config.local_wakeups import LocalWakeups
from config.processes import (
    LOOK_EVERY,
    STOP_TIMEOUT,
    ForkedProcess,
    limit_thinking,
    name_process,
    stop_on_signals,
)
from config.schedule import PROGRAMS_QUEUE, QUEUES
from config.timeouts import ProcessRole, set_process_role

log = logging.getLogger(__name__)

PAUSE_AFTER_DEATH = 5.0
"""Seconds before a process that died while it thought for programs is started again."""

REST_AFTER = 10.0
"""Seconds without a turn of a program after which the process that thinks ends, to be started again
by the next one: while it waits it costs as much memory as one that makes pages."""


def load_everything() -> None:
    """Load what the processes need, so that they share it once they are forked.

    Closes all connections to the database.
    """
    # Imported here, as below: `manage.py health` loads this file and runs no tasks.
    from config.worker import periodic_tasks

    for pattern in get_resolver().url_patterns:
        getattr(pattern, "url_patterns", None)  # included ones are loaded when they are asked for
    for queue in QUEUES:
        periodic_tasks(queue)
    import_module("config.management.commands.listen")
    connections.close_all()
    gc.collect()
    gc.freeze()  # a collection writes to what it looks at, and ends the sharing


def listen() -> None:
    """Receive mail until a signal ends it."""
    name_process("pli-listen")
    set_process_role(ProcessRole.CHORES)
    try:
        call_command("listen")
    except CommandError as error:
        sys.exit(f"CommandError: {error}")


def drain(wakeups: LocalWakeups) -> None:
    """Run the periodic tasks, but for the programs, until a signal ends it."""
    from config.worker import run_woken

    name_process("pli-drain")
    set_process_role(ProcessRole.CHORES)
    names = [queue for queue in QUEUES if queue != PROGRAMS_QUEUE]
    run_woken(wakeups, names, stop_on_signals())


def think(wakeups: LocalWakeups | None) -> None:
    """Have a process choose the turns of programs until a signal ends it; start it anew if it dies.

    The service goes on without it, and what it thought about is thought about again. With `wakeups`
    it ends when it has nothing to do, and the next wake-up starts it.
    """
    name_process("pli-programs")
    stopping = stop_on_signals()
    while not stopping.is_set():
        thinker = ForkedProcess(lambda: _think(wakeups))
        while thinker.poll() is None and not stopping.wait(LOOK_EVERY):
            pass
        if stopping.is_set():
            thinker.terminate()
            thinker.wait(STOP_TIMEOUT)
        elif wakeups is not None and thinker.wait() == 0:
            while not wakeups.has_any(LOOK_EVERY) and not stopping.is_set():
                pass
        else:
            log.error("the process that thinks for programs ended, and is started again")
            stopping.wait(PAUSE_AFTER_DEATH)


def _think(wakeups: LocalWakeups | None) -> None:
    from config.worker import run_queues, run_woken, threads_of

    name_process("pli-thinker")
    set_process_role(ProcessRole.CHORES)
    limit_thinking()
    stopping = stop_on_signals()
    if wakeups is None:
        run_queues(threads_of([PROGRAMS_QUEUE]), stopping)
    else:
        run_woken(wakeups, [PROGRAMS_QUEUE], stopping, REST_AFTER)
