"""A connection between two programs of this machine must not wait for a name server.

SMTP programs greet each other with the name of their machine. To look it up takes a resolver that
gets no answer five seconds or more, for which the other side may not wait.
"""

import socket

import pytest
from django.urls import reverse

from notifications.dev_inbox.mails import newest
from notifications.models import IncomingMail
from notifications.services.mail_checks.base import CheckContext
from notifications.services.mail_checks.dns_lookups import DnsResolver
from notifications.services.mail_checks.servers import check_listener
from notifications.services.replies import reply_address
from tests import smtp
from tests.notifications.incoming_mail import answer, hand_in, listening, turn_token
from tests.notifications.outgoing_mail import tell

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def lookups(monkeypatch):
    """Return the list of names that are looked up from now on."""
    asked = []
    monkeypatch.setattr(socket, "getfqdn", lambda name="": asked.append(name) or "localhost")
    return asked


def test_the_listener_takes_a_mail_without(lookups, game, ann, now):
    token = turn_token(ann, now)
    with listening() as port:
        hand_in(port, answer(token, "5\n", ann.email), reply_address(token))
    assert IncomingMail.objects.count() == 1
    assert lookups == []


def test_the_inbox_replies_without_a_lookup(lookups, client, settings, tmp_path, game, ann, now):
    settings.DEVELOPMENT = True
    settings.LETTERBOX_DIR = tmp_path / "letterbox"
    settings.EMAIL_BACKEND = "notifications.dev_inbox.backend.EmailBackend"
    tell(now)
    lookups.clear()
    with listening() as port:
        settings.LISTEN = f"127.0.0.1:{port}"
        client.post(reverse("letterbox_reply", args=[newest(ann.email)[0].name]), {"text": "5"})
    assert IncomingMail.objects.count() == 1
    assert lookups == []


def test_maildoctor_checks_the_listener_without(lookups, settings, now):
    with listening() as port:
        settings.LISTEN = f"127.0.0.1:{port}"
        assert check_listener(CheckContext(DnsResolver(None), now)).severity == "ok"
    assert lookups == []


def test_the_tests_own_server_takes_a_mail_without(lookups):
    sink = smtp.Sink()
    with smtp.running(sink) as port:
        hand_in(port, b"Subject: a\r\n\r\nb\r\n", "bob@example.org")
    assert len(sink.raw) == 1
    assert lookups == []
