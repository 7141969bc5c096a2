"""The periodic tasks of accounts: safe to run twice."""

from celery import shared_task

from accounts import api_tokens, security_log, sessions
from accounts.server_time import server_now


@shared_task
def delete_expired_sessions() -> int:
    return sessions.delete_expired_sessions(now=server_now())


@shared_task
def delete_old_security_events() -> int:
    return security_log.delete_old_events(now=server_now())


@shared_task
def delete_old_api_answers() -> int:
    return api_tokens.delete_old_answers(now=server_now())
