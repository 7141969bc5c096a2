"""How long what failed waits before it is tried again."""

from datetime import datetime, timedelta

MINUTES = (1, 2, 5, 10, 20, 40, 60, 120, 240, 480, 720, 720, 720, 720)
"""After the first failure, the second, and so on; nearly three days in all."""

SERVER_PAUSE = timedelta(minutes=1)
"""How long everybody else waits when the mail server does not answer."""


def retry_delay(attempts: int) -> timedelta | None:
    """Return how long to wait for the mail server after so many attempts; None: give up."""
    if attempts > len(MINUTES):
        return None
    return timedelta(minutes=MINUTES[attempts - 1])


OWN_ERROR_RETRY_PERIOD = timedelta(days=1)
"""After this an error of our own is not tried again by itself: a host must look at it."""

_SHORTEST, _LONGEST = timedelta(minutes=1), timedelta(hours=1)


def retry_delay_after_own_error(since: datetime, now: datetime) -> timedelta | None:
    """Return how long to wait after an error of our own (the database, a template, a bug).

    Each wait is as long as it has failed already, since `since`; from a minute to an hour. None:
    it has failed for OWN_ERROR_LASTS.
    """
    failing = now - since
    if failing >= OWN_ERROR_RETRY_PERIOD:
        return None
    return min(max(failing, _SHORTEST), _LONGEST)
