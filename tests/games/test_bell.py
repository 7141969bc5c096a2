"""The doorbell: whatever happens to the broker, a move neither fails nor waits for it."""

import time

import pytest
from django.db import transaction
from redis import Redis

from config.schedule import QUEUES
from games import wakeups
from games.services.invitations import ask_partner
from tests.games.play import fresh, play, table
from tests.servers import BlackHole, free_port, redis

pytestmark = pytest.mark.django_db(transaction=True)

BOUND = 20 * wakeups.BROKER_TIMEOUT
"""Seconds a move may take on a busy machine: who waits for a broker without end takes longer."""


@pytest.fixture
def broker(settings, monkeypatch):
    """Return what sets the broker's address, as a host does: nothing is silent yet."""

    def choose(address):
        settings.CELERY_BROKER_URL = address
        monkeypatch.setenv("CELERY_BROKER_URL", address)
        wakeups.reset()

    wakeups.reset()
    yield choose
    wakeups.reset()


def seconds_of(do):
    start = time.monotonic()
    do()
    return time.monotonic() - start


def test_a_broker_that_is_not_there_neither_fails_nor_delays_a_move(game, ann, now, broker):
    broker(f"redis://127.0.0.1:{free_port()}/0")
    assert seconds_of(lambda: play(game, ann, "5", now=now)) < BOUND
    assert fresh(game).turn_number == 1


def test_a_broker_that_never_answers_neither_fails_nor_delays_a_move(game, ann, now, broker):
    with BlackHole() as hole:
        broker(hole.address)
        assert seconds_of(lambda: play(game, ann, "5", now=now)) < BOUND
        assert hole.connections  # it was tried
    assert fresh(game).turn_number == 1


def test_after_a_failure_there_is_silence(game, ann, bob, now, broker):
    with BlackHole() as hole:
        broker(hole.address)
        play(game, ann, "5", now=now)
        tried = len(hole.connections)
        play(game, bob, "1", now=now)
        assert len(hole.connections) == tried
    assert fresh(game).turn_number == 2


def test_the_silence_ends(game, ann, bob, now, broker, monkeypatch):
    with BlackHole() as hole:
        broker(hole.address)
        play(game, ann, "5", now=now)
        tried = len(hole.connections)
        later = time.monotonic() + wakeups.BROKER_BACKOFF + 1
        monkeypatch.setattr(wakeups.time, "monotonic", lambda: later)
        play(game, bob, "1", now=now)
        assert len(hole.connections) > tried


def test_a_broker_that_comes_back_hears_the_bell(game, ann, bob, now, broker, settings):
    broker(f"redis://127.0.0.1:{free_port()}/0")
    play(game, ann, "5", now=now)
    with redis() as address:
        broker(f"{address}/0")
        play(game, bob, "1", now=now)
        waiting = Redis.from_url(f"{address}/0").lrange("chores", 0, -1)
    rung = [task for task in settings.BELLS["events"] for call in waiting if task.encode() in call]
    assert rung == settings.BELLS["events"]


# Many at once ------------------------------------------------------------------------------------


@pytest.fixture
def queue(broker):
    """The messages that wait for a worker, in a real Redis."""
    with redis() as address:
        broker(f"{address}/0")
        yield Queue(Redis.from_url(f"{address}/0"))


class Queue:
    def __init__(self, connection):
        self.connection = connection

    def take(self, task):
        """Return how many messages for a task there were; none is left of them."""
        with self.connection.pipeline() as pipe:
            for name in QUEUES:
                pipe.lrange(name, 0, -1).delete(name)
            found = pipe.execute()
        return sum(task.encode() in message for messages in found[::2] for message in messages)

    def hears(self, task):
        """Wait for a message for a task; tell whether one came."""
        last_moment = time.monotonic() + BOUND
        while not (came := self.take(task)) and time.monotonic() < last_moment:
            time.sleep(0.02)
        return bool(came)


SEND = "notifications.tasks.send_notices"


def test_many_events_at_once_lead_to_one_message_under_way(queue):
    began = time.monotonic()
    for _ in range(200):
        wakeups.notify_workers("notices")
    windows = (time.monotonic() - began) / wakeups.MINIMUM_INTERVAL
    assert 1 <= queue.take(SEND) <= 1 + windows


def test_what_happens_after_a_worker_took_the_message_rings_once_more(queue):
    wakeups.notify_workers("notices")
    assert queue.take(SEND) == 1
    wakeups.notify_workers("notices")
    assert queue.hears(SEND), "nobody else says that something has happened since"
    time.sleep(2 * wakeups.MINIMUM_INTERVAL)
    assert queue.take(SEND) == 0, "it was told already"


def test_each_bell_rings_in_the_queue_of_its_tasks(queue):
    for name in ("notices", "events", "clocks"):
        wakeups.notify_workers(name)
    lengths = {name: queue.connection.llen(name) for name in QUEUES}
    assert lengths == {"mail": 1, "chores": 1, "clocks": 1}


def test_one_bell_does_not_silence_another(queue):
    wakeups.notify_workers("notices")
    wakeups.notify_workers("events")
    assert queue.take("notifications.tasks.make_notices") == 1


def test_a_bell_rings_at_once_when_it_was_silent_for_a_while(queue):
    wakeups.notify_workers("notices")
    time.sleep(1.1 * wakeups.MINIMUM_INTERVAL)
    queue.take(SEND)
    wakeups.notify_workers("notices")
    assert queue.take(SEND) == 1


def test_what_did_not_happen_rings_no_bell(game, ann, now, broker):
    with BlackHole() as hole:
        broker(hole.address)
        with transaction.atomic():
            play(game, ann, "5", now=now)
            transaction.set_rollback(True)
        assert hole.connections == []
    assert fresh(game).turn_number == 0


@pytest.fixture
def rung(broker, monkeypatch, settings):
    """The bells that were rung, by name."""
    broker("redis://127.0.0.1:1/0")
    names = []
    by_tasks = {tuple(tasks): name for name, tasks in settings.BELLS.items()}
    monkeypatch.setattr(wakeups, "_send", lambda tasks: names.append(by_tasks[tuple(tasks)]))
    return names


def test_nothing_rings_before_the_commit(game, ann, now, rung):
    with transaction.atomic():
        play(game, ann, "5", now=now)
        assert rung == []
    assert rung == ["events"]


def test_a_program_is_rung_for_when_it_is_asked_and_when_it_is_to_move(ann, partner, now, rung):
    game = table(ann, now=now, seat=1)
    rung.clear()
    ask_partner(game_id=game.pk, by=ann, now=now)
    assert "programs" in rung


def test_without_a_broker_nobody_rings(game, ann, now, rung, settings):
    settings.CELERY_BROKER_URL = ""
    play(game, ann, "5", now=now)
    assert rung == []
