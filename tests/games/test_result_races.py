"""Games of the same players that end at the same moment, in processes of their own."""

import pytest

from games.models import KindResults, OpponentResults
from games.services.result_counts import wrong_counts
from tests.games.parallel import at_once, resign
from tests.games.play import begin

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = 10


def test_games_that_end_at_once_all_count(ann, bob, now):
    lost = [begin(ann, bob, now=now) for _ in range(ROUNDS)]
    won = [begin(bob, ann, now=now) for _ in range(ROUNDS)]
    at_once(
        [resign(game, ann, now=now) for game in lost],
        [resign(game, bob, now=now) for game in won],
    )
    row = KindResults.objects.get(player=ann)
    assert (row.played, row.won) == (2 * ROUNDS, ROUNDS)
    row = OpponentResults.objects.get(player=bob)
    assert (row.played, row.won) == (2 * ROUNDS, ROUNDS)
    assert list(wrong_counts()) == []
