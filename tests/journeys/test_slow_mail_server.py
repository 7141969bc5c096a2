"""Celery's workers and a mail server that takes two seconds a command."""

import subprocess
import sys

import psycopg
import pytest
from django.conf import settings

from config.schedule import PERIODIC_TASKS
from tests import smtp
from tests.journeys.scaled_service import CELERY, grown

pytestmark = [pytest.mark.journey, pytest.mark.timeout(600)]

MAILS = 60
FAST = "tests.fast_schedule"
RUNS = "SELECT count(*) FROM config_chorerun WHERE name = %s"
LOST = "Connection to broker lost"
HEARTBEAT = "SELECT at FROM games_heartbeat WHERE id = 1"
BEGIN = [sys.executable, "-m", "tests.journeys.busy_service"]


@pytest.fixture
def service(tmp_path):
    """Everything but the pages and beat, with every period cut to a second."""
    with grown(tmp_path / "service", smtp.Sink(slow=2)) as service:
        do(service, [sys.executable, "manage.py", "migrate", "--verbosity", "0"])
        do(service, [*BEGIN, "fill", MAILS])
        service.start_workers(FAST)
        yield service
        service.sink.slow = 0  # the worker ends only after the mails in hand


def do(service, command):
    command = [str(word) for word in command]
    subprocess.run(command, cwd=settings.BASE_DIR, env=service.processes.env, check=True)


def ask(service, question, *details):
    with psycopg.connect(service.processes.env["DATABASE_URL"]) as database:
        row = database.execute(question, details or None).fetchone()
    return row[0] if row else None


def test_a_deadline_is_swept_and_the_heart_beats_while_mail_is_slow(service):
    service.start_beat(FAST)
    until = service.processes.until
    until(service.sink.reached.is_set, "the first mail is on its way")
    do(service, [*BEGIN, "begin", 5])
    running = "SELECT count(*) FROM games_game WHERE deadline IS NOT NULL"
    assert ask(service, running) == 1
    until(lambda: ask(service, running) == 0, "the deadline was swept", timeout=30)
    for _ in range(2):
        last = ask(service, HEARTBEAT)
        until(
            lambda last=last: ask(service, HEARTBEAT) != last,
            "the heart beats",
            timeout=10,
        )
    waiting = ask(service, "SELECT count(*) FROM notifications_notice WHERE state <> 'sent'")
    assert waiting > MAILS / 2, "it was slow all the time"
    runs = "SELECT count(*) FROM config_chorerun WHERE succeeded_at > now() - interval '15 s'"
    of_games = [task for task, _ in PERIODIC_TASKS if task.startswith("games.tasks.")]
    assert ask(service, f"{runs} AND name LIKE 'games.tasks.%'") == len(of_games)


def test_workers_outlive_redis_while_they_work(service):
    until = service.processes.until
    do(service, [*CELERY, "config", "call", "notifications.tasks.send_notices"])
    until(service.sink.reached.is_set, "the first mail is on its way")
    service.stop_redis()
    until(lambda: LOST in service.processes.log("mail"), "the worker noticed")
    service.start_redis()
    service.start_beat(FAST)
    for task in ("games.tasks.beat_heart", "notifications.tasks.poll_mailbox"):
        until(lambda task=task: ask(service, RUNS, task), f"{task} ran")
