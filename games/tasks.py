"""The games' chores as tasks: three lines each, safe to run twice."""

from celery import shared_task

from accounts.server_time import server_now
from games.services import bots, deadlines, tables
from games.services.clock import outages, recalculation, stops


@shared_task
def time_out_games() -> int:
    """End the games whose time is up; return how many."""
    return deadlines.time_out_due(now=server_now())


@shared_task
def send_reminders() -> int:
    """Write down that somebody's time runs low; return how often."""
    return deadlines.remind_due(now=server_now())


@shared_task
def recount_clocks() -> int:
    """Compute the deadlines of whoever is newly away, or back; return for how many people."""
    return recalculation.recount_due(now=server_now())


@shared_task
def expire_tables() -> int:
    """Close the tables that nobody came to; return how many."""
    return tables.expire_due(now=server_now())


@shared_task
def run_programs() -> int:
    """Let the programs answer and play; return how much they did."""
    return bots.play_for_bots(now=server_now())


@shared_task
def beat_heart() -> int:
    """Give a sign of life; return how many outages were noted."""
    return outages.record_heartbeat(now=server_now())


@shared_task
def recount_after_outage() -> int:
    """Compute the deadlines that an outage moved anew; return how many."""
    return outages.recount_after_outage(now=server_now())


@shared_task
def end_stops() -> int:
    """End the pauses and other stops of clocks that are over; return how many."""
    return stops.end_stops(now=server_now())
