"""A listener and a processor that are killed at a point of their work.

`python -m tests.notifications.killed_processes listen POINT PORT` and `... process POINT MOMENT`;
without a point they work as they should. The functions of the product are wrapped from outside.
"""

import asyncio
import functools
import os
import signal
import sys

import django
from django.utils.dateparse import parse_datetime


def killed(*args, **kwargs):
    os.kill(os.getpid(), signal.SIGKILL)


def dying_after(module, name):
    """Let the process die as soon as this function has done its work."""
    original = getattr(module, name)

    @functools.wraps(original)
    def wrapped(*args, **kwargs):
        original(*args, **kwargs)
        killed()

    setattr(module, name, wrapped)


def listen(point, port):
    from notifications import listener
    from notifications.incoming import receiving

    if point == "before it is stored":
        receiving.receive = killed
    elif point == "before the commit":
        dying_after(receiving.wakeups, "notify_workers")
    elif point == "before the answer":
        dying_after(receiving, "receive")
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    asyncio.run(listener.listen(listener.SocketAddress("127.0.0.1", int(port)), asyncio.Event()))


def process(point, moment):
    from games.services import turns
    from notifications.incoming import classify, processing
    from notifications.mail_commands import dispatch

    points = {
        "claimed": (processing, "claim"),
        "read": (classify, "parse"),
        "played": (turns, "play_turn"),
        "passed on": (dispatch, "pass_on"),
        "answered": (dispatch, "write_answer"),
        "acted": (dispatch, "execute"),
        "marked": (processing, "mark_processed"),
        "committed": (processing, "settle"),
    }
    if point:
        dying_after(*points[point])
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    processing.process_due(now=parse_datetime(moment))


if __name__ == "__main__":
    django.setup()
    {"listen": listen, "process": process}[sys.argv[1]](*sys.argv[2:])
