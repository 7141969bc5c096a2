"""The outbox against a real mail server: up, down, slow and refusing."""

import socket
import threading
from datetime import timedelta

import pytest
from django.core import mail

from notifications.models import Kind, Notice
from notifications.outbox import retries
from notifications.outbox.delivery import retry, send_due
from notifications.outbox.recipients import make_notices
from tests import smtp
from tests.factories import PersonFactory
from tests.notifications.outgoing_mail import after_hold, html_of, play, use_server
from tests.servers import free_port

pytestmark = pytest.mark.slow

State = Notice.State


def notice_to(address, now, **fields):
    """Return a small account mail that waits for `address`."""
    content = {"subject": "A code", "text": "BCDF-GHJK\n", "html": "<p>BCDF-GHJK</p>"}
    known = {"kind": Kind.ACCOUNT, "content": content, "created_at": now, "due_at": now}
    name = f"<test.{Notice.objects.count()}@example.org>"
    return Notice.objects.create(**{"address": address, "message_id": name, **known, **fields})


def recipients(sink):
    return sorted(message["To"] for message in sink.messages)


def test_mails_go_out_over_one_connection(db, sink, now):
    for name in ("ann", "bob", "cat"):
        notice_to(f"{name}@example.org", now)
    assert send_due(now=now) == 3
    assert recipients(sink) == ["ann@example.org", "bob@example.org", "cat@example.org"]
    assert sink.connections == 1
    assert set(Notice.objects.values_list("state", "sent_at")) == {(State.SENT, now)}


def test_nothing_to_send_makes_no_connection(db, sink, now):
    assert send_due(now=now) == 0
    assert sink.connections == 0


def test_a_notice_that_is_not_due_waits(db, sink, now):
    notice_to("ann@example.org", now, due_at=now + timedelta(seconds=1))
    assert send_due(now=now) == 0
    assert send_due(now=now + timedelta(seconds=1)) == 1


def test_a_code_is_forgotten_once_it_was_sent(db, sink, now):
    notice = notice_to("ann@example.org", now)
    send_due(now=now)
    notice.refresh_from_db()
    assert notice.content == {}
    assert "BCDF-GHJK" in sink.messages[0].get_body(("plain",)).get_content()


def test_a_turn_mail_passes_a_real_server_whole(game, ann, bob, sink, now):
    bob.display_name = "Zoë " + "x" * 50
    bob.save()
    play(game, ann, "5", now)
    make_notices(now=now)
    send_due(now=after_hold(now))
    turn = next(m for m in sink.messages if m["X-Pli-Kind"] == "your-turn")
    assert turn["To"] == bob.email
    assert [p.get_content_type() for p in turn.walk() if not p.is_multipart()] == [
        "text/plain",
        "text/html",
        "image/png",
    ]
    assert bob.display_name in html_of(turn)


def test_no_line_is_too_long_for_a_mail_server(db, sink, now):
    long = "ö" + "word " * 1000
    content = {"subject": long[:900], "text": long, "html": f"<p>{long}</p>"}
    notice_to("ann@example.org", now, content=content)
    assert send_due(now=now) == 1
    assert Notice.objects.get().reason == ""
    assert max(map(len, sink.raw[0].split(b"\r\n"))) <= 998
    assert sink.messages[0].get_body(("plain",)).get_content().strip() == long.strip()
    assert b"\n" not in sink.raw[0].replace(b"\r\n", b"")


# Down --------------------------------------------------------------------------------------------


def test_nothing_is_lost_while_the_mail_server_is_down_for_an_hour(db, settings, now):
    port = free_port()
    use_server(settings, port)
    names = [f"p{n}@example.org" for n in range(7)]
    ids = {notice_to(name, now).message_id for name in names}
    for minute in range(60):
        assert send_due(now=now + timedelta(minutes=minute)) == 0
    assert set(Notice.objects.values_list("state", flat=True)) == {State.WAITING}
    assert all("refused" in reason for reason in Notice.objects.values_list("reason", flat=True))

    server = smtp.Sink()
    with smtp.running(server, port):
        for minute in range(60, 180):
            send_due(now=now + timedelta(minutes=minute))
    assert recipients(server) == names
    assert {message["Message-ID"] for message in server.messages} == ids
    assert set(Notice.objects.values_list("state", "reason")) == {(State.SENT, "")}


def test_a_server_that_is_down_is_asked_once_a_round_not_once_a_mail(db, settings, now):
    for n in range(5):
        notice_to(f"p{n}@example.org", now)
    asked = []
    with socket.create_server(("127.0.0.1", 0)) as listener:
        use_server(settings, listener.getsockname()[1])

        def hang_up():
            while True:
                try:
                    visitor, _ = listener.accept()
                except OSError:
                    return
                asked.append(visitor.close())

        thread = threading.Thread(target=hang_up)
        thread.start()
        send_due(now=now)
        send_due(now=now + timedelta(seconds=2))
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()
    assert len(asked) == 1
    assert sorted(Notice.objects.values_list("attempts", flat=True)) == [0, 0, 0, 0, 1]


def test_waits_grow_and_end_after_about_three_days(db, settings, now):
    use_server(settings, free_port())
    notice_to("ann@example.org", now)
    gaps = []
    at = now
    while (notice := Notice.objects.get()).state == State.WAITING:
        gaps.append(notice.due_at - at)
        at = notice.due_at
        assert send_due(now=at) in (0, 1)
    assert notice.state == State.FAILED
    assert "refused" in notice.reason
    assert notice.content == {}
    assert gaps[1:7] == [timedelta(minutes=m) for m in (1, 2, 5, 10, 20, 40)]
    assert gaps[1:] == sorted(gaps[1:])
    assert timedelta(days=2.5) < at - now <= timedelta(days=3)


def test_a_wait_is_not_cut_short(db, settings, now):
    use_server(settings, free_port())
    notice_to("ann@example.org", now)
    send_due(now=now)
    for seconds in (1, 59):
        send_due(now=now + timedelta(seconds=seconds))
    assert Notice.objects.get().attempts == 1
    send_due(now=now + timedelta(minutes=1))
    assert Notice.objects.get().attempts == 2


def test_there_is_no_wait_after_the_last_attempt():
    assert retries.retry_delay(len(retries.MINUTES)) is not None
    assert retries.retry_delay(len(retries.MINUTES) + 1) is None


# Refused -----------------------------------------------------------------------------------------


@pytest.fixture
def choosy(settings):
    """A mail server that knows no gone@ and puts busy@ off."""
    server = smtp.Sink(
        {
            "gone@example.org": "550 5.1.1 No such user here",
            "busy@example.org": "451 4.3.0 Come again",
            "closing@example.org": "421 4.3.2 Going down",
        }
    )
    with smtp.running(server) as port:
        use_server(settings, port)
        yield server


def test_a_refused_address_fails_with_the_servers_words(db, choosy, now):
    notice_to("gone@example.org", now)
    notice_to("ann@example.org", now)
    assert send_due(now=now) == 2
    gone = Notice.objects.get(address="gone@example.org")
    assert (gone.state, gone.reason) == (State.FAILED, "550 5.1.1 No such user here")
    assert gone.content == {}
    assert recipients(choosy) == ["ann@example.org"]


def test_a_refused_player_is_known_by_address(game, ann, choosy, now):
    ann.emailaddress_set.update(email="gone@example.org")
    make_notices(now=now)
    send_due(now=after_hold(now))
    failed = Notice.objects.get(state=State.FAILED)
    assert (failed.user, failed.address) == (ann, "gone@example.org")
    assert failed.reason == "550 5.1.1 No such user here"


def test_an_address_that_is_put_off_waits_while_others_get_their_mail(db, choosy, now):
    notice_to("busy@example.org", now)
    notice_to("ann@example.org", now)
    assert send_due(now=now) == 1
    busy = Notice.objects.get(address="busy@example.org")
    assert (busy.state, busy.reason) == (State.WAITING, "451 4.3.0 Come again")
    assert busy.due_at == now + timedelta(minutes=1)
    assert busy.content != {}
    choosy.refused.clear()
    assert send_due(now=now + timedelta(minutes=1)) == 1
    assert recipients(choosy) == ["ann@example.org", "busy@example.org"]


def test_a_server_that_goes_down_in_the_middle_costs_no_mail_an_attempt(db, choosy, now):
    notice_to("closing@example.org", now)
    notice_to("ann@example.org", now)
    assert send_due(now=now) == 0
    ann = Notice.objects.get(address="ann@example.org")
    assert (ann.state, ann.attempts) == (State.WAITING, 0)
    choosy.refused.clear()
    assert send_due(now=now + timedelta(minutes=1)) == 2


def test_an_invalid_address_is_parked_alone(db, sink, now):
    address = "x@" + "y" * 80 + ".example"
    notice_to(address, now)
    notice_to("ann@example.org", now)
    assert send_due(now=now) == 1
    strange = Notice.objects.get(address=address)
    assert (strange.state, strange.attempts) == (State.WAITING, 1)
    assert recipients(sink) == ["ann@example.org"]
    assert send_due(now=now + timedelta(days=1)) == 1
    strange.refresh_from_db()
    assert strange.state == State.PARKED
    assert strange.reason


def test_a_mail_that_cannot_be_written_waits_alone(game, ann, sink, now, caplog):
    make_notices(now=now)
    notice_to("cat@example.org", now, due_at=now + timedelta(seconds=1))
    type(game).objects.filter(pk=game.pk).update(rules_slug="no-such-game")
    send_due(now=after_hold(now))
    begun = Notice.objects.filter(kind="game-begun")
    assert set(begun.values_list("state", flat=True)) == {State.WAITING}
    assert all("no-such-game" in reason for reason in begun.values_list("reason", flat=True))
    assert recipients(sink) == ["cat@example.org"]


# Trying again ------------------------------------------------------------------------------------


def test_failed_notices_can_be_tried_again(game, ann, choosy, now):
    ann.emailaddress_set.update(email="gone@example.org")
    make_notices(now=now)
    send_due(now=after_hold(now))
    failed = Notice.objects.get(state=State.FAILED)
    ann.emailaddress_set.update(email="ann@example.org")
    later = now + timedelta(hours=1)
    everything = Notice.objects.values_list("pk", flat=True)
    assert retry(everything, now=later) == 1
    assert send_due(now=later) == 1
    failed.refresh_from_db()
    assert (failed.state, failed.reason, failed.attempts) == (State.SENT, "", 1)
    assert choosy.messages[-1]["To"] == "ann@example.org"
    assert choosy.messages[-1]["Message-ID"] == failed.message_id


def test_a_forgotten_code_cannot_be_tried_again(db, choosy, now):
    notice_to("gone@example.org", now)
    send_due(now=now)
    assert retry(Notice.objects.values_list("pk", flat=True), now=now) == 0
    assert Notice.objects.get().state == State.FAILED


def test_any_backend_of_djangos_will_do(db, now):
    PersonFactory(username="dora")
    notice_to("dora@example.org", now)
    assert send_due(now=now) == 1
    assert [m.to for m in mail.outbox] == [["dora@example.org"]]
