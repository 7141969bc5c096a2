"""The doorbell: whatever happens to the broker, a move neither fails nor waits for it."""

import socket
import threading
import time

import pytest
from django.db import transaction
from redis import Redis

from games.services import bell
from games.services.programs import ask_partner
from tests.games.play import fresh, play, table
from tests.servers import free_port, redis

pytestmark = pytest.mark.django_db(transaction=True)

BOUND = 20 * bell.PATIENCE
"""Seconds a move may take on a busy machine: who waits for a broker without end takes longer."""
"""Connecting, one answer, and a second for the move itself on a busy machine."""


@pytest.fixture
def broker(settings, monkeypatch):
    """Return what sets the broker's address, as a host does: nothing is silent yet."""

    def choose(address):
        settings.CELERY_BROKER_URL = address
        monkeypatch.setenv("CELERY_BROKER_URL", address)
        monkeypatch.setattr(bell, "_silent_until", 0.0)

    monkeypatch.setattr(bell, "_silent_until", 0.0)
    return choose


class BlackHole:
    """Listens, takes every connection and never says a word."""

    def __enter__(self):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.guests = []
        threading.Thread(target=self._listen, daemon=True).start()
        return self

    def _listen(self):
        try:
            while True:
                self.guests.append(self.socket.accept()[0])
        except OSError:
            return

    def __exit__(self, *error):
        self.socket.close()
        for guest in self.guests:
            guest.close()

    @property
    def address(self):
        return f"redis://127.0.0.1:{self.socket.getsockname()[1]}/0"


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
        assert hole.guests  # it was tried
    assert fresh(game).turn_number == 1


def test_after_a_failure_there_is_silence(game, ann, bob, now, broker):
    with BlackHole() as hole:
        broker(hole.address)
        play(game, ann, "5", now=now)
        tried = len(hole.guests)
        play(game, bob, "1", now=now)
        assert len(hole.guests) == tried
    assert fresh(game).turn_number == 2


def test_the_silence_ends(game, ann, bob, now, broker, monkeypatch):
    with BlackHole() as hole:
        broker(hole.address)
        play(game, ann, "5", now=now)
        tried = len(hole.guests)
        later = time.monotonic() + bell.SILENCE + 1
        monkeypatch.setattr(bell.time, "monotonic", lambda: later)
        play(game, bob, "1", now=now)
        assert len(hole.guests) > tried


def test_a_broker_that_comes_back_hears_the_bell(game, ann, bob, now, broker, settings):
    broker(f"redis://127.0.0.1:{free_port()}/0")
    play(game, ann, "5", now=now)
    with redis() as address:
        broker(f"{address}/0")
        play(game, bob, "1", now=now)
        waiting = Redis.from_url(f"{address}/0").lrange("celery", 0, -1)
    rung = [task for task in settings.BELLS["events"] for call in waiting if task.encode() in call]
    assert rung == settings.BELLS["events"]


def test_what_did_not_happen_rings_no_bell(game, ann, now, broker):
    with BlackHole() as hole:
        broker(hole.address)
        with transaction.atomic():
            play(game, ann, "5", now=now)
            transaction.set_rollback(True)
        assert hole.guests == []
    assert fresh(game).turn_number == 0


@pytest.fixture
def rung(broker, monkeypatch, settings):
    """The bells that were rung, by name."""
    broker("redis://127.0.0.1:1/0")
    names = []
    by_tasks = {tuple(tasks): name for name, tasks in settings.BELLS.items()}
    monkeypatch.setattr(bell, "_send", lambda tasks: names.append(by_tasks[tuple(tasks)]))
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
