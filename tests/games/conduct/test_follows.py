"""Following players: private, never of oneself or a bot, and ended by a block on either side."""

import pytest

from accounts.models import Block, Follow
from games import errors
from games.services.conduct.blocks import block, unblock
from games.services.conduct.follows import follow_player, unfollow_player
from tests.factories import GuestFactory
from tests.games.play import refused, unchanged

pytestmark = pytest.mark.django_db


def test_following_twice_changes_nothing(ann, bob, now):
    made = follow_player(by=ann, of=bob, now=now)
    with unchanged():
        assert follow_player(by=ann, of=bob, now=now) == made
    assert unfollow_player(by=ann, of=bob, now=now)
    assert not unfollow_player(by=ann, of=bob, now=now)
    assert not Follow.objects.exists()


def test_whom_nobody_can_follow(ann, bob, partner, now):
    bob.is_active = False
    bob.save()
    for whom in (ann, bob, partner, GuestFactory()):
        with refused(errors.CannotFollow, f"You cannot follow {whom}.", status=422):
            follow_player(by=ann, of=whom, now=now)


def test_guests_follow_nobody(ann, now):
    guest = GuestFactory()
    with refused(errors.GuestsFollowNobody, "Guests cannot follow players.", status=403):
        follow_player(by=guest, of=ann, now=now)


@pytest.mark.parametrize("blocker", [0, 1])
def test_a_block_ends_following_both_ways_and_prevents_it(ann, bob, cat, now, blocker):
    pairs = ((ann, bob), (bob, ann))
    for by, of in (*pairs, (ann, cat)):
        follow_player(by=by, of=of, now=now)
    who, whom = pairs[blocker]
    block(by=who, of=whom, now=now)
    assert Follow.objects.get().of == cat
    for by, of in pairs:
        with refused(errors.CannotFollow, "You cannot follow", status=422):
            follow_player(by=by, of=of, now=now)
    unblock(by=who, of=whom, now=now)
    assert not Block.objects.exists()
    assert follow_player(by=whom, of=who, now=now)


def test_nobody_follows_more_than_so_many(ann, bob, cat, now, settings):
    settings.MOST_FOLLOWED = 1
    follow_player(by=ann, of=bob, now=now)
    with refused(errors.FollowsEnough, "You follow 1 players already.", status=409):
        follow_player(by=ann, of=cat, now=now)
    unfollow_player(by=ann, of=bob, now=now)
    assert follow_player(by=ann, of=cat, now=now)
