"""Programs and people who ask the API."""

import pytest

from accounts.programs import create_program
from accounts.server_time import server_now
from games.api.limits import counts
from tests.api.client import Api, token_for
from tests.games.play import begin


@pytest.fixture(autouse=True)
def _nothing_was_asked_yet():
    counts.clear()


@pytest.fixture
def now():
    """The server's time: requests take no other."""
    return server_now()


@pytest.fixture
def game(ann, bob, now):
    """Morpion, ann (crosses) to move, bob (noughts) waiting, two days for a turn."""
    return begin(ann, bob, now=now)


@pytest.fixture
def as_ann(ann, now):
    return Api(token_for(ann, now=now))


@pytest.fixture
def as_bob(bob, now):
    return Api(token_for(bob, now=now))


@pytest.fixture
def robot(cat):
    """A program of cat's."""
    return create_program(owner=cat, username="robot")


@pytest.fixture
def as_robot(robot, now):
    return Api(token_for(robot, now=now))
