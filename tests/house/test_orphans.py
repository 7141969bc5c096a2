"""What a killed parent leaves behind: children that get several signals, and end all the same."""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.client import HTTPConnection, HTTPException

import pytest
from django.conf import settings

from config.pages import KILL_TIMEOUT
from tests.house.waiting import TIMEOUT, wait_until
from tests.servers import free_port
from tests.var_folder import environment, processes_of

SIGNAL_AT_A_LINE = """
import itertools, signal, sys

from config.processes import stop_on_signals


def is_interrupted(work, number):
    # Do the work, with a signal before its line of this number; return whether it has that line.
    left = number

    def trace(frame, event, argument):
        nonlocal left
        left -= event == "line"
        if left == 0 and event == "line":
            signal.raise_signal(signal.SIGTERM)
        return trace

    sys.settrace(trace)
    work()
    sys.settrace(None)
    return left <= 0


def wait():
    stopping.wait(0.01)


def hear_a_signal():
    signal.raise_signal(signal.SIGTERM)


for work in (wait, hear_a_signal):
    for number in itertools.count(1):
        stopping = stop_on_signals()
        if not is_interrupted(work, number):
            break
        assert stopping.wait()
    print(work.__name__, number > 3)
"""


def test_a_signal_may_come_at_any_line_of_waiting_and_of_hearing_another(tmp_path):
    said = subprocess.run(
        [sys.executable, "-c", SIGNAL_AT_A_LINE],
        cwd=settings.BASE_DIR,
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert (said.stdout, said.stderr) == ("wait True\nhear_a_signal True\n", "")


PAGES_THAT_TAKE_LONG = """
import multiprocessing, sys, time

import config.wsgi
from config.pages import serve_pages


busy = multiprocessing.Value("i")


def take_long(environ, start_response):
    said = b"here"
    if environ["PATH_INFO"] == "/slow":
        with busy:
            busy.value += 1
        time.sleep(float(environ["QUERY_STRING"]))
    elif environ["PATH_INFO"] == "/busy":
        said = str(busy.value).encode()
    start_response("200 OK", [])
    return [said]


config.wsgi.application = take_long
serve_pages("127.0.0.1", int(sys.argv[1]), 2, started=lambda: None, stopping=lambda: None)
"""


class Pages:
    """The web server with two workers, which answers /slow?N after N seconds."""

    def __init__(self, folder):
        self.folder, self.port = folder, free_port()

    def __enter__(self):
        env = environment(self.folder) | {"DJANGO_SETTINGS_MODULE": "config.settings.dev"}
        command = [sys.executable, "-c", PAGES_THAT_TAKE_LONG, str(self.port)]
        self.process = subprocess.Popen(command, cwd=settings.BASE_DIR, env=env)
        wait_until(lambda: self.get("/") == b"here", "pages come")
        return self

    def __exit__(self, *error):
        for pid in processes_of(self.folder):
            with suppress(ProcessLookupError):  # it ended meanwhile
                os.kill(pid, signal.SIGKILL)
        self.process.wait()

    def get(self, path):
        """Return what the server answers, None if it ends the connection without an answer."""
        with suppress(ConnectionError, HTTPException):
            connection = HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
            connection.request("GET", path)
            return connection.getresponse().read()


@pytest.fixture
def pages(tmp_path):
    with Pages(tmp_path) as pages:
        yield pages


def answers_while_killed(pages, paths):
    """Return what is answered while the parent of the workers is killed."""
    with ThreadPoolExecutor(len(paths)) as asking:
        answers = [asking.submit(pages.get, path) for path in paths]
        wait_until(lambda: pages.get("/busy") == str(len(paths)).encode(), "all are being answered")
        workers = [pid for pid in processes_of(pages.folder) if pid != pages.process.pid]
        pages.process.kill()
        pages.process.wait()
        for _ in range(3):  # the kernel sends it again for each thread of the parent, sometimes
            for pid in workers:
                os.kill(pid, signal.SIGUSR1)
            time.sleep(0.1)  # two at once would be one
        return [answer.result() for answer in answers]


@pytest.mark.slow
def test_workers_of_the_pages_answer_what_they_have_begun_when_their_parent_is_killed(pages):
    answers = answers_while_killed(pages, [f"/slow?{KILL_TIMEOUT / 2}"] * 4)
    assert answers == [b"here"] * 4
    wait_until(lambda: not processes_of(pages.folder), "they have ended")


@pytest.mark.slow
def test_what_takes_longer_than_the_parent_would_allow_is_broken_off(pages):
    assert answers_while_killed(pages, ["/slow?3600"] * 4) == [None] * 4
    wait_until(lambda: not processes_of(pages.folder), "they have ended")
