"""What `maildoctor` says of the server out, the listener, and a mail that goes out and back."""

from datetime import timedelta

import pytest
from aiosmtpd.smtp import AuthResult
from django.utils import timezone

from notifications.incoming import receiving
from notifications.incoming.processing import process_due
from notifications.models import IncomingMail, Notice, ReplyAddress
from notifications.services.mail_checks.run import run_checks
from notifications.services.mail_checks.sample_mail import check_round_trip, check_sending
from notifications.services.mail_checks.servers import check_listener, check_server_out
from tests import smtp
from tests.notifications.incoming_mail import answer, hand_in, listening
from tests.notifications.outgoing_mail import use_server
from tests.servers import free_port

pytestmark = pytest.mark.django_db(transaction=True)


class Relay(smtp.Sink):
    """A mail server that passes everything on to the listener."""

    def __init__(self, port):
        super().__init__()
        self.port = port

    async def handle_DATA(self, server, session, envelope):
        said = await super().handle_DATA(server, session, envelope)
        (to,) = envelope.rcpt_tos
        await server.loop.run_in_executor(
            None, hand_in, self.port, envelope.original_content, to, envelope.mail_from
        )
        return said


@pytest.fixture
def nobody(settings):
    settings.LISTEN = f"127.0.0.1:{free_port()}"


# The server out ----------------------------------------------------------------------------------


def test_a_server_that_answers_is_well(sink, case):
    found = check_server_out(case)
    assert (found.severity, found.advice) == ("ok", "")
    assert sink.connections == 1


def test_a_server_that_is_not_there_is_told(case, settings):
    use_server(settings, free_port())
    found = check_server_out(case)
    assert found.severity == "fail"
    assert "No mail server answers at 127.0.0.1:" in found.sentence


def test_encryption_that_the_server_does_not_speak_is_told(sink, case, settings):
    settings.EMAIL_USE_TLS = True
    found = check_server_out(case)
    assert found.severity == "fail"
    assert "cannot do what EMAIL_URL asks for" in found.sentence


@pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")
@pytest.mark.parametrize(
    ("password", "level", "said"),
    [("right", "ok", "answers"), ("wrong", "fail", "refuses our sign-in: 535")],
)
def test_a_password_is_tried(case, settings, password, level, said):
    def authenticator(server, session, envelope, mechanism, data):
        return AuthResult(success=data.password == b"right", handled=False)

    how = {"authenticator": authenticator, "auth_required": True, "auth_require_tls": False}
    with smtp.running(smtp.Sink(), **how) as port:
        use_server(settings, port)
        settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD = "pli", password
        found = check_server_out(case)
    assert found.severity == level
    assert said in found.sentence
    assert password not in found.sentence


def test_mail_that_does_not_go_out_by_smtp_is_not_tried(case, nobody):
    found = dict(run_checks(case))
    assert {found[name].severity for name in ("Server out", "Mail sent", "Round trip")} == {"warn"}
    for name in ("Server out", "Mail sent", "Round trip"):
        assert found[name].sentence.startswith("Not tried:")


# The listener ------------------------------------------------------------------------------------


def test_the_listener_takes_what_is_ours_and_nothing_else(case, listens):
    found = check_listener(case)
    assert (found.severity, found.advice) == ("ok", "")
    assert not ReplyAddress.objects.exists()
    assert not IncomingMail.objects.exists()


def test_a_listener_that_speaks_lmtp_is_asked_in_lmtp(case, settings):
    with listening(lmtp=True) as port:
        settings.LISTEN = f"lmtp://127.0.0.1:{port}"
        assert check_listener(case).severity == "ok"
        settings.LISTEN = f"127.0.0.1:{port}"
        assert check_listener(case).severity == "fail"


def test_a_server_that_takes_everything_is_not_our_listener(case, settings):
    with smtp.running(smtp.Sink()) as port:
        settings.LISTEN = f"127.0.0.1:{port}"
        found = check_listener(case)
    assert found.severity == "fail"
    assert "accepts mail to unknown addresses" in found.sentence


def test_a_listener_of_another_site_fails(case, listens, monkeypatch):
    monkeypatch.setattr(receiving, "is_known_recipient", lambda address: False)
    found = check_listener(case)
    assert found.severity == "fail"
    assert "refuses an address of ours: 550" in found.sentence


def test_a_missing_listener_is_a_warning_if_mail_comes_in_another_way(case, nobody, settings):
    assert check_listener(case).severity == "fail"
    case.has_pipe = True
    assert check_listener(case).severity == "warn"
    case.has_pipe = False
    settings.MAIL_WEBHOOK = "postmark"
    assert check_listener(case).severity == "warn"
    assert not ReplyAddress.objects.exists()


@pytest.mark.parametrize("words", ["", "8025", "ftp://127.0.0.1:8025"])
def test_a_wrong_setting_of_the_listener_fails(case, settings, words):
    settings.LISTEN = words
    assert "PLI_LISTEN cannot be read" in check_listener(case).sentence


# Out and back ------------------------------------------------------------------------------------


def test_a_mail_goes_out_and_comes_back_and_leaves_nothing(case, listens, settings):
    relay = Relay(listens)
    with smtp.running(relay) as port:
        use_server(settings, port)
        found = dict(run_checks(case))
    assert found["Mail sent"].sentence == "A mail to a reply address of ours was accepted."
    assert found["Round trip"].severity == "ok"
    assert "(our listener)" in found["Round trip"].sentence
    (message,) = relay.messages
    assert message["To"].endswith("@play.pli.example.org")
    assert not IncomingMail.objects.exists()
    assert not ReplyAddress.objects.exists()


def test_a_mail_that_does_not_come_back_fails(case, sink):
    case.timeout = timedelta(0)
    assert check_sending(case).severity == "ok"
    found = check_round_trip(case)
    assert found.severity == "fail"
    assert "play.pli.example.org" in found.advice


def test_a_mail_that_is_refused_fails_and_is_not_waited_for(case, settings):
    case.to = "dora@example.net"
    with smtp.running(smtp.Sink({case.to: "550 5.7.1 No relaying"})) as port:
        use_server(settings, port)
        found = check_sending(case)
        after = check_round_trip(case)
    assert found.severity == "fail"
    assert "550 5.7.1 No relaying" in found.sentence
    assert after.sentence == "Not tried: no mail was sent."
    assert not ReplyAddress.objects.exists()


def test_the_answer_to_a_sample_mail_is_found_and_not_answered(case, sink, listens):
    case.to, case.timeout = "dora@example.net", timedelta(0)
    assert check_sending(case).sentence == "A mail to dora@example.net was accepted."
    waiting = check_round_trip(case)
    assert (waiting.severity, "No answer from dora@example.net" in waiting.sentence) == (
        "warn",
        True,
    )
    (message,) = sink.messages
    hand_in(listens, answer(case.sample_token, "any word", case.to), message["Reply-To"], case.to)
    assert check_round_trip(case).severity == "ok"
    process_due(now=timezone.now())
    assert IncomingMail.objects.get().result == "nothing-to-answer"
    assert not Notice.objects.exists()


def test_the_address_of_a_sample_mail_is_in_no_finding(case, sink, listens):
    case.timeout = timedelta(0)
    said = str(list(run_checks(case)))
    (message,) = sink.messages
    assert message["To"].partition("@")[0].partition("-")[2] not in said + repr(case)
