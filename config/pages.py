"""The web server of `manage.py serve`: granian, whose workers go on from what is loaded already."""

import os
import signal
from collections.abc import Callable
from types import FrameType
from typing import Any

from granian import Granian
from granian.constants import Interfaces
from granian.log import LogLevels

from config.processes import name_process, on_our_own

THREADS = 8
"""How many requests one worker answers at once."""

KILL_TIMEOUT = 5
"""Seconds after which a worker that does not end is killed."""


def serve_pages(
    host: str, port: int, workers: int, *, started: Callable[[], None], stopping: Callable[[], None]
) -> None:
    """Serve pages until a signal ends it. Must be called in the main thread.

    Calls `started` before the first worker starts, and `stopping` when the signal comes. Raises
    SystemExit if workers fail again and again.
    """
    server = Granian(
        "config.wsgi:application",
        address=host,
        port=port,
        interface=Interfaces.WSGI,
        websockets=False,
        workers=workers,
        blocking_threads=THREADS,
        respawn_failed_workers=True,
        workers_kill_timeout=KILL_TIMEOUT,
        log_level=LogLevels.error,
    )
    prepare = on_our_own(when_killed=signal.SIGUSR1)

    def application() -> Any:
        """Return the application, in a worker."""
        signal.signal(signal.SIGUSR1, end_orphaned_worker())
        prepare()
        name_process("pli-web")
        from config.wsgi import application as loaded  # it gives the process its role

        return loaded

    def hear_signals() -> None:
        """Have signals stop all that belongs to us, besides granian's workers."""
        stop_workers: Any = signal.getsignal(signal.SIGTERM)

        def stop(number: int, frame: FrameType | None) -> None:
            stopping()
            stop_workers(number, frame)

        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, stop)
        started()

    server.on_startup(hear_signals)
    server.serve(target_loader=application, wrap_loader=False)


def end_orphaned_worker() -> Callable[[int, FrameType | None], None]:
    """Return a handler that has a worker finish its requests, in KILL_TIMEOUT seconds at most.

    It asks granian once, however many signals come: at the third SIGTERM a worker (granian 2.8.9)
    blocks with the interpreter's lock held, and only SIGKILL ends it.
    """
    is_asked = False

    def handle(number: int, frame: FrameType | None) -> None:
        nonlocal is_asked
        if not is_asked:
            is_asked = True
            signal.alarm(KILL_TIMEOUT)  # which ends the process, as the parent would
            os.kill(os.getpid(), signal.SIGTERM)

    return handle
