"""Child processes that are started together, stopped together, and never outlive us.

honcho's Manager (2.0) does less: its processes go on when it is killed, it spares the children of a
process that has ended, and it kills all after five seconds, even while a mail is being sent. And
its loop blocks, so `manage.py serve` could not say when the pages are there.
"""

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

STOP_TIMEOUT = 15.0
"""Seconds a process may take to finish what it is doing before it is killed."""

_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None) if sys.platform == "linux" else None


def die_with_parent() -> Callable[[], None]:
    """Return what a child must call first, so that it is stopped when we are killed.

    Only Linux can do this; elsewhere it does nothing. Must be called in the main thread.
    """
    parent = os.getpid()

    def ask_for_a_signal() -> None:
        if _libc is not None:
            _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
            if os.getppid() != parent:
                os._exit(1)

    return ask_for_a_signal


def stop_on_signals() -> threading.Event:
    """Return an event that SIGINT or SIGTERM sets, instead of what they usually do."""
    stopping = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopping.set())
    return stopping


class ProcessGroup:
    """The processes of one server, by name. Each has a process group of its own."""

    def __init__(self, folder: Path, env: Mapping[str, str]) -> None:
        self.folder = folder
        self.env = dict(env)
        self.members: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, name: str, command: Sequence[str]) -> None:
        """Start one more. Ctrl-C in the terminal reaches only us: we tell the others."""
        self.members[name] = subprocess.Popen(  # noqa: S603  (our own commands)
            command,
            cwd=self.folder,
            env=self.env,
            start_new_session=True,
            preexec_fn=die_with_parent(),  # noqa: PLW1509  (we have one thread)
        )

    def first_exited(self) -> str | None:
        """Return the name of a process that has ended by itself, None while all run."""
        return next((name for name, one in self.members.items() if one.poll() is not None), None)

    def stop(self, timeout: float = STOP_TIMEOUT) -> None:
        """Ask all to finish, wait, then kill whatever is left of them, children included."""
        for one in self.members.values():
            if one.poll() is None:
                one.terminate()
        deadline = time.monotonic() + timeout
        for one in self.members.values():
            with suppress(subprocess.TimeoutExpired):
                one.wait(max(0.0, deadline - time.monotonic()))
            with suppress(ProcessLookupError):
                os.killpg(one.pid, signal.SIGKILL)
                one.wait()
