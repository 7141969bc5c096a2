"""All instants that decide come from one clock, the database's."""

import logging
import re
from datetime import timedelta
from pathlib import Path

import pytest
import time_machine
from django.conf import settings
from django.db import connection
from django.utils import timezone

from accounts.server_time import clock_skew, is_clock_right, server_now
from config import timeouts
from config.runs import TaskRuns
from config.timeouts import ProcessRole
from games.models import Heartbeat, Outage
from games.services.clock import outages
from games.services.record import faults_of, turn_hash
from tests import table_snapshot
from tests.games.play import begin, fresh, play

SECOND = timedelta(seconds=1)


@pytest.fixture
def serving():
    """Let this process measure its clock at each connection, as one that serves does."""
    timeouts.set_process_role(ProcessRole.CHORES)
    yield
    timeouts.set_process_role(ProcessRole.COMMAND)


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("minutes", [5.5, -5])
def test_a_machine_whose_clock_is_wrong_goes_by_the_databases(serving, caplog, minutes):
    true = timezone.now()
    with time_machine.travel(true + timedelta(minutes=minutes), tick=True):
        connection.close()
        connection.ensure_connection()
        assert abs(server_now() - true) < 30 * SECOND
        assert abs(clock_skew() - timedelta(minutes=minutes)) < 30 * SECOND
        assert not is_clock_right()
        assert "off the database's" in caplog.text
    caplog.set_level(logging.INFO)
    connection.close()
    connection.ensure_connection()
    assert is_clock_right()
    assert "is right again" in caplog.text


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_a_machine_whose_clock_is_right_is_not_corrected(serving):
    connection.close()
    connection.ensure_connection()
    assert abs(clock_skew()) < SECOND


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("minutes", [5.5, -5])
def test_a_clock_that_is_set_later_changes_nothing_and_is_seen_at_once(serving, minutes):
    """Without a new connection: they live for a minute."""
    connection.close()
    connection.ensure_connection()
    true = timezone.now()
    with time_machine.travel(true + timedelta(minutes=minutes), tick=True):
        assert abs(server_now() - true) < 30 * SECOND
        assert not is_clock_right()
    assert is_clock_right()


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_a_periodic_task_does_not_run_while_the_clock_is_wrong(serving):
    done = []

    def work():
        done.append(is_clock_right())
        return 1

    connection.close()
    connection.ensure_connection()
    with time_machine.travel(timezone.now() + timedelta(minutes=5), tick=True):
        assert TaskRuns().run("send_notices", work) == 0
    assert done == []
    assert TaskRuns().run("send_notices", work) == 1
    assert done == [True]


def test_nothing_asks_the_machines_own_clock():
    """`server_now` decides. Sessions end by the machine's clock, as Django writes them."""
    asked = [
        f"{path.relative_to(settings.BASE_DIR)}: {line.strip()}"
        for app in ("accounts", "config", "games", "notifications")
        for path in sorted((Path(settings.BASE_DIR) / app).rglob("*.py"))
        if path.name not in ("server_time.py", "sessions.py") and "migrations" not in path.parts
        for line in path.read_text().splitlines()
        if re.search(r"timezone\.now\b|datetime\.(now|utcnow|today)\b", line)
    ]
    assert asked == []


@pytest.mark.django_db
def test_a_record_never_runs_backwards(ann, bob, now):
    game = begin(ann, bob, now=now)
    play(game, ann, "5", now=now + 3 * SECOND)
    play(game, bob, "1", now=now)
    times = list(fresh(game).turns.order_by("number").values_list("played_at", flat=True))
    assert times == [now + 3 * SECOND, now + 3 * SECOND]
    assert faults_of(fresh(game)) == []


@pytest.mark.django_db
def test_a_check_sees_a_turn_before_its_predecessor(ann, bob, now):
    """As a server whose clock was behind wrote them: with hashes that match."""
    game = begin(ann, bob, now=now)
    play(game, ann, "5", now=now)
    play(game, bob, "1", now=now)
    first, second = fresh(game).turns.order_by("number")
    second.played_at = now - 300 * SECOND
    second.hash = turn_hash(first.hash, second.seat, second.notation, second.played_at)
    with table_snapshot.triggers_off():
        second.save()
    game = fresh(game)
    game.head_hash = second.hash
    game.save()
    assert [str(fault.what) for fault in faults_of(game)] == [
        "turn 2 is earlier than the one before it"
    ]


@pytest.mark.django_db
def test_a_heartbeat_in_the_future_is_taken_back_and_hides_no_outage(caplog):
    now = timezone.now()
    Heartbeat.objects.update_or_create(pk=1, defaults={"at": now + timedelta(minutes=6)})
    assert outages.record_heartbeat(now=now) == 0
    assert Heartbeat.objects.get().at == now
    assert "was in the future" in caplog.text
    assert outages.record_heartbeat(now=now + timedelta(minutes=30)) == 1
    gap = Outage.objects.get()
    assert (gap.began_at, gap.ended_at) == (now, now + timedelta(minutes=30))
