"""The worker without a broker: tasks run when due, and one failure does not stop the others."""

import signal
import threading

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from config.models import ChoreRun
from config.runs import runs
from config.schedule import QUEUES
from config.worker import MAX_REPEATS, PeriodicTask, run_forever, run_queues, run_until_idle
from notifications.outbox import delivery

pytestmark = pytest.mark.django_db  # the loop looks after its connections


TIMEOUT = 30


@pytest.fixture(autouse=True)
def _as_its_own_process():
    """Let each test be a process of its own."""
    runs.reset()
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    delivery.stopping.clear()
    for number, handler in handlers.items():
        signal.signal(number, handler)


class Work:
    """The work of a task: what each run returns or raises."""

    def __init__(self, *results):
        self.results = list(results)
        self.calls = 0

    def __call__(self):
        self.calls += 1
        result = self.results.pop(0) if self.results else 0
        if isinstance(result, Exception):
            raise result
        return result


def test_a_task_is_repeated_at_once_while_there_is_work():
    work = Work(3, 2, 0, 7)
    assert PeriodicTask("some", work, 10).run(threading.Event()) == 5
    assert work.calls == 3


def test_a_task_without_end_lets_the_others_have_their_turn():
    work = Work(*[1] * (MAX_REPEATS * 2))
    assert PeriodicTask("endless", work, 10).run(threading.Event()) == MAX_REPEATS


def test_a_task_stops_when_told_to():
    stopping = threading.Event()
    work = Work(1, 1, 1)

    def work_and_stop():
        stopping.set()
        return work()

    assert PeriodicTask("some", work_and_stop, 10).run(stopping) == 1


def test_an_error_is_logged_and_the_other_tasks_go_on(caplog):
    broken, whole = Work(ValueError("no luck")), Work(1, 1)
    tasks = [PeriodicTask("broken", broken, 10), PeriodicTask("whole", whole, 10)]
    assert run_until_idle(tasks, threading.Event()) == 2
    assert "broken failed" in caplog.text
    assert "no luck" in caplog.text


def test_once_goes_round_until_nothing_causes_more_work():
    later = Work(0, 4)
    first = Work(1)
    assert (
        run_until_idle(
            [PeriodicTask("later", later, 10), PeriodicTask("first", first, 10)], threading.Event()
        )
        == 5
    )
    assert later.calls == 4


def test_the_loop_does_a_task_again_only_when_it_is_due():
    stopping = threading.Event()
    rare = Work()

    def often():
        if often_calls.append(1) or len(often_calls) == 5:
            stopping.set()
        return 0

    often_calls = []
    run_forever([PeriodicTask("rare", rare, 60), PeriodicTask("often", often, 0.01)], stopping)
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

    run_forever([PeriodicTask("failing", failing, 0.01)], stopping)
    assert len(calls) == 3


# Several queues ----------------------------------------------------------------------------------


def test_a_queue_that_hangs_does_not_hold_up_another():
    stopping, other_ran = threading.Event(), threading.Event()

    def hang():
        assert other_ran.wait(TIMEOUT)
        stopping.set()
        return 0

    def other():
        other_ran.set()
        return 0

    run_queues([[PeriodicTask("hangs", hang, 10)], [PeriodicTask("other", other, 0.01)]], stopping)
    assert other_ran.is_set()


def test_a_queue_that_breaks_ends_the_others_and_its_error_is_raised():
    class Broken(BaseException):
        """Nothing that a task's own errors are."""

    def broken():
        raise Broken

    ran = Work()
    with pytest.raises(Broken):
        run_queues(
            [[PeriodicTask("broken", broken, 1)], [PeriodicTask("runs", ran, 0.01)]],
            threading.Event(),
        )
    assert not [one for one in threading.enumerate() if one.name.startswith("drain")]


def test_each_queue_has_a_connection_of_its_own():
    stopping = threading.Event()
    seen, both = set(), threading.Barrier(2)

    def look():
        seen.add(id(connection.connection or connection.cursor().connection))
        both.wait(TIMEOUT)
        stopping.set()
        return 0

    run_queues([[PeriodicTask("one", look, 10)], [PeriodicTask("two", look, 10)]], stopping)
    assert len(seen) == 2


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("queue", QUEUES)
def test_a_process_may_do_one_queue_only(queue, capsys):
    call_command("drain", "--once", "--only", queue)
    ran = set(ChoreRun.objects.values_list("name", flat=True))
    assert ran == {name for name, _ in QUEUES[queue]}


def test_a_queue_that_does_not_exist_is_refused():
    with pytest.raises(CommandError, match="invalid choice: 'letters'"):
        call_command("drain", "--only", "letters")
