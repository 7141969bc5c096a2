"""A mail that the server took without saying so: told truthfully, or sent again as the same mail.
And a mail server that answers too slowly to be waited for."""

import signal
import socket
import threading
import time
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.urls import reverse

from games.clock.clock import StopReason
from games.models import Game
from notifications.models import AddressState, Kind, Notice, SkipReason
from notifications.outbox import smtp as connection
from notifications.outbox.delivery import CLAIM_TIMEOUT, send_due
from notifications.services import addresses
from tests import smtp
from tests.notifications.outbox.test_delivery import notice_to
from tests.notifications.outgoing_mail import play, sender, use_server
from tests.servers import free_port
from tests.staff_users import staffed

pytestmark = pytest.mark.slow

State = Notice.State
MINUTE = timedelta(minutes=1)
NOT_CONFIRMED = "It may not have arrived: the mail server did not confirm it."


@pytest.fixture
def unconfirmed(at, sink):
    """That mail; the server took it and hung up without a word."""
    sink.unreliable = True
    assert send_due(now=at) == 0
    assert len(sink.messages) == 1
    sink.unreliable = False
    return turn_notice()


def turn_notice():
    return Notice.objects.filter(kind=Kind.YOUR_TURN, user__username="bob").earliest("pk")


def test_it_is_sent_again_as_the_same_mail_while_it_is_still_true(unconfirmed, at, sink):
    assert (unconfirmed.state, unconfirmed.unconfirmed_at) == (State.WAITING, at)
    assert unconfirmed.address == "bob@example.org"
    assert send_due(now=at + MINUTE) == 1
    assert [message["Message-ID"] for message in sink.messages] == [unconfirmed.message_id] * 2
    notice = turn_notice()
    assert (notice.state, notice.reason, notice.unconfirmed_at) == (State.SENT, "", None)


@pytest.mark.slow
def test_when_it_is_true_no_more_it_counts_as_sent_and_says_why_it_is_not_sure(
    client, unconfirmed, told, bob, at, sink, now
):
    play(told, bob, "1", now)
    assert send_due(now=at + MINUTE) == 1
    notice = turn_notice()
    assert (notice.state, notice.sent_at) == (State.SENT, at)
    assert notice.skip_reason == SkipReason.UNCONFIRMED
    assert len(sink.messages) == 1
    client.force_login(staffed("host"))
    page = client.get(reverse("admin:notifications_notice_changelist")).content.decode()
    assert NOT_CONFIRMED in page


def test_a_mail_that_the_server_never_had_whole_counts_as_not_sent(told, bob, at, settings, now):
    use_server(settings, free_port())
    send_due(now=at)
    play(told, bob, "1", now)
    send_due(now=at + MINUTE)
    notice = turn_notice()
    assert (notice.state, notice.unconfirmed_at) == (State.DROPPED, None)


def test_a_server_that_hangs_up_before_the_mail_was_sent_has_not_taken_it(told, at, settings):
    with hanging_up(b"data") as port:
        use_server(settings, port)
        send_due(now=at)
    notice = turn_notice()
    assert (notice.state, notice.attempts, notice.unconfirmed_at) == (State.WAITING, 1, None)


def test_a_refusal_of_the_second_try_does_not_undo_that_the_first_may_have_arrived(
    unconfirmed, told, bob, at, sink, now
):
    sink.refused["bob@example.org"] = "451 4.3.0 Come again"
    send_due(now=at + MINUTE)
    assert turn_notice().unconfirmed_at == at
    play(told, bob, "1", now)
    send_due(now=at + 10 * MINUTE)
    assert (turn_notice().state, turn_notice().skip_reason) == (State.SENT, SkipReason.UNCONFIRMED)


def test_the_clock_stops_if_its_address_refuses_mail_meanwhile(unconfirmed, told, bob, at):
    addresses.suspend_address(address=bob.email, diagnostic="550", notice=None, now=at)
    assert AddressState.objects.filter(suspended_at__isnull=False).exists()
    assert send_due(now=at + MINUTE) == 1
    assert turn_notice().state == State.DROPPED
    assert Game.objects.get(pk=told.pk).stop_reason == StopReason.UNDELIVERED


@pytest.mark.django_db(transaction=True)
def test_what_a_killed_worker_was_sending_is_not_recorded_as_never_sent(at, told, bob, now):
    mute = smtp.Sink(mute=True)
    with smtp.running(mute) as port, sender(port, at) as worker:
        worker.stdin.write("\n")
        worker.stdin.flush()
        assert mute.reached.wait(30)
        worker.send_signal(signal.SIGKILL)
        worker.wait()
    play(told, bob, "1", now)
    assert send_due(now=at + CLAIM_TIMEOUT) == 1
    assert (turn_notice().state, turn_notice().skip_reason) == (State.SENT, SkipReason.UNCONFIRMED)


# Too slow ----------------------------------------------------------------------------------------


@contextmanager
def talking(answer):
    """Run a server that greets, then lets `answer` answer each line; the value is its port."""
    listener = socket.create_server(("127.0.0.1", 0))

    def talk():
        try:
            visitor, _ = listener.accept()
            with visitor, visitor.makefile("rb") as lines:
                answer(visitor, GREETING)
                for line in lines:
                    answer(visitor, line)
        except OSError:
            return

    thread = threading.Thread(target=talk, daemon=True)
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        listener.close()
        thread.join(30)


def hanging_up(word):
    """Run a server that hangs up where it should answer this word."""

    def answer(visitor, line):
        if line.strip() == word:
            raise ConnectionAbortedError
        visitor.sendall(_answer(line))

    return talking(answer)


def dripping(word):
    """Run a server that answers this word so slowly that it never ends."""

    def answer(visitor, line):
        if not line.strip().upper().startswith(word):
            visitor.sendall(_answer(line))
            return
        visitor.sendall(b"250")
        while True:
            visitor.sendall(b"-")
            time.sleep(0.05)

    return talking(answer)


GREETING, END = b"(it greets first)", b"."


def _answer(line):
    """Return what a server says to a line; within a mail it says nothing."""
    word = line.strip().upper()
    if word.startswith((b"EHLO", b"HELO", b"MAIL", b"RCPT", b"RSET", END)):
        return b"250 well\r\n"
    others = {
        GREETING.upper(): b"220 hello\r\n",
        b"DATA": b"354 go on\r\n",
        b"QUIT": b"221 bye\r\n",
    }
    return others.get(word, b"")


@pytest.mark.parametrize(
    ("word", "unconfirmed"),
    [(b"(IT GREETS", False), (b"EHLO", False), (b"DATA", False), (END, True)],
)
def test_a_server_that_answers_without_end_is_hung_up_on(
    db, settings, monkeypatch, now, word, unconfirmed
):
    notice_to("ann@example.org", now)
    notice_to("bob@example.org", now)
    monkeypatch.setattr(connection, "MAIL_TIMEOUT", 1.0)
    began = time.monotonic()
    with dripping(word) as port:
        use_server(settings, port)
        settings.EMAIL_TIMEOUT = 20
        assert send_due(now=now) == 0
    assert time.monotonic() - began < 15
    notice = Notice.objects.get(address="ann@example.org")
    assert (notice.state, notice.attempts) == (State.WAITING, 1)
    assert notice.reason == "the mail server took more than 1 s"
    assert (notice.unconfirmed_at == now) == unconfirmed
    other = Notice.objects.get(address="bob@example.org")
    assert (other.state, other.attempts) == (State.WAITING, 0)


def test_a_server_that_refuses_us_refuses_no_mail_for_good(db, settings, now):
    """554 to EHLO and HELO: it says so of whoever greets it."""
    notice_to("ann@example.org", now)

    def answer(visitor, line):
        greets = line.upper().startswith((b"EHLO", b"HELO"))
        visitor.sendall(b"554 no\r\n" if greets else _answer(line))

    with talking(answer) as port:
        use_server(settings, port)
        assert send_due(now=now) == 0
    assert Notice.objects.get().state == State.WAITING
