"""Several processes that think for programs at once, and one that is killed while it thinks."""

from datetime import timedelta

import pytest
from django.db import connection

from games.models import Game
from games.services.invitations import ask_partner
from games.services.record import faults_of
from games.services.thinking import claim_turn, play_for_bots
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


@pytest.mark.parametrize("answer", ["played", "claimed"])
def test_a_turn_that_another_thinker_takes_while_games_are_read_is_left_alone(waiting, now, answer):
    """Games are chosen by one query and read by another: a program had played for the person."""
    (game,) = waiting(1)
    other = []

    def between(execute, sql, params, many, context):
        if '"games_game"."id" IN (' in sql and not other:
            other.append("has come")
            if answer == "played":
                other.append(play_for_bots(now=now))
            else:
                other.append(bool(claim_turn(fresh_with_players(game), now)))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(between):
        assert play_for_bots(now=now) == 0
    assert other == ["has come", 1]
    after = fresh(game)
    assert after.turn_number == (answer == "played")
    assert (after.bot_due_at is None) == (answer == "played")
    assert faults_of(after) == []


def fresh_with_players(game):
    return Game.objects.with_players().get(pk=game.pk)


def test_a_thought_that_was_killed_is_thought_again(waiting, now):
    (game,) = waiting(1)
    think_until_killed(now)
    claimed = fresh(game)
    assert claimed.turn_number == 0
    assert now < claimed.bot_due_at < now + timedelta(minutes=4)
    assert play_for_bots(now=claimed.bot_due_at - SECOND) == 0
    assert play_for_bots(now=claimed.bot_due_at) == 1
    assert (fresh(game).turn_number, fresh(game).bot_due_at) == (1, None)
