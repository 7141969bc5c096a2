"""A mail server that takes two seconds a command holds up the mail, and nothing else."""

import signal
import subprocess
import sys
from datetime import timedelta

import pytest
from django.conf import settings
from django.utils import timezone

from games.models import Game, Heartbeat
from notifications.models import Notice
from tests import smtp
from tests.games.play import begin
from tests.journeys.processes import until
from tests.notifications.outbox.test_delivery import notice_to
from tests.notifications.outgoing_mail import environment

pytestmark = pytest.mark.django_db(transaction=True)

MAILS = 40
SOON = timedelta(seconds=8)


@pytest.fixture
def slow():
    """A mail server that is slow, and its port."""
    sink = smtp.Sink(slow=2)
    with smtp.running(sink) as port:
        yield sink, port


@pytest.fixture
def drain(slow, tmp_path):
    """Starts the loop as a process, with every period cut to a second."""
    env = environment() | {
        "DJANGO_SETTINGS_MODULE": "config.settings.dev",
        "EMAIL_URL": f"smtp://127.0.0.1:{slow[1]}",
        "PLI_VAR": str(tmp_path),
    }
    started = []

    def start(*options):
        command = [sys.executable, "-m", "tests.fast_schedule", "drain", *options]
        started.append(subprocess.Popen(command, cwd=settings.BASE_DIR, env=env))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.wait()


def heartbeat():
    return Heartbeat.objects.values_list("at", flat=True).first()


def test_clocks_go_on_while_the_mail_server_is_slow(slow, drain, ann, bob):
    sink, _ = slow
    now = timezone.now()
    for n in range(MAILS):
        notice_to(f"p{n}@example.org", now)
    drain()
    until(sink.reached.is_set, "the first mail is on its way")
    game = begin(ann, bob, now=timezone.now() + SOON - timedelta(days=2))
    until(
        lambda: Game.objects.get(pk=game.pk).deadline is None, "the deadline was swept", timeout=40
    )
    for _ in range(2):
        last = heartbeat()
        until(lambda last=last: heartbeat() != last, "the heart beats", timeout=10)
    waiting = Notice.objects.exclude(state=Notice.State.SENT).count()
    assert waiting > MAILS / 2, "it was slow all the time"


def test_the_loop_ends_after_the_mail_in_hand(slow, drain, db):
    sink, _ = slow
    for n in range(3):
        notice_to(f"p{n}@example.org", timezone.now())
    process = drain()
    until(sink.reached.is_set, "the first mail is on its way")
    process.send_signal(signal.SIGTERM)
    assert process.wait(14) == 0, "a process of `serve` is killed after 15 s"
    states = Notice.objects.order_by("pk").values_list("state", flat=True)
    assert list(states) == [Notice.State.SENT, Notice.State.WAITING, Notice.State.WAITING]
