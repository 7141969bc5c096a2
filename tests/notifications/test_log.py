"""A whole run, from the letter to the answer, at the most talkative level: no token is logged."""

import logging
import smtplib
import subprocess
import sys

import pytest
from django.core import mail
from django.urls import reverse

from notifications.incoming import receiving
from notifications.incoming.processing import process_due
from notifications.mail_commands import dispatch
from notifications.outbox.delivery import send_due
from notifications.services.replies import bounce_address, reply_address
from notifications.tokens import LineFormatter
from tests import smtp
from tests.notifications.incoming_mail import answer, hand_in, listening, report, turn_token
from tests.notifications.outgoing_mail import environment, tell, use_server
from tests.servers import free_port

pytestmark = pytest.mark.django_db(transaction=True)


def everything(caplog):
    formatter = LineFormatter("%(name)s %(message)s")
    return "\n".join(map(formatter.format, caplog.records))


def test_no_token_in_any_line_of_a_run(
    transactional_db, game, ann, bob, settings, caplog, monkeypatch, now
):
    caplog.set_level(logging.DEBUG, "mail.log")
    caplog.set_level(logging.DEBUG)
    token = turn_token(ann, now)
    echo = f"550 5.1.1 {bounce_address(token)} may not write here"
    with smtp.running(smtp.Sink({ann.email: echo, bob.email: echo})) as port:
        use_server(settings, port)
        tell(now)
        send_due(now=now)
    with listening() as port:
        hand_in(port, answer(token, "5\n", ann.email), reply_address(token))
        hand_in(port, report(token), bounce_address(token), "")
        with pytest.raises(smtplib.SMTPRecipientsRefused):
            hand_in(port, b"x", reply_address("a" * 26))

    def act(mail, reply, *, received_at, now, at_play_address=False):
        raise ZeroDivisionError(reply_address(token))

    monkeypatch.setattr(dispatch, "execute", act)
    process_due(now=now)
    lines = everything(caplog)
    assert "550 5.1.1 bounce-…@localhost may not write here" in lines
    assert "ZeroDivisionError: reply-…@localhost" in lines
    assert "mail.log" in lines
    assert token not in lines
    assert token.upper() not in lines


@pytest.mark.parametrize(
    "name", ["invitation", "invitation_answer", "unsubscribe", "address_again", "calendar"]
)
def test_no_link_that_is_proof_by_itself_is_logged(name):
    path = reverse(name, args=["eyJwayI6MX0:secret"])
    record = logging.LogRecord("django.request", 40, "", 0, "Conflict: %s", (path,), None)
    line = LineFormatter("%(message)s").format(record)
    assert "secret" not in line
    assert line.startswith(path.partition("eyJ")[0].join(["Conflict: ", "…"]))


def test_what_we_write_ourselves_names_no_token_even_unformatted(
    game, ann, settings, caplog, monkeypatch, now
):
    def act(mail, reply, *, received_at, now, at_play_address=False):
        raise ZeroDivisionError

    monkeypatch.setattr(dispatch, "execute", act)
    caplog.set_level(logging.DEBUG)
    token = turn_token(ann, now)
    echo = f"550 5.1.1 {bounce_address(token)} may not write here"
    with smtp.running(smtp.Sink({ann.email: echo})) as port:
        use_server(settings, port)
        tell(now)
    receiving.receive(
        answer(token, "5\n", ann.email),
        recipient=reply_address(token),
        envelope_from=ann.email,
        door="smtp",
        now=now,
    )
    process_due(now=now)
    ours = [r for r in caplog.records if r.name.startswith(("notifications", "games", "config"))]
    assert len(ours) >= 2
    written = [r.getMessage() + str(r.exc_info) + repr(r.args) for r in ours]
    assert token not in "".join(written)
    assert mail.outbox == [] or token not in caplog.text


def test_the_listener_as_it_is_run_writes_no_token(transactional_db, game, ann, now):
    token, port = turn_token(ann, now), free_port()
    env = environment() | {"PLI_LOG_LEVEL": "DEBUG"}
    process = subprocess.Popen(
        [sys.executable, "manage.py", "listen", f"127.0.0.1:{port}"],
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        _until_taken(port, answer(token, "5\n", ann.email), reply_address(token))
        with pytest.raises(smtplib.SMTPRecipientsRefused):
            hand_in(port, b"x", reply_address("a" * 26))
    finally:
        process.terminate()
        said, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert said.strip(), "at this level something is said"
    assert token not in said
    assert "a" * 26 not in said


def _until_taken(port, raw, to):
    while True:
        try:
            return hand_in(port, raw, to)
        except ConnectionRefusedError:
            continue
