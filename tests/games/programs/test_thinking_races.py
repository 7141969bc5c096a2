"""Several processes that think for programs at once, and one that is killed while it thinks."""

from datetime import timedelta

import pytest

from games.models import Game
from games.services.invitations import ask_partner
from games.services.record import faults_of
from games.services.thinking import play_for_bots
from tests.games.parallel import at_once, think, think_until_killed
from tests.games.play import SECOND, fresh, table

pytestmark = pytest.mark.django_db(transaction=True)

GAMES, THINKERS = 12, 6


@pytest.fixture
def waiting(ann, partner, now):
    """Return what begins several games in which the program plays first."""

    def begin_many(count):
        games = [table(ann, now=now, seat=1, slug="super-morpion") for _ in range(count)]
        return [ask_partner(game_id=game.pk, by=ann, now=now, level=1) for game in games]

    return begin_many


def test_several_thinkers_at_once_play_each_turn_once(waiting, now):
    games = waiting(GAMES)
    answers = at_once(*[[think(now=now)] for _ in range(THINKERS)])
    assert sum(count for (count,) in answers) == GAMES
    for game in games:
        assert fresh(game).turn_number == 1
        assert faults_of(fresh(game)) == []
    assert not Game.objects.filter(bot_due_at__isnull=False).exists()


def test_a_thought_that_was_killed_is_thought_again(waiting, now):
    (game,) = waiting(1)
    think_until_killed(now)
    claimed = fresh(game)
    assert claimed.turn_number == 0
    assert now < claimed.bot_due_at < now + timedelta(minutes=4)
    assert play_for_bots(now=claimed.bot_due_at - SECOND) == 0
    assert play_for_bots(now=claimed.bot_due_at) == 1
    assert (fresh(game).turn_number, fresh(game).bot_due_at) == (1, None)
