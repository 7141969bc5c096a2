"""/readyz says whether the whole service does its work, and what is wrong if it does not."""

import shutil
from datetime import timedelta

import pytest
import time_machine
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.utils import timezone

from config import health
from config.models import ChoreRun
from config.schedule import PERIODIC_TASKS, QUEUES
from games.models import Game, Heartbeat
from games.moderation.site import begin_maintenance
from notifications.models import IncomingMail, Notice
from tests.games.play import begin

pytestmark = pytest.mark.django_db


@pytest.fixture
def moment():
    """The real time, with a heartbeat of a second ago."""
    moment = timezone.now()
    Heartbeat.objects.update_or_create(pk=1, defaults={"at": moment - timedelta(seconds=1)})
    return moment


def problems(client):
    """Return the problems' names, after checking that the status and the command agree."""
    answer = client.get("/readyz")
    found = answer.json()["problems"]
    assert answer.status_code == (503 if found else 200)
    assert answer.json()["ready"] is (not found)
    assert "no-store" in answer["Cache-Control"]
    if found:
        with pytest.raises(CommandError, match=next(iter(found.values()))[:12]):
            call_command("health")
    else:
        call_command("health")
    return set(found)


def test_a_service_that_works_is_ready_and_asks_little(
    client, moment, django_assert_max_num_queries
):
    assert problems(client) == set()
    with django_assert_max_num_queries(8):
        client.get("/readyz")


def late_deadline(moment, ann, bob):
    game = begin(ann, bob, now=moment)
    Game.objects.filter(pk=game.pk).update(deadline=moment - timedelta(minutes=2))


def late_notice(moment, ann, bob):
    past = moment - timedelta(minutes=20)
    Notice.objects.create(kind="digest", user=ann, message_id="<1@x>", created_at=past, due_at=past)


def retried_mail(moment, ann, bob):
    """It came in long ago, and an error of ours lets it wait for another try."""
    late_mail(moment, ann, bob)
    IncomingMail.objects.update(due_at=moment + timedelta(minutes=10))


def late_mail(moment, ann, bob):
    past = moment - timedelta(minutes=20)
    IncomingMail.objects.create(door="smtp", token_hash="x", digest="y", received_at=past)


def no_heartbeat(moment, ann, bob):
    Heartbeat.objects.update(at=moment - timedelta(minutes=4))


def lacking_migration(moment, ann, bob):
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'games' AND name LIKE '0005%%'")


def newer_migration(moment, ann, bob):
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('games', '0999_x', %s)",
            [moment],
        )


@pytest.mark.parametrize(
    ("harm", "problem"),
    [
        (late_deadline, "deadlines"),
        (late_notice, "outbox"),
        (late_mail, "inbox"),
        (no_heartbeat, "heartbeat"),
        (lacking_migration, "migrations"),
        (newer_migration, "version"),
    ],
)
def test_what_waits_too_long_or_does_not_fit_is_named(client, moment, ann, bob, harm, problem):
    assert problems(client) == set()
    harm(moment, ann, bob)
    assert problems(client) == {problem}


@pytest.mark.postgresql
def test_a_wrong_clock_is_named(client, moment):
    with time_machine.travel(moment + timedelta(seconds=6), tick=True):
        assert problems(client) == {"clock"}
    assert problems(client) == set()


def test_a_full_disk_is_named(client, moment, monkeypatch):
    # The same at every question: other tests write to this disk.
    used = shutil.disk_usage(settings.BASE_DIR)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: used)
    monkeypatch.setattr(health, "LEAST_FREE", used.free + 1)
    assert problems(client) == {"disk"}


def test_a_mail_that_waits_for_another_try_is_not_late(client, moment, ann, bob):
    """One mail that our code cannot read must not take every page out of service for a day."""
    retried_mail(moment, ann, bob)
    assert problems(client) == set()


def test_a_database_that_does_not_answer_is_named_and_health_is_still_ok(client, moment):
    def gone(execute, sql, params, many, context):
        raise OperationalError("gone")

    with connection.execute_wrapper(gone):
        assert problems(client) == {"database"}
        assert client.get("/healthz").status_code == 200


def test_what_waits_during_maintenance_waits_on_purpose(client, moment, ann, bob, moderator):
    late_deadline(moment, ann, bob)
    late_mail(moment, ann, bob)
    begin_maintenance(note="", by=moderator, why="an upgrade", now=moment)
    assert problems(client) == set()


def test_the_health_of_a_queue_is_that_of_its_tasks(moment):
    for name, _ in PERIODIC_TASKS:
        ChoreRun.objects.create(name=name, succeeded_at=moment)
    for queue in QUEUES:
        call_command("health", queue)
    ChoreRun.objects.filter(name="notifications.tasks.send_notices").update(
        succeeded_at=moment - timedelta(hours=1)
    )
    with pytest.raises(CommandError, match="send_notices has not succeeded since 20"):
        call_command("health", "mail")
    call_command("health", "clocks")


def test_the_health_of_beat_is_the_heartbeat_alone(moment, ann):
    late_notice(moment, ann, None)
    call_command("health", "beat")
    Heartbeat.objects.update(at=moment - timedelta(hours=1))
    with pytest.raises(CommandError, match="No periodic task ran"):
        call_command("health", "beat")
