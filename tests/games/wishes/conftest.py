"""Two players, and a wish of each."""

import pytest

from tests.factories import PersonFactory
from tests.games.wishes.making import wish_for


@pytest.fixture
def ann():
    return PersonFactory(username="ann")


@pytest.fixture
def bob():
    return PersonFactory(username="bob")


@pytest.fixture
def both(ann, bob, now):
    return wish_for(ann, now=now), wish_for(bob, now=now)
