"""The chores of accounts as tasks: safe to run twice."""

from celery import shared_task

from accounts import security_log, sessions
from accounts.server_time import server_now


@shared_task
def delete_expired_sessions() -> int:
    """Delete sessions that have expired; return how many."""
    return sessions.delete_expired_sessions(now=server_now())


@shared_task
def delete_old_security_events() -> int:
    """Delete what was kept of sign-ins long enough; return how many events."""
    return security_log.delete_old_events(now=server_now())
