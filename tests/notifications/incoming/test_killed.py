"""kill -9 of the listener and of the processor at each step: no mail is lost, none acts twice."""

import smtplib
import subprocess
import sys
import time
from contextlib import contextmanager
from datetime import timedelta

import pytest

from games.models import Message, Turn
from notifications.incoming.processing import process_due
from notifications.incoming.receiving import receive
from notifications.models import IncomingMail, Kind, Notice
from notifications.models.incoming import CLAIM_TIMEOUT
from notifications.services.replies import reply_address
from tests.notifications.incoming_mail import answer, hand_in
from tests.notifications.outgoing_mail import environment
from tests.servers import free_port

pytestmark = pytest.mark.django_db(transaction=True)

TIMEOUT = 60


@contextmanager
def process(*words):
    """Run a listener or a processor that dies at a point."""
    running = subprocess.Popen(
        [sys.executable, "-m", "tests.notifications.killed_processes", *map(str, words)],
        env=environment(),
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert running.stdout.readline() == "ready\n"
        yield running
    finally:
        running.kill()
        running.wait()
        running.stdout.close()


def handed_in(port, raw, to):
    """Tell whether the listener took the mail, once it listens."""
    last_moment = time.monotonic() + TIMEOUT
    while True:
        try:
            hand_in(port, raw, to)
        except ConnectionRefusedError:
            assert time.monotonic() < last_moment
            time.sleep(0.02)
        except (smtplib.SMTPException, ConnectionError):
            return False
        else:
            return True


@pytest.mark.parametrize(
    ("point", "kept"),
    [("before it is stored", 0), ("before the commit", 0), ("before the answer", 1)],
)
def test_a_listener_that_is_killed_loses_no_mail(token, ann, point, kept):
    raw, to = answer(token, "5\n", ann.email), reply_address(token)
    port = free_port()
    with process("listen", point, port) as listener:
        assert not handed_in(port, raw, to), "nobody was promised anything"
        assert listener.wait(TIMEOUT) == -9
    assert IncomingMail.objects.count() == kept
    port = free_port()
    with process("listen", "", port):
        assert handed_in(port, raw, to), "the sender's mail server comes again"
    assert IncomingMail.objects.count() == 1


def counted():
    """Return how many turns, messages and answers there are."""
    answers = Notice.objects.filter(kind=Kind.ANSWER)
    return [rows.count() for rows in (Turn.objects, Message.objects, answers)]


@pytest.mark.parametrize(
    ("point", "done"),
    [
        ("claimed", 0),
        ("read", 0),
        ("played", 0),
        ("passed on", 0),
        ("answered", 0),
        ("acted", 0),
        ("marked", 0),
        ("committed", 1),
    ],
)
def test_the_mail_of_a_killed_processor_is_executed_exactly_once(token, ann, point, done, now):
    receive(
        answer(token, "5\nHello Bob\n", ann.email),
        recipient=reply_address(token),
        envelope_from=ann.email,
        door="smtp",
        now=now,
    )
    with process("process", point, now.isoformat()) as processor:
        assert processor.wait(TIMEOUT) == -9
    assert counted() == [done] * 3
    process_due(now=now + CLAIM_TIMEOUT - timedelta(seconds=1))
    assert counted() == [done] * 3
    process_due(now=now + CLAIM_TIMEOUT)
    turn = Turn.objects.get()
    assert (turn.notation, turn.via) == ("5", "mail")
    assert Message.objects.get().text == "Hello Bob"
    assert Notice.objects.get(kind=Kind.ANSWER).content["sections"][0]["done"]
    assert IncomingMail.objects.get().state == IncomingMail.State.DONE
