"""How much pages cost: queries, with session and user, and bytes. docs/performance.md has times."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

pytestmark = pytest.mark.django_db

TURN = 11
"""Queries of a turn that is played by POST."""


def queries(ask):
    """Return the statements that a request makes, after one that reads what is kept."""
    with CaptureQueriesContext(connection) as captured:
        ask()
    made = [query["sql"] for query in captured]
    return [sql for sql in made if "SAVEPOINT" not in sql]


def test_a_turn_by_post(as_ann, game):
    as_ann.get(game.get_absolute_url())  # the session's list of visits is written now and then

    def play():
        sent = {"text": "5", "expected_turn": 0}
        answer = as_ann.post(reverse("game_play", args=[game.pk]), sent)
        assert answer.status_code == 302

    made = queries(play)
    assert len(made) <= TURN, made
