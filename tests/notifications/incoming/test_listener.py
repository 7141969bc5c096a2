"""The listener, spoken to by SMTP and LMTP as a mail server does."""

import select
import smtplib
import socket

import pytest
from django.db import OperationalError

from notifications import listener
from notifications.incoming import receiving
from notifications.listener import InboundHandler
from notifications.models import IncomingMail
from notifications.services.replies import bounce_address, reply_address
from tests.notifications.incoming_mail import answer, hand_in, listening, turn_token

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def port():
    with listening() as port:
        yield port


def test_a_mail_is_committed_before_it_is_taken(port, token, ann):
    raw = answer(token, "5\n", ann.email)
    hand_in(port, raw, reply_address(token))
    kept = IncomingMail.objects.get()
    assert (kept.door, kept.envelope_from) == ("smtp", ann.email)
    assert b"5\r\n" in bytes(kept.raw)


def test_a_bounce_has_no_sender(port, token, ann):
    hand_in(port, answer(token, "x\n", "MAILER-DAEMON@example.org"), bounce_address(token), "")
    kept = IncomingMail.objects.get()
    assert (kept.box, kept.envelope_from) == ("bounce", "")


@pytest.mark.parametrize(
    "to", ["reply-" + "a" * 26 + "@localhost", "games@localhost", "reply-@localhost", "postmaster"]
)
def test_an_unknown_address_is_refused_before_the_mail_is_sent(port, token, to):
    with smtplib.SMTP("127.0.0.1", port) as server:
        server.ehlo()
        assert server.mail("ann@example.org")[0] == 250
        assert server.rcpt(to)[0] == 550
    assert not IncomingMail.objects.exists()


@pytest.mark.parametrize("lmtp", [False, True])
def test_a_sender_whose_domain_has_accents_is_taken(token, ann, lmtp):
    """A mail server that was handed letters outside ASCII passes them on as SMTPUTF8 alone."""
    raw = answer(token, "5\n", ann.email).replace(b"Re: It is", "Re : C’est".encode())
    kind = smtplib.LMTP if lmtp else smtplib.SMTP
    with listening(lmtp=lmtp) as port, kind("127.0.0.1", port) as server:
        server.ehlo()
        assert server.has_extn("smtputf8")
        sender, to = "ann@exämple.org", [reply_address(token)]
        server.sendmail(sender, to, raw, mail_options=["SMTPUTF8", "BODY=8BITMIME"])
    kept = IncomingMail.objects.get()
    assert kept.envelope_from == "ann@exämple.org"
    assert "C’est".encode() in bytes(kept.raw)


@pytest.mark.parametrize(
    ("sender", "refused"),
    [("zoé@example.org".encode(), 553), (b"ann@ex\xe4mple.org", 553), (b"ann@example.org", 250)],
)
def test_who_cannot_be_answered_learns_it_from_their_own_server(port, token, sender, refused):
    with smtplib.SMTP("127.0.0.1", port) as server:
        server.ehlo()
        server.sock.sendall(b"MAIL FROM:<" + sender + b"> SMTPUTF8\r\n")
        assert server.getreply()[0] == refused


def test_a_recipient_in_another_encoding_is_unknown(port, token):
    with smtplib.SMTP("127.0.0.1", port) as server:
        server.ehlo()
        server.mail("ann@example.org")
        server.sock.sendall(b"RCPT TO:<reply-\xe4@localhost>\r\n")
        assert server.getreply()[0] == 550


def test_one_recipient_at_a_time(port, token, bob, now):
    other = turn_token(bob, now)
    with smtplib.SMTP("127.0.0.1", port) as server:
        raw = answer(token, "5\n", "ann@example.org")
        both = [reply_address(token), reply_address(other)]
        assert server.sendmail("ann@example.org", both, raw)[both[1]][0] == 452
    assert IncomingMail.objects.count() == 1


def test_the_largest_mail_is_announced_and_a_larger_one_refused(port, token):
    raw = b"Subject: x\r\n\r\n" + b"x" * 70 + b"\r\n"
    large = raw + (b"y" * 70 + b"\r\n") * 150_000
    with smtplib.SMTP("127.0.0.1", port) as server:
        server.ehlo()
        assert server.esmtp_features["size"] == "10485760"
        assert server.mail("a@example.org", ["SIZE=10485761"])[0] == 552
        server.mail("a@example.org")  # without saying how large
        server.rcpt(reply_address(token))
        assert server.data(large)[0] == 552
        server.sendmail("a@example.org", [reply_address(token)], raw)
    assert IncomingMail.objects.count() == 1


def test_a_mail_with_a_long_line_is_taken(port, token):
    hand_in(port, b"Subject: x\r\n\r\n" + b"x" * 5000 + b"\r\n", reply_address(token))
    assert IncomingMail.objects.count() == 1


def test_the_same_mail_again_is_taken_again_and_kept_once(port, token, ann):
    raw = answer(token, "5\n", ann.email)
    for _ in range(2):
        hand_in(port, raw, reply_address(token))
    assert IncomingMail.objects.count() == 1


def test_too_many_mails_to_an_address_are_deferred(port, token, settings):
    settings.MAILS_AN_HOUR = 1
    hand_in(port, answer(token, "1\n", "a@example.org"), reply_address(token))
    with pytest.raises(smtplib.SMTPDataError) as refusal:
        hand_in(port, answer(token, "2\n", "a@example.org"), reply_address(token))
    assert refusal.value.smtp_code == 450


def test_mails_are_deferred_while_the_database_is_down(token, ann, monkeypatch):
    def down(*args, **kwargs):
        raise OperationalError("connection refused")

    with listening() as port:
        with monkeypatch.context() as patch:
            patch.setattr(receiving, "receive", down)
            with pytest.raises(smtplib.SMTPDataError) as refusal:
                hand_in(port, answer(token, "5\n", ann.email), reply_address(token))
            assert refusal.value.smtp_code == 451
        with monkeypatch.context() as patch:
            patch.setattr(receiving, "is_known_recipient", down)
            with pytest.raises(smtplib.SMTPRecipientsRefused) as refusal:
                hand_in(port, answer(token, "5\n", ann.email), reply_address(token))
            assert [code for code, _ in refusal.value.recipients.values()] == [451]
        hand_in(port, answer(token, "5\n", ann.email), reply_address(token))
    assert IncomingMail.objects.count() == 1


def test_lmtp_is_spoken_when_asked_for(token, ann):
    with listening(lmtp=True) as port:
        raw = answer(token, "5\n", ann.email)
        hand_in(port, raw, reply_address(token), lmtp=True)
        with smtplib.SMTP("127.0.0.1", port, timeout=20) as server:
            assert server.ehlo()[0] == 500
    assert IncomingMail.objects.count() == 1


# Limits ------------------------------------------------------------------------------------------


def greeting(port):
    with socket.create_connection(("127.0.0.1", port), timeout=60) as one:
        return one.recv(200)


def test_one_connection_too_many_is_refused(transactional_db):
    with listening(most=2) as port:
        held = [smtplib.SMTP("127.0.0.1", port) for _ in range(2)]
        assert greeting(port).startswith(b"421")
        held[0].quit()
        held[0].close()
        while greeting(port).startswith(b"421"):
            pass
        held[1].close()


@pytest.mark.parametrize("limit", ["IDLE", "LONGEST"])
def test_a_connection_that_does_nothing_is_closed(transactional_db, monkeypatch, limit):
    monkeypatch.setattr(listener, limit, 0.2)
    with listening() as port, socket.create_connection(("127.0.0.1", port), timeout=60) as one:
        while one.recv(200):
            pass  # the greeting, then the end


def trickle(sock):
    """Send a line every now and then until the other side hangs up; return how many."""
    for lines in range(1000):
        try:
            sock.sendall(b"Subject: x\r\n")
        except OSError:
            return lines
        select.select([], [], [], 0.02)
    return 1000


def test_a_mail_that_trickles_in_for_ever_is_cut_off(token, monkeypatch):
    monkeypatch.setattr(listener, "IDLE", 0.5)
    with listening() as port, smtplib.SMTP("127.0.0.1", port, timeout=60) as server:
        server.ehlo()
        server.mail("a@example.org")
        server.rcpt(reply_address(token))
        server.docmd("DATA")
        assert trickle(server.sock) < 200
    assert not IncomingMail.objects.exists()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("127.0.0.1:25", ("127.0.0.1", 25, False)),
        ("lmtp://localhost:24", ("localhost", 24, True)),
        ("smtp://[::1]:25", ("::1", 25, False)),
    ],
)
def test_a_socket_address_is_host_and_port(words, expected):
    assert listener.parse_socket_address(words) == expected


@pytest.mark.parametrize("words", ["", "25", ":25", "localhost", "localhost:smtp", "imap://a:1"])
def test_anything_else_is_no_socket_address(words):
    with pytest.raises(ValueError, match="not an address to listen at"):
        listener.parse_socket_address(words)


def test_the_time_of_receipt_is_the_listeners(token, ann, now):
    with listening(InboundHandler(clock=lambda: now)) as port:
        hand_in(port, answer(token, "5\n", ann.email), reply_address(token))
    assert IncomingMail.objects.get().received_at == now
