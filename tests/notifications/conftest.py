"""A game between ann (to move) and bob, and a mail server."""

from datetime import timedelta

import pytest

from games.services import invitations, tables
from tests import smtp
from tests.notifications.post import use_server


@pytest.fixture
def allowance():
    """Four days a turn: a quarter of it is one day."""
    return timedelta(days=4)


@pytest.fixture
def table(ann, now, allowance):
    """A private table of ann's, which waits for somebody."""
    return tables.open_table(
        maker=ann,
        rules_slug="morpion",
        options={},
        allowance=allowance,
        now=now,
        is_public=False,
        maker_seat=0,
    )


@pytest.fixture
def challenge(table, ann, bob, now):
    """Ann has asked bob to that table."""
    return invitations.challenge(game_id=table.pk, by=ann, user=bob, now=now)


@pytest.fixture
def game(challenge, bob, now):
    """Bob has come: the game runs, ann is to move."""
    return invitations.accept(invitation_id=challenge.pk, user=bob, now=now)


@pytest.fixture
def sink(settings):
    """A mail server that takes everything, already the one we send to."""
    server = smtp.Sink()
    with smtp.running(server) as port:
        use_server(settings, port)
        yield server
