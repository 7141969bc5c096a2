"""Processes of a server are asked once to stop, and the listener bears to be asked twice."""

import os
import signal
import socket
import subprocess
import sys

import pytest

from config.processes import ProcessGroup
from tests.house.waiting import wait_until
from tests.notifications.outgoing_mail import environment
from tests.servers import free_port

SIGNALLED_WHILE_IT_CLOSES = """
import os, signal, sys
from asyncio import base_events

close = base_events.BaseEventLoop.close

def close_and_signal(loop):
    close(loop)
    os.kill(os.getpid(), signal.SIGTERM)

base_events.BaseEventLoop.close = close_and_signal

from django.core.management import execute_from_command_line

execute_from_command_line(sys.argv)
"""


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("first", [signal.SIGINT, signal.SIGTERM])
def test_a_second_signal_changes_nothing(first):
    port = free_port()
    listener = subprocess.Popen(
        [sys.executable, "-c", SIGNALLED_WHILE_IT_CLOSES, "listen", f"127.0.0.1:{port}"],
        env=environment(),
        stderr=subprocess.PIPE,
        text=True,
    )
    with listener:
        wait_until(lambda: takes_connections(port), "the listener takes connections")
        listener.send_signal(first)
        _, said = listener.communicate(timeout=60)
    assert said == ""
    assert listener.returncode == 0


def takes_connections(port):
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=5):
            return True
    except OSError:
        return False


IGNORES_SIGNALS = """
import pathlib, signal, sys

signal.signal(signal.SIGTERM, signal.SIG_IGN)
pathlib.Path(sys.argv[1]).touch()
signal.pause()
"""


def test_a_process_is_asked_once_to_stop(tmp_path, monkeypatch):
    asked, terminate = [], subprocess.Popen.terminate

    def count(process):
        asked.append(process.pid)
        terminate(process)

    monkeypatch.setattr(subprocess.Popen, "terminate", count)
    group, ready = ProcessGroup(tmp_path, os.environ), tmp_path / "ready"
    group.start("busy", [sys.executable, "-c", IGNORES_SIGNALS, str(ready)])
    try:
        wait_until(ready.exists, "it ignores signals")
        group.ask_to_stop()
        assert group.first_exited() is None
    finally:
        group.stop(timeout=0)  # which kills it in the end
    assert asked == [group.members["busy"].pid]
    assert group.first_exited() == "busy"
