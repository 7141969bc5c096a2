"""How long a notice that could not be sent waits before it is tried again."""

from datetime import timedelta

MINUTES = (1, 2, 5, 10, 20, 40, 60, 120, 240, 480, 720, 720, 720, 720)
"""After the first failure, the second, and so on; nearly three days in all."""

SERVER_PAUSE = timedelta(minutes=1)
"""How long everybody else waits when the mail server does not answer."""


def wait_after(attempts: int) -> timedelta | None:
    """Return how long to wait after so many failed attempts; None: give up."""
    if attempts > len(MINUTES):
        return None
    return timedelta(minutes=MINUTES[attempts - 1])
