"""Waiting for something that another process does."""

import time

TIMEOUT = 240
"""Seconds: a busy machine takes long."""


def wait_until(condition, what):
    """Wait until `condition()` is true; fail with `what` was waited for."""
    last_moment = time.monotonic() + TIMEOUT
    while not condition():
        assert time.monotonic() < last_moment, f"waited in vain until {what}"
        time.sleep(0.05)
