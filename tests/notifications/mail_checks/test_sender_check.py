"""What `maildoctor` says of the results that the site's mail server writes into mail."""

from datetime import timedelta

import pytest

from notifications.models import IncomingMail
from notifications.services.mail_checks.run import run_checks
from notifications.services.mail_checks.sample_mail import (
    check_round_trip,
    check_sender_results,
    check_sending,
)
from tests import smtp
from tests.notifications.incoming_mail import answer, hand_in, listening
from tests.notifications.outgoing_mail import use_server

pytestmark = pytest.mark.django_db(transaction=True)

SERVER = "mx.example.org"
RECEIVED = "Received: from pli.example.org by mx.example.org; Tue, 10 Mar 2026 12:00:00 +0000"


def results(value):
    return f"Authentication-Results: {SERVER}; {value}"


class MailServer(smtp.Sink):
    """Passes mail on with headers of its own above; `strips`: it removes the results below."""

    def __init__(self, port, headers, *, strips=False):
        super().__init__()
        self.port, self.headers, self.strips = port, headers, strips

    async def handle_DATA(self, server, session, envelope):
        said = await super().handle_DATA(server, session, envelope)
        lines = envelope.original_content.splitlines(keepends=True)
        if self.strips:
            lines = [line for line in lines if not line.startswith(b"Authentication-Results")]
        raw = b"".join([*(f"{header}\r\n".encode() for header in self.headers), *lines])
        (to,) = envelope.rcpt_tos
        where = (self.port, raw, to, envelope.mail_from)
        await server.loop.run_in_executor(None, hand_in, *where)
        return said


@pytest.fixture(autouse=True)
def named(settings):
    settings.AUTHSERV_IDS = [SERVER]
    return settings


@pytest.fixture
def check(case, named):
    """Let the sample mail go through a mail server that writes these headers."""

    def checking(*headers, **how):
        with listening() as port:
            named.LISTEN = f"127.0.0.1:{port}"
            with smtp.running(MailServer(port, headers, **how)) as out:
                use_server(named, out)
                return dict(run_checks(case))["Sender check"]

    return checking


@pytest.fixture
def answered(case, sink):
    """Let somebody elsewhere answer the sample mail, through a server that writes these headers."""
    case.to, case.timeout = "dora@example.net", timedelta(0)

    def answering(*headers):
        check_sending(case)
        above = "".join(f"{header}\r\n" for header in headers).encode()
        with listening() as port:
            to = sink.messages[-1]["Reply-To"]
            hand_in(port, above + answer(case.sample_token, "any word", case.to), to, case.to)
        assert check_round_trip(case).severity == "ok"
        return check_sender_results(case)

    return answering


def test_without_the_setting_it_says_that_nothing_is_checked(check, named):
    named.AUTHSERV_IDS = []
    found = check(RECEIVED)
    assert (found.severity, "is not checked" in found.sentence) == ("warn", True)
    assert "PLI_AUTHSERV_ID" in found.advice
    assert not IncomingMail.objects.exists()


def test_results_in_the_mail_that_came_back_are_well(check):
    found = check(RECEIVED, results("spf=pass smtp.mailfrom=pli.example.org; dmarc=none"))
    assert (found.severity, found.advice) == ("ok", "")
    assert "spf=pass (pli.example.org), dmarc=none" in found.sentence


@pytest.mark.parametrize(
    "header", [RECEIVED, results("spf=pass").replace(SERVER, "mx.other.example")]
)
def test_a_mail_of_this_machine_without_results_is_a_warning(check, header):
    found = check(header)
    assert (found.severity, SERVER in found.sentence) == ("warn", True)
    assert "--to" in found.advice


def test_an_answer_from_elsewhere_without_results_fails(answered):
    found = answered(RECEIVED)
    assert (found.severity, SERVER in found.sentence) == ("fail", True)
    assert "all answers are held" in found.advice


def test_an_answer_from_elsewhere_shows_whether_it_would_be_executed(answered):
    assert answered(RECEIVED, results("dkim=pass header.d=example.net")).severity == "ok"


def test_an_answer_that_would_be_held_is_told(answered):
    found = answered(RECEIVED, results("dmarc=fail header.from=example.net"))
    assert (found.severity, "dora@example.net" in found.sentence) == ("warn", True)
    assert "dmarc=fail (example.net)" in found.sentence


def test_headers_that_do_not_count_are_told(check, named):
    headers = [RECEIVED, results("dmarc=none"), results("dkim=pass header.d=pli.example.org")]
    found = check(*headers)
    assert (found.severity, "only the topmost counts" in found.sentence) == ("warn", True)
    named.AUTHSERV_EVERY_HEADER = True
    assert check(*headers, strips=True).severity == "ok"


def test_a_forged_header_that_arrives_fails_if_every_header_counts(check, named):
    named.AUTHSERV_EVERY_HEADER = True
    headers = [RECEIVED, results("dkim=pass header.d=pli.example.org")]
    assert "has forged" in check(*headers).sentence
    assert check(*headers).severity == "fail"
    assert check(*headers, strips=True).severity == "ok"


def test_no_mail_no_results(case, sink):
    case.timeout = timedelta(0)
    assert dict(run_checks(case))["Sender check"].sentence == "Not tried: no mail came back."
