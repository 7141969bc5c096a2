"""Child processes that are started together, stopped together, and never outlive us.

honcho's Manager (2.0) does less: its processes go on when it is killed, it spares the children of a
process that has ended, and it kills all after five seconds, even while a mail is being sent. And
its loop blocks, so `manage.py serve` could not say when the pages are there.
"""

import ctypes
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import wait
from pathlib import Path
from typing import Protocol

STOP_TIMEOUT = 15.0
"""Seconds a process may take to finish what it is doing before it is killed."""

_PR_SET_PDEATHSIG, _PR_SET_NAME = 1, 15
_libc = ctypes.CDLL(None) if sys.platform == "linux" else None


def die_with_parent(number: signal.Signals = signal.SIGTERM) -> Callable[[], None]:
    """Return what a child must call first, so that it gets this signal when we are killed.

    Linux only, and the signal may come once for each of our threads. Call this in the main thread.
    """
    parent = os.getpid()

    def ask_for_a_signal() -> None:
        if _libc is not None:
            _libc.prctl(_PR_SET_PDEATHSIG, number)
            if os.getppid() != parent:
                os._exit(1)

    return ask_for_a_signal


def name_process(name: str) -> None:
    """Give this process the name that `ps` and `top` show; at most 15 characters, Linux only."""
    if _libc is not None:
        _libc.prctl(_PR_SET_NAME, name.encode())


THINKING_MEMORY = 192 * 1024 * 1024
"""Bytes that a process which thinks for programs may take besides what it has loaded."""


def limit_thinking() -> None:
    """Let this process, which thinks for programs, run after all others, with so much memory.

    Memory that it asks for beyond that raises MemoryError. Linux only.
    """
    if _libc is None:
        return
    data_pages = int(Path("/proc/self/statm").read_text().split()[5])
    most = data_pages * resource.getpagesize() + THINKING_MEMORY
    with suppress(OSError):  # a system that forbids it sets limits of its own
        os.nice(10)
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


class StopEvent(threading.Event):
    """An event that handlers of signals can set; it is never cleared.

    `threading.Event.set` takes a lock. When a signal interrupts code that holds it, such as `wait`,
    or `set` for the signal before, the process would wait for itself.
    """

    def __init__(self) -> None:
        super().__init__()
        self._is_set = False
        self._unset = threading.Lock()
        self._unset.acquire()

    def is_set(self) -> bool:
        return self._is_set

    def set(self) -> None:
        self._is_set = True
        self._let_one_pass()

    def wait(self, timeout: float | None = None) -> bool:
        if not self._is_set and self._unset.acquire(timeout=-1 if timeout is None else timeout):
            self._let_one_pass()  # and that one the next
        return self._is_set

    def _let_one_pass(self) -> None:
        with suppress(RuntimeError):  # it is open
            self._unset.release()


def stop_on_signals() -> StopEvent:
    """Return an event that SIGINT or SIGTERM sets, instead of what they usually do."""
    stopping = StopEvent()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopping.set())
    return stopping


class Child(Protocol):
    """A process that we started, as `subprocess.Popen` shows it."""

    @property
    def pid(self) -> int: ...

    def poll(self) -> int | None: ...

    def terminate(self) -> None: ...

    def wait(self, timeout: float | None = None) -> int: ...


class ForkedProcess:
    """A child that goes on from what this process has loaded, and shares that memory with it.

    Must be made in the main thread, before there are connections to the database.
    """

    def __init__(self, work: Callable[[], None]) -> None:
        prepare = on_our_own()

        def run() -> None:
            prepare()
            work()

        # Not a daemon: those are killed when we end, before they have finished what they do.
        self._process = get_context("fork").Process(target=run)
        self._process.start()
        self.pid = self._process.pid or 0

    def poll(self) -> int | None:
        """Return the exit status, None while it runs."""
        return self._process.exitcode

    def terminate(self) -> None:
        """Ask it to finish."""
        self._process.terminate()

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit status when it has ended. Raises TimeoutExpired, as Popen does."""
        self._process.join(timeout)
        if (status := self._process.exitcode) is None:
            raise subprocess.TimeoutExpired(str(self.pid), timeout or 0.0)
        return status


def on_our_own(when_killed: signal.Signals = signal.SIGTERM) -> Callable[[], None]:
    """Return what a forked child must call first: signals, session and end are then its own.

    Ctrl-C in the terminal reaches only us: we tell the others. When we are killed, the child gets
    `when_killed`. Must be called in the main thread.
    """
    ask_for_a_signal = die_with_parent(when_killed)

    def prepare() -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        os.setsid()
        ask_for_a_signal()

    return prepare


LOOK_EVERY = 0.5
"""Seconds between two looks at the processes, where the system cannot tell us that one ended."""


class ProcessGroup:
    """The processes of one server, by name. Each has a process group of its own."""

    def __init__(self, folder: Path, env: Mapping[str, str]) -> None:
        self.folder = folder
        self.env = dict(env)
        self.members: dict[str, Child] = {}
        self._asked = set[int]()

    def start(self, name: str, command: Sequence[str]) -> None:
        """Start one more. Ctrl-C in the terminal reaches only us: we tell the others."""
        self.members[name] = subprocess.Popen(  # noqa: S603  (our own commands)
            command,
            cwd=self.folder,
            env=self.env,
            start_new_session=True,
            preexec_fn=die_with_parent(),  # noqa: PLW1509  (we have one thread)
        )

    def fork(self, name: str, work: Callable[[], None]) -> None:
        """Start one more that goes on from what this process has loaded, and does `work`."""
        self.members[name] = ForkedProcess(work)

    def first_exited(self) -> str | None:
        """Return the name of a process that has ended by itself, None while all run."""
        return next((name for name, one in self.members.items() if one.poll() is not None), None)

    def wait_for_exit(self) -> str | None:
        """Return the name of the first process that ends; None where there are none."""
        handles = [handle for one in self.members.values() if (handle := handle_of(one))]
        try:
            while self.members and not (exited := self.first_exited()):
                wait(handles, timeout=None if len(handles) == len(self.members) else LOOK_EVERY)
            return exited if self.members else None
        finally:
            for handle in handles:
                os.close(handle)

    def ask_to_stop(self) -> None:
        """Ask all to finish what they are doing, and return at once.

        Each is asked once: a second signal would interrupt Celery's beat while it ends.
        """
        for one in self.members.values():
            if one.pid not in self._asked and one.poll() is None:
                self._asked.add(one.pid)
                one.terminate()

    def stop(self, timeout: float = STOP_TIMEOUT) -> None:
        """Ask all to finish, wait, then kill whatever is left of them, children included."""
        self.ask_to_stop()
        deadline = time.monotonic() + timeout
        for one in self.members.values():
            with suppress(subprocess.TimeoutExpired):
                one.wait(max(0.0, deadline - time.monotonic()))
            with suppress(ProcessLookupError):
                os.killpg(one.pid, signal.SIGKILL)
                one.wait()


def handle_of(child: Child) -> int | None:
    """Return a file that can be read when a process ends; None where the system has none."""
    try:
        return os.pidfd_open(child.pid)
    except (AttributeError, OSError):  # another system, or one that forbids it
        return None
