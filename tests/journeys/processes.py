"""Pli's own processes, each writing what it says into a file."""

import os
import signal
import subprocess
import time
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from django.conf import settings

from config.processes import die_with_parent
from tests.var_folder import INHERITED

SOON = {"PLI_MAIL_HOLD": "1", "PLI_MAIL_LOOKING": "1"}
"""A host's own choice: mail waits a second for what follows, and for who looks at the game."""

TIMEOUT = 120.0
LAST_LINES = 60


def until(condition, what, *, timeout=TIMEOUT, every=0.05, told=lambda: ""):
    """Wait until `condition` is met and return what it says; `told` explains a failure."""
    last_moment = time.monotonic() + timeout
    while not (met := condition()):
        assert time.monotonic() < last_moment, f"waited {timeout} s until {what}\n{told()}"
        time.sleep(every)
    return met


class Processes:
    """Processes by name, with one environment; used with `with`, none of them survives."""

    def __init__(self, folder, **env):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        inherited = {key: os.environ[key] for key in INHERITED if key in os.environ}
        self.env = inherited | {"PYTHONUNBUFFERED": "1"} | env
        self.running = {}

    def __enter__(self):
        return self

    def __exit__(self, *error):
        for one in self.running.values():
            one.terminate()
        for name in list(self.running):
            self._end(name, timeout=30)

    def start(self, name, command):
        """Start one more in a group of its own; its words are added to the file of its name."""
        with self._log(name).open("ab") as log:
            self.running[name] = subprocess.Popen(
                command,
                cwd=settings.BASE_DIR,
                env=self.env,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=die_with_parent(),  # noqa: PLW1509
            )

    def kill(self, name):
        """End a process and its children as a power cut would: kill -9."""
        self._end(name, timeout=0)

    def _end(self, name, timeout):
        one = self.running.pop(name)
        try:
            one.wait(timeout)
        except subprocess.TimeoutExpired:
            pass
        finally:
            with suppress(ProcessLookupError):
                os.killpg(one.pid, signal.SIGKILL)
            one.wait()

    def fallen(self):
        """Return the names of those that have ended by themselves."""
        return [name for name, one in self.running.items() if one.poll() is not None]

    def until(self, condition, what, *, timeout=TIMEOUT):
        """Wait; fail at once when a process has ended, with what all of them have said."""

        def met():
            assert not self.fallen(), f"{self.fallen()} ended by itself\n{self.words()}"
            return condition()

        return until(met, what, timeout=timeout, told=self.words)

    def words(self):
        """Return the last lines of every process."""
        parts = []
        for log in sorted(self.folder.glob("*.log")):
            lines = log.read_text(errors="replace").splitlines()[-LAST_LINES:]
            parts += [f"----- {log.name}", *lines]
        return "\n".join(parts)

    def log(self, name):
        """Return all that a process has written."""
        return self._log(name).read_text(errors="replace")

    def _log(self, name):
        return self.folder / f"{name}.log"


def answers(port, **headers):
    """Tell whether the pages are there."""
    connection = HTTPConnection("localhost", port, timeout=5)
    try:
        connection.request("GET", "/healthz", headers=headers)
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()
