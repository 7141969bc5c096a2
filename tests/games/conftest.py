"""A game that runs."""

import pytest

from tests.factories import PersonFactory, ProgramFactory
from tests.games.play import begin


@pytest.fixture
def game(ann, bob, now):
    """Morpion, ann (crosses) to move, bob (noughts) waiting, two days for a turn."""
    return begin(ann, bob, now=now)


@pytest.fixture
def dan(db):
    """One more person, for tables of three."""
    return PersonFactory(username="dan")


@pytest.fixture
def partner(db, settings):
    """The practice partner's account."""
    return ProgramFactory(username=settings.PRACTICE_PARTNER_USERNAME)


@pytest.fixture
def three_seats(monkeypatch):
    """Morpion for three: nobody could play it, but tables and offers do not know that."""
    from games.rules.morpion.rules import Morpion

    monkeypatch.setattr(Morpion, "seats", lambda self, options: 3)
