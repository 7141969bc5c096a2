"""Waking the workers: whatever happens to the broker, a move neither fails nor waits for it."""

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

LONGEST_MOVE = 20 * wakeups.BROKER_TIMEOUT
"""Seconds a move may take on a busy machine: waiting for a broker without end takes longer."""


@pytest.fixture
def broker(settings, monkeypatch):
    """Return what sets the broker's address, as a host does: it counts as working."""

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
    assert seconds_of(lambda: play(game, ann, "5", now=now)) < LONGEST_MOVE
    assert fresh(game).turn_number == 1


def test_a_broker_that_never_answers_neither_fails_nor_delays_a_move(game, ann, now, broker):
    with BlackHole() as hole:
        broker(hole.address)
        assert seconds_of(lambda: play(game, ann, "5", now=now)) < LONGEST_MOVE
        assert hole.connections  # it was tried
    assert fresh(game).turn_number == 1


def test_after_a_failure_there_is_no_further_try_for_a_while(game, ann, bob, now, broker):
    with BlackHole() as hole:
        broker(hole.address)
        play(game, ann, "5", now=now)
        tried = len(hole.connections)
        play(game, bob, "1", now=now)
        assert len(hole.connections) == tried
    assert fresh(game).turn_number == 2


def test_after_a_while_the_broker_is_tried_again(game, ann, bob, now, broker, monkeypatch):
    with BlackHole() as hole:
        broker(hole.address)
        play(game, ann, "5", now=now)
        tried = len(hole.connections)
        later = time.monotonic() + wakeups.BROKER_BACKOFF + 1
        monkeypatch.setattr(wakeups.time, "monotonic", lambda: later)
        play(game, bob, "1", now=now)
        assert len(hole.connections) > tried


def test_a_broker_that_comes_back_gets_messages(game, ann, bob, now, broker, settings):
    broker(f"redis://127.0.0.1:{free_port()}/0")
    play(game, ann, "5", now=now)
    with redis() as address:
        broker(f"{address}/0")
        play(game, bob, "1", now=now)
        waiting = Redis.from_url(f"{address}/0").lrange("chores", 0, -1)
    sent = [
        task
        for task in settings.WAKEUP_TASKS["events"]
        for call in waiting
        if task.encode() in call
    ]
    assert sent == settings.WAKEUP_TASKS["events"]


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

    def waits_for(self, task):
        """Wait for a message for a task; tell whether one came."""
        last_moment = time.monotonic() + LONGEST_MOVE
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


def test_what_happens_after_a_worker_took_the_message_sends_another(queue):
    wakeups.notify_workers("notices")
    assert queue.take(SEND) == 1
    wakeups.notify_workers("notices")
    assert queue.waits_for(SEND), "nobody else says that something has happened since"
    time.sleep(2 * wakeups.MINIMUM_INTERVAL)
    assert queue.take(SEND) == 0, "it was told already"


def test_each_wakeup_goes_to_the_queue_of_its_tasks(queue):
    for name in ("notices", "events", "clocks"):
        wakeups.notify_workers(name)
    lengths = {name: queue.connection.llen(name) for name in QUEUES}
    assert lengths == {"mail": 1, "chores": 2, "clocks": 1, "push": 0, "programs": 0}


def test_one_wakeup_does_not_delay_another(queue):
    wakeups.notify_workers("notices")
    wakeups.notify_workers("events")
    assert queue.take("notifications.tasks.make_notices") == 1


def test_a_wakeup_is_sent_at_once_when_the_last_was_long_ago(queue):
    wakeups.notify_workers("notices")
    time.sleep(1.1 * wakeups.MINIMUM_INTERVAL)
    queue.take(SEND)
    wakeups.notify_workers("notices")
    assert queue.take(SEND) == 1


def test_what_is_rolled_back_sends_no_wakeup(game, ann, now, broker):
    with BlackHole() as hole:
        broker(hole.address)
        with transaction.atomic():
            play(game, ann, "5", now=now)
            transaction.set_rollback(True)
        assert hole.connections == []
    assert fresh(game).turn_number == 0


@pytest.fixture
def sent(broker, monkeypatch, settings):
    """The wake-ups that were sent, by name."""
    broker("redis://127.0.0.1:1/0")
    names = []
    by_tasks = {tuple(tasks): name for name, tasks in settings.WAKEUP_TASKS.items()}
    monkeypatch.setattr(wakeups, "_send", lambda tasks: names.append(by_tasks[tuple(tasks)]))
    return names


def test_no_wakeup_before_the_commit(game, ann, now, sent):
    with transaction.atomic():
        play(game, ann, "5", now=now)
        assert sent == []
    assert sent == ["events"]


def test_a_wakeup_for_bots_when_one_is_asked(ann, partner, now, sent):
    game = table(ann, now=now, seat=1)
    sent.clear()
    ask_partner(game_id=game.pk, by=ann, now=now)
    assert "bots" in sent


def test_without_a_broker_no_wakeup_is_sent(game, ann, now, sent, settings):
    settings.CELERY_BROKER_URL = ""
    play(game, ann, "5", now=now)
    assert sent == []
