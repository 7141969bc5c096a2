"""Wake-ups between the processes of one `manage.py serve`, by a pipe that all of them inherit.

So its worker need not look every other second: it looks when something was written, and besides
that every LOOK_EVERY seconds, for what is due at a time and for what other programs write.
"""

import os
import select
from collections.abc import Callable
from contextlib import suppress

from django.conf import settings

LOOK_EVERY = 20.0
"""Seconds between two runs of a task that is woken, if none wakes it; less if mails wait less."""


class LocalWakeups:
    """A pipe; each byte is the number of a wake-up in settings.WAKEUP_TASKS."""

    def __init__(self) -> None:
        self._read, self._write = os.pipe()
        os.set_blocking(self._write, False)
        self._names = list(settings.WAKEUP_TASKS)

    def tell(self, wakeup: str) -> None:
        """Write a wake-up; do nothing if the pipe is full: its reader has others to read."""
        with suppress(BlockingIOError, BrokenPipeError):
            os.write(self._write, bytes([self._names.index(wakeup)]))

    def has_any(self, timeout: float) -> bool:
        """Return whether there is a wake-up that nobody has read, after at most so many seconds."""
        return bool(select.select([self._read], [], [], timeout)[0])

    def listen(self, look: Callable[[str], None]) -> None:
        """Call `look` with the name of each task that is to run now. Does not return."""
        while True:
            for number in set(os.read(self._read, 4096)):
                for task in settings.WAKEUP_TASKS[self._names[number]]:
                    look(task)


def woken_tasks() -> frozenset[str]:
    """Return the tasks that wake-ups are for."""
    return frozenset(task for tasks in settings.WAKEUP_TASKS.values() for task in tasks)
