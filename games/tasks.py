"""The games' chores as tasks: three lines each, safe to run twice."""

from celery import shared_task
from django.utils import timezone

from games.services import clock, programs, tables
from games.services.time import outages, recounting, stops


@shared_task
def time_out_games() -> int:
    """End the games whose time is up; return how many."""
    return clock.time_out_due(now=timezone.now())


@shared_task
def send_reminders() -> int:
    """Write down that somebody's time runs low; return how often."""
    return clock.remind_due(now=timezone.now())


@shared_task
def recount_clocks() -> int:
    """Compute the deadlines of whoever is newly away, or back; return for how many people."""
    return recounting.recount_due(now=timezone.now())


@shared_task
def expire_tables() -> int:
    """Close the tables that nobody came to; return how many."""
    return tables.expire_due(now=timezone.now())


@shared_task
def run_programs() -> int:
    """Let the programs answer and play; return how much they did."""
    return programs.act(now=timezone.now())


@shared_task
def beat_heart() -> int:
    """Give a sign of life; return how many outages were noted."""
    return outages.beat_heart(now=timezone.now())


@shared_task
def recount_after_outage() -> int:
    """Compute the deadlines that an outage moved anew; return how many."""
    return outages.recount_after_outage(now=timezone.now())


@shared_task
def end_stops() -> int:
    """End the pauses and other stops of clocks that are over; return how many."""
    return stops.end_stops(now=timezone.now())
