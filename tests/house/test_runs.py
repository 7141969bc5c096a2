"""When each periodic task last ran is recorded, and a late one is noticed."""

import threading
from contextlib import contextmanager
from datetime import timedelta

import pytest
from celery.app.task import Context
from celery.signals import task_revoked
from django.db import connection
from django.db.models.functions import Now
from django.test.utils import CaptureQueriesContext

from config import celery
from config.models import ChoreRun
from config.runs import TaskRuns, late_tasks, runs
from config.schedule import PERIODIC_TASKS, late_after
from config.worker import periodic_tasks
from games.models import Heartbeat
from games.tasks import beat_heart, end_stops

pytestmark = pytest.mark.django_db

HEART = "games.tasks.beat_heart"


@pytest.fixture(autouse=True)
def _fresh():
    """Let this process have run nothing yet."""
    runs.reset()
    celery._warned_at.clear()


def db_now():
    ChoreRun.objects.create(name="now", succeeded_at=Now())
    found = ChoreRun.objects.get(name="now").succeeded_at
    ChoreRun.objects.get(name="now").delete()
    return found


def row(name=HEART):
    return ChoreRun.objects.get(name=name)


def ran(name, ago):
    """Let a task have succeeded so many seconds ago, by the database's clock."""
    ChoreRun.objects.update_or_create(name=name, defaults={"succeeded_at": Now()})
    at = row(name).succeeded_at - timedelta(seconds=ago)
    ChoreRun.objects.filter(name=name).update(succeeded_at=at)


# Kept --------------------------------------------------------------------------------------------


def test_a_run_is_kept_with_its_end_and_its_length():
    before = db_now()
    assert TaskRuns().run(HEART, lambda: 3) == 3
    kept = row()
    assert before <= kept.succeeded_at <= db_now()
    assert 0 <= kept.seconds < 5
    assert (kept.failed_at, kept.error) == (None, "")


def test_a_failure_is_kept_with_its_error_and_the_last_success_stays():
    own = TaskRuns()
    own.run(HEART, lambda: 0)
    succeeded_at = row().succeeded_at

    def fail():
        raise ZeroDivisionError("for reply-" + "a" * 26)

    with pytest.raises(ZeroDivisionError):
        own.run(HEART, fail)
    kept = row()
    assert kept.succeeded_at == succeeded_at <= kept.failed_at
    assert kept.error == "ZeroDivisionError: for reply-…"


def test_one_write_is_enough_for_the_runs_of_some_seconds():
    own = TaskRuns()
    own.run(HEART, lambda: 0)
    with CaptureQueriesContext(connection) as queries:
        for _ in range(20):
            own.run(HEART, lambda: 0)
    assert len(queries) == 0


@pytest.mark.django_db(transaction=True)  # the loop looks after its connections
def test_the_loop_keeps_what_it_ran():
    for task in periodic_tasks("clocks"):
        task.run(threading.Event())
    # Those of another queue are of games as well.
    elsewhere = {
        "games.tasks.run_programs",
        "games.tasks.judge_turns",
        "games.tasks.answer_for_bots",
        "games.tasks.close_guests",
        "games.tasks.make_puzzles",
        "games.tasks.run_leagues",
        "games.tasks.run_ladders",
        "games.tasks.pair_wishes",
        "games.tasks.run_tournaments",
        "games.tasks.run_clubs",
        "games.tasks.rate_games",
    }
    games_tasks = {name for name, _ in PERIODIC_TASKS if name.startswith("games.")}
    assert set(ChoreRun.objects.values_list("name", flat=True)) == games_tasks - elsewhere


# Late --------------------------------------------------------------------------------------------


def late():
    return {task.name for task in late_tasks()}


def test_a_task_is_late_when_it_has_not_succeeded_for_too_long():
    for name, _ in PERIODIC_TASKS:
        ran(name, ago=late_after(name) - 5)
    assert late() == set()
    ran(HEART, ago=late_after(HEART) + 5)
    assert late() == {HEART}


def test_a_task_that_never_ran_is_late():
    assert late() == {name for name, _ in PERIODIC_TASKS}
    TaskRuns().run(HEART, lambda: 0)
    assert HEART not in late()


def test_a_task_that_only_fails_is_late():
    ChoreRun.objects.create(name=HEART, failed_at=Now(), error="no luck")
    assert HEART in late()


def test_every_process_warns_of_late_tasks_but_not_at_every_run(caplog):
    for name, _ in PERIODIC_TASKS:
        ran(name, ago=0)
    ran("notifications.tasks.send_notices", ago=1000)
    own = TaskRuns(grace=0)
    for _ in range(3):
        own.run(HEART, lambda: 0)
    said = [record.getMessage() for record in caplog.records if "not succeeded" in record.message]
    assert len(said) == 1
    assert said[0].startswith("notifications.tasks.send_notices has not succeeded since 20")


def test_a_process_that_has_just_started_does_not_complain(caplog):
    TaskRuns().run(HEART, lambda: 0)
    assert "not succeeded" not in caplog.text


# Beat's messages ---------------------------------------------------------------------------------


@contextmanager
def message(task, **headers):
    """Let a worker have taken a message for a task."""
    task.push_request(called_directly=False, **headers)
    try:
        yield
    finally:
        task.pop_request()


def beats():
    return Heartbeat.objects.count()


def test_messages_of_beat_that_piled_up_are_served_by_one_run():
    with message(beat_heart, period=60):
        beat_heart()
        assert beats() == 1
        Heartbeat.objects.all().delete()
        for _ in range(5):
            assert beat_heart() == 0
    assert beats() == 0


def test_a_wakeup_is_never_taken_for_such_a_message():
    with message(beat_heart, period=60):
        beat_heart()
    Heartbeat.objects.all().delete()
    with message(beat_heart):
        beat_heart()
    assert beats() == 1


def test_a_run_of_one_task_does_not_count_for_another():
    with message(end_stops, period=60):
        end_stops()
    with message(beat_heart, period=60):
        beat_heart()
    assert beats() == 1


def test_a_message_that_comes_a_period_later_is_served(monkeypatch):
    with message(beat_heart, period=0.1):
        beat_heart()
        Heartbeat.objects.all().delete()
        while runs.seconds_since(HEART) < 0.1:
            pass
        beat_heart()
    assert beats() == 1


def expire(**headers):
    request = Context(headers)
    task_revoked.send(sender=beat_heart, request=request, terminated=False, signum=None, expired=1)


def test_messages_of_beat_that_expire_are_noticed_once_in_a_while(caplog):
    for _ in range(5):
        expire(period=60)
    assert caplog.text.count(f"{HEART} expired before a worker took it") == 1


def test_wakeups_may_expire_unseen(caplog):
    expire()
    assert "expired" not in caplog.text
