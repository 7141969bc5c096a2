"""Pages of one reader that are asked for at the same moment make one entry, also the very first."""

import pytest

from accounts.roles import MODERATORS
from games.models import ModerationLogEntry
from games.moderation import log
from games.moderation.access import log_read
from tests.factories import StaffFactory
from tests.games.play import begin, fresh
from tests.racing import at_once

pytestmark = pytest.mark.django_db(transaction=True)

THREADS = 8


def test_one_entry_is_written_by_eight_requests_at_once(ann, bob, now):
    game = begin(ann, bob, now=now, is_public=False)
    mona = StaffFactory(username="mona", role=MODERATORS)

    def read():
        return log_read(fresh(game), by=mona, page="/games/", now=now)

    assert sum(at_once(read, times=THREADS)) == 1
    assert ModerationLogEntry.objects.get().by == mona


def test_the_first_acts_of_an_empty_log_follow_each_other(ann, now):
    def write():
        return log.write_entry(by=ann, what="announce", why="x", now=now).number

    assert sorted(at_once(write, times=THREADS)) == list(range(1, THREADS + 1))
    assert list(log.faults()) == []
