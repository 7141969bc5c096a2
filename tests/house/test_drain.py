"""The worker without a broker: tasks run when due, and one failure does not stop the others."""

import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from config.local_wakeups import LocalWakeups, woken_tasks
from config.models import ChoreRun
from config.runs import runs
from config.schedule import QUEUES
from config.worker import (
    MAX_REPEATS,
    PeriodicTask,
    run_forever,
    run_queues,
    run_until_idle,
    run_woken,
)
from games import wakeups
from games.services import thinking
from notifications.outbox import delivery
from tests.games.play import begin

pytestmark = pytest.mark.django_db  # the loop looks after its connections


TIMEOUT = 30


@pytest.fixture(autouse=True)
def _as_its_own_process():
    """Let each test be a process of its own."""
    runs.reset()
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    delivery.stopping.clear()
    thinking.stopping.clear()
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


class Woken(Work):
    """Work that notes when it was called, and sets `called`."""

    def __init__(self):
        super().__init__()
        self.called = threading.Event()

    def __call__(self):
        self.called.set()
        return super().__call__()


def test_a_task_that_is_woken_runs_at_once_and_no_other_does(monkeypatch):
    monkeypatch.setattr(settings, "WAKEUP_TASKS", {"news": ["read"], "more": ["write"]})
    local, stopping = LocalWakeups(), threading.Event()
    read, write, other = Woken(), Woken(), Woken()
    queues = [
        [PeriodicTask("read", read, 900), PeriodicTask("other", other, 900)],
        [PeriodicTask("write", write, 900)],
    ]
    with ThreadPoolExecutor(1) as threads:
        loop = threads.submit(run_queues, queues, stopping, local)
        try:
            for work in (read, write, other):
                assert work.called.wait(TIMEOUT)
                work.called.clear()
            local.tell("news")
            assert read.called.wait(TIMEOUT)
            local.tell("more")
            assert write.called.wait(TIMEOUT)
        finally:
            stopping.set()
        loop.result(TIMEOUT)
    assert (read.calls, write.calls, other.calls) == (2, 2, 1)


def test_what_is_written_during_a_run_is_looked_at_afterwards():
    stopping, look = threading.Event(), threading.Event()
    seen = []

    def work():
        seen.append(len(seen))
        if len(seen) == 1:
            task.is_woken = True  # as another thread does when it hears of something
            look.set()
        else:
            stopping.set()
        return 0

    task = PeriodicTask("read", work, 900)
    run_forever([task], stopping, look)
    assert seen == [0, 1]


@pytest.mark.django_db(transaction=True)
def test_writing_wakes_the_worker_without_a_broker(ann, bob):
    told = []
    wakeups.reset()
    wakeups.tell_worker_by(told.append)
    try:
        begin(ann, bob, now=timezone.now())
    finally:
        wakeups.tell_worker_by(None)
        wakeups.reset()
    assert "events" in told


@pytest.mark.parametrize(("hold", "seconds"), [(90, 20), (5, 5), (1, 2), (0, 20)])
def test_held_mails_do_not_wait_for_the_next_look(monkeypatch, settings, hold, seconds):
    started = []
    monkeypatch.setattr("config.worker.run_queues", lambda queues, *_: started.extend(queues[0]))
    settings.MAIL_HOLD = timedelta(seconds=hold)
    run_woken(LocalWakeups(), ["mail"], threading.Event())
    assert [task.seconds for task in started] == [seconds, 60]  # sending, and polling a mailbox


def test_tasks_that_nobody_wakes_keep_their_times():
    woken = woken_tasks()
    for queue in QUEUES.values():
        for name, seconds in queue:
            assert seconds >= 10 or name in woken, name


def test_a_full_pipe_does_no_harm():
    local = LocalWakeups()
    for _ in range(100_000):
        local.tell("events")


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
