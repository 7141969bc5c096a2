"""Long polls: requests that wait until something is due.

A waiting request holds one of its process's threads, so at most MOST_WAITING of a process wait at
a time, and one of each account; whoever comes later is answered at once, with `Retry-After`. It
holds no connection to the database: it looks once in EVERY seconds and gives the connection back
in between.
"""

import threading
import time
from collections.abc import Callable

from django.db import connection

MOST_WAITING = 2
"""Of the eight threads of a process (`config.pages.THREADS`)."""

LONGEST_WAIT = 50
"""Seconds: shorter than what most proxies allow an answer to take."""

EVERY = 1.0
"""Seconds between two looks."""

RETRY_AFTER = 5
"""Seconds after which to ask again who could not wait."""

_waiting: set[int] = set()
"""The accounts whose requests wait in this process."""
_lock = threading.Lock()


def wait_until(is_changed: Callable[[], bool], seconds: float, account: int) -> bool:
    """Wait until `is_changed`, at most so many seconds; return False if there was no place."""
    if seconds <= 0 or is_changed():
        return True
    with _lock:
        if len(_waiting) >= MOST_WAITING or account in _waiting:
            return False
        _waiting.add(account)
    try:
        until = time.monotonic() + min(seconds, LONGEST_WAIT)
        while (left := until - time.monotonic()) > 0:
            if not connection.in_atomic_block:
                connection.close()
            time.sleep(min(EVERY, left))
            if is_changed():
                break
    finally:
        _waiting.remove(account)
    return True
