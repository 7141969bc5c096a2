"""A post office between ann, bob and the site."""

import pytest

from games.services import invitations
from tests.notifications.mail_commands.players_by_mail import players_by_mail


@pytest.fixture
def office(transactional_db, sink, now):
    """Open the post office."""
    with players_by_mail(sink, now) as office:
        yield office


@pytest.fixture
def played(office, table, ann, bob, now):
    """Return a game of classic Morpion that runs, ann to move; both have been told."""
    challenge = invitations.challenge(game_id=table.pk, by=ann, user=bob, now=now)
    game = invitations.accept(invitation_id=challenge.pk, user=bob, now=now)
    office.carry()
    return game
