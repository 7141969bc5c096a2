"""Child processes that are started together, stopped together, and never outlive us."""

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

PATIENCE = 15.0
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
    """The processes of one server, by name. Each has a group of its own, to be ended whole."""

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

    def fallen(self) -> str | None:
        """Return the name of one that has ended by itself, None while all are at work."""
        return next((name for name, one in self.members.items() if one.poll() is not None), None)

    def stop(self, patience: float = PATIENCE) -> None:
        """Ask all to finish, wait, then kill whatever is left of them, children included."""
        for one in self.members.values():
            if one.poll() is None:
                one.terminate()
        last_moment = time.monotonic() + patience
        for one in self.members.values():
            try:
                one.wait(max(0.0, last_moment - time.monotonic()))
            except subprocess.TimeoutExpired:
                pass
            finally:
                _kill_group(one)


def _kill_group(one: subprocess.Popen[bytes]) -> None:
    try:
        os.killpg(one.pid, signal.SIGKILL)
    except ProcessLookupError:
        return
    one.wait()
