"""A mail that is due."""

import pytest

from notifications.outbox.recipients import make_notices
from tests.notifications.outgoing_mail import after_hold, play


@pytest.fixture
def at(told, ann, now):
    """Ann has played: when the mail that tells bob is due, and nothing else is."""
    play(told, ann, "5", now)
    make_notices(now=now)
    return after_hold(now)
