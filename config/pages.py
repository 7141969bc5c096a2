"""The web server of `manage.py serve`: granian, whose workers go on from what is loaded already."""

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
    prepare = on_our_own()

    def application() -> Any:
        """Return the application, in a worker."""
        prepare()
        name_process("pli-web")
        from config.wsgi import application as loaded  # it gives the process its role

        return loaded

    def hear_signals() -> None:
        """Have signals stop all that belongs to us, besides granian's workers."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, both(stopping, signal.getsignal(number)))
        started()

    server.on_startup(hear_signals)
    server.serve(target_loader=application, wrap_loader=False)


def both(
    stopping: Callable[[], None], stop_workers: Any
) -> Callable[[int, FrameType | None], None]:
    """Return a handler of signals that calls ours and granian's."""

    def handle(number: int, frame: FrameType | None) -> None:
        stopping()
        stop_workers(number, frame)

    return handle
