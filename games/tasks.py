"""Celery tasks for the periodic tasks of the games. Each can run twice at once; returns a count."""

from celery import shared_task

from accounts.server_time import server_now
from games.moderation import long_holds
from games.services import (
    bots,
    deadlines,
    guests,
    judging,
    puzzles,
    ratings,
    reminders,
    tables,
    thinking,
    wishes,
)
from games.services.clock import outages, recalculation, service_checks, stops
from games.services.clubs import boards
from games.services.ladders import upkeep
from games.services.leagues import seasons
from games.services.tournaments import rounds


@shared_task
def time_out_games() -> int:
    return deadlines.time_out_due(now=server_now())


@shared_task
def send_reminders() -> int:
    return reminders.remind_due(now=server_now())


@shared_task
def recount_clocks() -> int:
    return recalculation.recount_due(now=server_now())


@shared_task
def expire_tables() -> int:
    return tables.expire_due(now=server_now())


@shared_task
def close_guests() -> int:
    return guests.close_due_guests(now=server_now())


@shared_task
def run_leagues() -> int:
    return seasons.run_leagues(now=server_now())


@shared_task
def run_ladders() -> int:
    return upkeep.run_ladders(now=server_now())


@shared_task
def pair_wishes() -> int:
    return wishes.pair_wishes(now=server_now())


@shared_task
def run_tournaments() -> int:
    return rounds.run_tournaments(now=server_now())


@shared_task
def run_clubs() -> int:
    return boards.run_clubs(now=server_now())


@shared_task
def answer_for_bots() -> int:
    now = server_now()
    thinking.wake_thinkers(now=now)
    return bots.answer_for_bots(now=now)


@shared_task
def run_programs() -> int:
    return thinking.play_for_bots(now=server_now())


@shared_task
def judge_turns() -> int:
    return judging.judge_due(now=server_now())


@shared_task
def make_puzzles() -> int:
    return puzzles.make_puzzles(now=server_now())


@shared_task
def rate_games() -> int:
    return ratings.rate_due()


@shared_task
def beat_heart() -> int:
    return outages.record_heartbeat(now=server_now())


@shared_task
def check_services() -> int:
    return service_checks.check_services(now=server_now())


@shared_task
def recount_after_outage() -> int:
    return outages.recount_after_outage(now=server_now())


@shared_task
def end_stops() -> int:
    now = server_now()
    return stops.end_stops(now=now) + long_holds.end_long_holds(now=now)
