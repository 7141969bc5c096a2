"""How long a mail that failed waits before it is tried again."""

from datetime import datetime, timedelta

MINUTES = (1, 2, 5, 10, 20, 40, 60, 120, 240, 480, 720, 720, 720, 720)
"""After the first failure, the second, and so on; nearly three days in all."""

SERVER_PAUSE = timedelta(minutes=1)
"""How long all other mails wait when the mail server does not answer."""


def retry_delay(attempts: int) -> timedelta | None:
    """Return how long to wait after so many attempts; None: give up."""
    return timedelta(minutes=MINUTES[attempts - 1]) if attempts <= len(MINUTES) else None


OWN_ERROR_RETRY_PERIOD = timedelta(days=1)
"""After this a mail is parked: an administrator must look at the error."""

SHORTEST, LONGEST = timedelta(minutes=1), timedelta(hours=1)


def retry_delay_after_own_error(since: datetime, now: datetime) -> timedelta | None:
    """Return how long to wait after an error of our own (the database, a template, a bug).

    Each wait is as long as the mail has failed already, since `since`, but at least SHORTEST and
    at most LONGEST. None: it has failed for OWN_ERROR_RETRY_PERIOD.
    """
    failing = now - since
    if failing >= OWN_ERROR_RETRY_PERIOD:
        return None
    return min(max(failing, SHORTEST), LONGEST)
