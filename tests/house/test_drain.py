"""The loop without a broker: what is due is done, and one failure does not stop the others."""

import threading

import pytest

from config.drain import AT_A_TIME, Chore, drain_forever, drain_once

pytestmark = pytest.mark.django_db  # the loop looks after its connections


class Work:
    """A chore with some things to do."""

    def __init__(self, *results):
        self.results = list(results)
        self.calls = 0

    def __call__(self):
        self.calls += 1
        result = self.results.pop(0) if self.results else 0
        if isinstance(result, Exception):
            raise result
        return result


def test_a_chore_goes_on_at_once_while_there_is_work():
    work = Work(3, 2, 0, 7)
    assert Chore("some", work, 10).run(threading.Event()) == 5
    assert work.calls == 3


def test_a_chore_without_end_lets_the_others_have_their_turn():
    work = Work(*[1] * (AT_A_TIME * 2))
    assert Chore("endless", work, 10).run(threading.Event()) == AT_A_TIME


def test_a_chore_stops_when_told_to():
    stopping = threading.Event()
    work = Work(1, 1, 1)

    def work_and_stop():
        stopping.set()
        return work()

    assert Chore("some", work_and_stop, 10).run(stopping) == 1


def test_an_error_is_logged_and_the_other_chores_go_on(caplog):
    broken, whole = Work(ValueError("no luck")), Work(1, 1)
    chores = [Chore("broken", broken, 10), Chore("whole", whole, 10)]
    assert drain_once(chores, threading.Event()) == 2
    assert "broken failed" in caplog.text
    assert "no luck" in caplog.text


def test_once_goes_round_until_nothing_causes_more_work():
    later = Work(0, 4)
    first = Work(1)
    assert (
        drain_once([Chore("later", later, 10), Chore("first", first, 10)], threading.Event()) == 5
    )
    assert later.calls == 4


def test_the_loop_does_a_chore_again_only_when_it_is_due():
    stopping = threading.Event()
    rare = Work()

    def often():
        if often_calls.append(1) or len(often_calls) == 5:
            stopping.set()
        return 0

    often_calls = []
    drain_forever([Chore("rare", rare, 60), Chore("often", often, 0.01)], stopping)
    assert rare.calls == 1
    assert len(often_calls) == 5


def test_the_loop_survives_an_error():
    stopping = threading.Event()
    calls = []

    def failing():
        calls.append(1)
        if len(calls) == 3:
            stopping.set()
        raise ValueError

    drain_forever([Chore("failing", failing, 0.01)], stopping)
    assert len(calls) == 3
