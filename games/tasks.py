"""The games' chores as tasks: three lines each, safe to run twice."""

from celery import shared_task
from django.utils import timezone

from games.services import clock, programs, tables


@shared_task
def time_out_games() -> int:
    """End the games whose time is up; return how many."""
    return clock.time_out_due(now=timezone.now())


@shared_task
def send_reminders() -> int:
    """Write down that somebody's time runs low; return how often."""
    return clock.remind_due(now=timezone.now())


@shared_task
def expire_tables() -> int:
    """Close the tables that nobody came to; return how many."""
    return tables.expire_due(now=timezone.now())


@shared_task
def run_programs() -> int:
    """Let the programs answer and play; return how much they did."""
    return programs.act(now=timezone.now())
