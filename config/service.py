"""The service of `manage.py serve`: starts its processes, watches them, and stops them."""

import logging
import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path

from config import background, serve
from config.pages import serve_pages
from config.processes import ProcessGroup, StopEvent

log = logging.getLogger(__name__)

LOOK_EVERY = 0.02
"""Seconds between two looks whether the pages are there."""


class Service:
    """The web server, which runs in this process, and the other processes.

    `said_ready` is called once, when the pages are there and the listener takes mail.
    """

    def __init__(self, folder: Path, host: str, port: int, said_ready: Callable[[], None]) -> None:
        self.host, self.port, self._say_ready = host, port, said_ready
        self._processes = ProcessGroup(folder, os.environ)
        self._stopping = StopEvent()
        self._has_background = False
        self._exited: str | None = None

    def run(self, workers: int, *, web_only: bool, stopping: threading.Event) -> str | None:
        """Serve until a signal comes; return the name of what ended by itself before, if anything.

        `stopping` is set by signals that came until now. There must be no open connection to the
        database, and nothing is left running.
        """
        self._has_background = not web_only

        def started() -> None:
            if stopping.is_set():  # before granian and we heard the signals
                os.kill(os.getpid(), signal.SIGTERM)
            threading.Thread(target=self.look_after, daemon=True).start()

        try:
            if not web_only:
                serve.start_background(self._processes)
            serve_pages(self.host, self.port, workers, started=started, stopping=self.stop)
        except SystemExit:
            self._exited = self._exited or "web"
        finally:
            self._stopping.set()
            self._processes.stop()
        return self._exited

    def stop(self) -> None:
        """Ask the other processes to stop."""
        self._stopping.set()
        self._processes.ask_to_stop()

    def look_after(self) -> None:
        """Watch, and stop everything if that fails: nobody would restart what ends."""
        try:
            self.watch()
        except Exception:
            log.exception("the processes cannot be watched")
            self._exited = "serve"
            os.kill(os.getpid(), signal.SIGTERM)

    def watch(self) -> None:
        """Say when the service is ready; stop all of it when one of the processes ends."""
        while not self.is_ready() and not self._processes.first_exited():
            if self._stopping.wait(LOOK_EVERY):
                return
        if not (exited := self._processes.first_exited()):
            self._say_ready()
            exited = self._processes.wait_for_exit()
        if exited and not self._stopping.is_set():
            self._exited = exited
            os.kill(os.getpid(), signal.SIGTERM)

    def is_ready(self) -> bool:
        """Return whether pages come and mail is taken."""
        takes_mail = not self._has_background or serve.takes_mail(os.environ)
        return takes_mail and serve.answers(self.host, self.port, os.environ)


def prepare_memory(port: int) -> None:
    """Have this process know what its children are told, and load what they need."""
    serve.use(serve.environment(port))
    background.load_everything()
