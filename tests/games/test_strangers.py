"""A player can refuse challenges from strangers; whom they played or follow is no stranger."""

import pytest

from games import errors
from games.services.conduct.follows import follow_player
from games.services.endings import resign
from games.services.invitations import challenge
from games.services.tables import join_table
from tests.games.play import begin, refused, table
from tests.games.variants import superpion

pytestmark = pytest.mark.django_db

SAID = "This player does not accept challenges from you"


@pytest.fixture
def shy(bob):
    """Bob, who takes no challenges from strangers."""
    bob.takes_strangers = False
    bob.save()
    return bob


def challenge_at_a_table(by, user, now):
    return challenge(game_id=table(by, now=now).pk, by=by, user=user, now=now)


def test_a_stranger_is_refused_and_everybody_else_may_ask(shy, ann, cat, now):
    waiting = table(ann, now=now)
    with refused(errors.TakesNoChallenges, SAID, status=403):
        challenge(game_id=waiting.pk, by=ann, user=shy, now=now)
    assert challenge_at_a_table(shy, ann, now)
    begin(shy, cat, now=now)
    assert challenge_at_a_table(cat, shy, now)


def test_somebody_from_an_earlier_game_is_no_stranger(shy, ann, now):
    resign(game_id=begin(ann, shy, now=now).pk, user=ann, now=now)
    assert challenge_at_a_table(ann, shy, now)


def test_who_is_followed_is_no_stranger_but_a_follower_is(shy, ann, now):
    waiting = table(ann, now=now)
    follow_player(by=ann, of=shy, now=now)
    with refused(errors.TakesNoChallenges, SAID, status=403):
        challenge(game_id=waiting.pk, by=ann, user=shy, now=now)
    follow_player(by=shy, of=ann, now=now)
    assert challenge(game_id=waiting.pk, by=ann, user=shy, now=now)


def test_sitting_at_one_table_is_no_game_yet(shy, ann, now):
    together = superpion(shy, "four", now=now)
    join_table(game_id=together.pk, user=ann, now=now)
    waiting = table(ann, now=now)
    with refused(errors.TakesNoChallenges, SAID, status=403):
        challenge(game_id=waiting.pk, by=ann, user=shy, now=now)
