"""A site whose mail is in order, as far as DNS knows."""

import pytest
from django.utils import translation

from notifications.services.mail_checks.base import CheckContext
from tests.notifications.incoming_mail import listening
from tests.notifications.mail_checks.dns_server import Names, answering


@pytest.fixture(autouse=True)
def host(settings):
    """Mail of pli.example.org, answers to play.pli.example.org."""
    settings.MAIL_DOMAIN = "pli.example.org"
    settings.REPLY_DOMAIN = "play.pli.example.org"
    settings.DEFAULT_FROM_EMAIL = "Pli <games@pli.example.org>"
    # Findings are in the active language, which another test may have left behind.
    with translation.override("en"):
        yield settings


@pytest.fixture
def names():
    return Names()


@pytest.fixture
def case(names, now):
    with answering(names) as resolver:
        yield CheckContext(dns=resolver, now=now, ip="192.0.2.7", dkim_selector="pli")


@pytest.fixture
def listens(settings):
    """The port of a mail listener, already the one that settings name."""
    with listening() as port:
        settings.LISTEN = f"127.0.0.1:{port}"
        yield port
