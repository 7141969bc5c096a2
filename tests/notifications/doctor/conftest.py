"""A host whose mail is in order, as far as DNS knows."""

import pytest

from notifications.services.doctor import Case
from tests.notifications.doctor.names import Names, answering


@pytest.fixture(autouse=True)
def host(settings):
    """Mail of pli.example.org, answers to play.pli.example.org."""
    settings.MAIL_DOMAIN = "pli.example.org"
    settings.REPLY_DOMAIN = "play.pli.example.org"
    settings.DEFAULT_FROM_EMAIL = "Pli <games@pli.example.org>"
    return settings


@pytest.fixture
def names():
    return Names()


@pytest.fixture
def case(names, now):
    with answering(names) as zone:
        yield Case(zone=zone, now=now, ip="192.0.2.7", dkim_selector="pli")
