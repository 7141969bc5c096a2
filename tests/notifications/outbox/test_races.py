"""The outbox with several workers, and with workers that die: real processes, a real server."""

import signal
from datetime import timedelta

import pytest

from notifications.models import Kind, Notice
from notifications.outbox.delivery import CLAIM_TIMEOUT, send_due
from notifications.outbox.recipients import make_notices
from notifications.outbox.rows import write_if_ours
from tests import smtp
from tests.notifications.outbox.test_delivery import notice_to, recipients
from tests.notifications.outgoing_mail import sender, use_server
from tests.racing import at_once

pytestmark = pytest.mark.django_db(transaction=True)

State = Notice.State


def test_two_senders_at_once_send_each_mail_once(sink, settings, now):
    names = [f"p{n:02}@example.org" for n in range(40)]
    for name in names:
        notice_to(name, now)
    with sender(settings.EMAIL_PORT, now) as one, sender(settings.EMAIL_PORT, now) as two:
        for process in (one, two):
            process.stdin.write("\n")
            process.stdin.flush()
        sent = [int(process.stdout.readline()) for process in (one, two)]
    assert recipients(sink) == names
    assert sum(sent) == len(names)
    assert set(Notice.objects.values_list("state", flat=True)) == {State.SENT}


def test_two_makers_at_once_make_each_notice_once(game, now):
    made = at_once(lambda: make_notices(now=now), times=4)
    events = game.events.count()
    assert sum(made) == events
    begun = Notice.objects.filter(kind=Kind.GAME_BEGUN).values_list("user__username", flat=True)
    assert sorted(begun) == ["ann", "bob"]


def kill_while_sending(now):
    """Let a worker send to a server that answers nothing, and kill it meanwhile."""
    mute = smtp.Sink(mute=True)
    with smtp.running(mute) as port, sender(port, now) as worker:
        worker.stdin.write("\n")
        worker.stdin.flush()
        assert mute.reached.wait(30)
        worker.send_signal(signal.SIGKILL)
        worker.wait()


def test_what_a_killed_worker_had_claimed_is_sent_by_the_next(settings, now):
    notice = notice_to("ann@example.org", now)
    kill_while_sending(now)
    notice.refresh_from_db()
    assert (notice.state, notice.claimed_at) == (State.CLAIMED, now)

    server = smtp.Sink()
    with smtp.running(server) as port:
        use_server(settings, port)
        just_before = now + CLAIM_TIMEOUT - timedelta(seconds=1)
        assert send_due(now=just_before) == 0
        assert send_due(now=now + CLAIM_TIMEOUT) == 1
        assert send_due(now=now + 2 * CLAIM_TIMEOUT) == 0
    assert [m["Message-ID"] for m in server.messages] == [notice.message_id]
    notice.refresh_from_db()
    assert (notice.state, notice.claimed_at) == (State.SENT, None)


def test_what_a_killed_worker_was_not_yet_sending_waits_for_no_claim(settings, now):
    names = [f"p{n}@example.org" for n in range(3)]
    for name in names:
        notice_to(name, now)
    kill_while_sending(now)
    server = smtp.Sink()
    with smtp.running(server) as port:
        use_server(settings, port)
        assert send_due(now=now) == len(names) - 1
        assert send_due(now=now + CLAIM_TIMEOUT) == 1
    assert recipients(server) == names


def test_a_claim_taken_up_by_two_workers_at_once_is_sent_once(sink, now):
    notice_to("ann@example.org", now, state=State.CLAIMED, claimed_at=now)
    sent = at_once(lambda: send_due(now=now + CLAIM_TIMEOUT), times=4)
    assert sum(sent) == 1
    assert recipients(sink) == ["ann@example.org"]


@pytest.mark.parametrize(
    "meanwhile",
    [
        {"claimed_at": "later"},
        {"state": State.SENT, "claimed_at": None},
        {"state": State.WAITING, "claimed_at": None},
    ],
    ids=["claimed anew", "sent", "given back"],
)
def test_a_worker_whose_claim_no_longer_holds_writes_nothing(now, meanwhile):
    notice = notice_to("ann@example.org", now, state=State.CLAIMED, claimed_at=now)
    if meanwhile["claimed_at"]:
        meanwhile = meanwhile | {"claimed_at": now + CLAIM_TIMEOUT}
    Notice.objects.update(**meanwhile)
    assert not write_if_ours(notice, {"state": State.FAILED.value, "claimed_at": None})
    row = Notice.objects.values("state", "claimed_at").get()
    assert row == {"state": State.CLAIMED} | meanwhile


def test_a_worker_whose_claim_holds_writes(now):
    notice = notice_to("ann@example.org", now, state=State.CLAIMED, claimed_at=now)
    assert write_if_ours(notice, {"state": State.SENT.value, "claimed_at": None})
    assert Notice.objects.values_list("state", flat=True).get() == State.SENT
