"""The counts of results: every end of a game is counted once, and a reopened game no more."""

from importlib import import_module
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection

from games.models import KindResults, OpponentResults
from games.moderation.game_actions import adjudicate, reopen_game, substitute
from games.services.deadlines import time_out_due
from games.services.endings import abort, resign
from games.services.result_counts import wrong_counts
from tests.factories import PersonFactory
from tests.games.moderating import WHY, a_moderator, lose_on_time
from tests.games.multiplayer import gather, play_on, play_out
from tests.games.play import DAY, SECOND, begin, fresh, play_all

pytestmark = pytest.mark.django_db

DRAW = ["1", "2", "3", "5", "4", "6", "8", "7", "9"]
"""A game of Morpion that nobody wins."""


def kept(player, slug="morpion"):
    """Return what is counted of a player in a kind of game: played, won, drawn, lost, on time."""
    row = KindResults.objects.filter(player=player, rules_slug=slug).first()
    return (row.played, row.won, row.drawn, row.lost, row.out_of_time) if row else None


def against(player, opponent):
    """Return what is counted of a player against another: played, won, drawn, lost."""
    row = OpponentResults.objects.filter(player=player, opponent=opponent).first()
    return (row.played, row.won, row.drawn, row.lost) if row else None


def assert_right():
    assert list(wrong_counts()) == []


def test_a_game_counts_for_both_players_when_it_ends(ann, bob, now):
    game = begin(ann, bob, now=now)
    assert kept(ann) is None
    resign(game_id=game.pk, user=bob, now=now)
    assert kept(ann) == (1, 1, 0, 0, 0)
    assert kept(bob) == (1, 0, 0, 1, 0)
    assert against(ann, bob) == (1, 1, 0, 0)
    assert against(bob, ann) == (1, 0, 0, 1)
    play_all(begin(ann, bob, now=now), DRAW, now=now)
    assert kept(ann) == (2, 1, 1, 0, 0)
    assert against(bob, ann) == (2, 0, 1, 1)
    resign(game_id=begin(ann, bob, now=now, slug="taquet").pk, user=ann, now=now)
    assert kept(ann, "taquet") == (1, 0, 0, 1, 0)
    assert kept(ann) == (2, 1, 1, 0, 0)
    assert against(ann, bob) == (3, 1, 1, 1)
    assert_right()


def test_losing_on_time_is_counted_of_the_loser_alone(ann, bob, now):
    late = [play_all(begin(ann, bob, now=now), ["5", "1"], now=now) for _ in range(3)]
    assert time_out_due(now=fresh(late[0]).deadline + SECOND) == 3  # together
    assert kept(ann) == (3, 0, 0, 3, 3)
    assert kept(bob) == (3, 3, 0, 0, 0)
    lose_on_time(play_all(begin(ann, bob, now=now), ["5", "1"], now=now), now=now)
    assert kept(ann) == (4, 0, 0, 4, 4)
    assert against(bob, ann) == (4, 4, 0, 0)
    assert_right()


def test_what_has_no_result_or_a_bot_does_not_count(ann, bob, partner, now):
    abort(game_id=begin(ann, bob, now=now).pk, user=ann, now=now)
    resign(game_id=begin(ann, partner, now=now).pk, user=ann, now=now)
    resign(game_id=gather([ann, bob, partner], variant="three", now=now).pk, user=ann, now=now)
    assert not KindResults.objects.exists()
    assert not OpponentResults.objects.exists()
    assert_right()


def test_games_of_several_count_by_kind_only(teams, four, people, now):
    ann, bob, cat, dan = people
    for seat in (bob, dan):
        resign(game_id=teams.pk, user=seat, now=now)
    assert [kept(one, "superpion") for one in (ann, cat)] == [(1, 1, 0, 0, 0)] * 2
    assert [kept(one, "superpion") for one in (bob, dan)] == [(1, 0, 0, 1, 0)] * 2
    assert not OpponentResults.objects.exists()
    lose_on_time(play_on(four, 4, now=now), now=now)  # ann leaves, the others play on
    assert kept(ann, "superpion") == (1, 1, 0, 0, 0)
    play_out(fresh(four), now=now)
    assert kept(ann, "superpion")[::4] == (2, 1)
    assert kept(bob, "superpion")[::4] == (2, 0)
    assert_right()


def test_a_game_counts_for_the_substitute(people, now):
    ann, bob, *_ = people
    eve = PersonFactory(username="eve")
    game = play_on(gather(people, now=now), 4, now=now)
    substitute(game_id=game.pk, by=a_moderator("zoe"), seat=0, user=eve, why=WHY, now=now)
    play_out(fresh(game), now=now)
    assert kept(ann, "superpion") is None
    assert kept(eve, "superpion")[0] == kept(bob, "superpion")[0] == 1
    assert_right()


def test_a_moderators_result_counts(ann, bob, now):
    for places in ([1, 1], [2, 1]):
        game = begin(ann, bob, now=now)
        adjudicate(game_id=game.pk, by=a_moderator("zoe"), places=places, why=WHY, now=now)
    assert kept(ann) == (2, 0, 1, 1, 0)
    assert against(bob, ann) == (2, 1, 1, 0)
    assert_right()


def test_a_reopened_game_counts_no_more_until_it_ends_again(ann, bob, now):
    resign(game_id=begin(ann, bob, now=now).pk, user=bob, now=now)
    game = lose_on_time(play_all(begin(ann, bob, now=now), ["5", "1"], now=now), now=now)
    assert kept(ann) == (2, 1, 0, 1, 1)
    reopen_game(game_id=game.pk, by=a_moderator("zoe"), why=WHY, now=now + DAY)
    assert kept(ann) == (1, 1, 0, 0, 0)
    assert kept(bob) == (1, 0, 0, 1, 0)
    assert against(ann, bob) == (1, 1, 0, 0)
    assert_right()
    resign(game_id=game.pk, user=bob, now=now + DAY)
    assert kept(ann) == (2, 2, 0, 0, 0)
    assert_right()


@pytest.fixture
def miscounted(ann, bob, cat, now):
    """Three games that are counted, of which one row is wrong, one missing and one too many."""
    for loser in (ann, bob, bob):
        resign(game_id=begin(ann, bob, now=now).pk, user=loser, now=now)
    KindResults.objects.filter(player=ann).update(won=0)
    OpponentResults.objects.filter(player=bob).delete()
    KindResults.objects.create(player=cat, rules_slug="taquet", played=1)


def test_what_is_wrong_is_found_and_repaired(miscounted, ann, bob, cat, capsys):
    found = [(one.player_id, one.what, one.kept, one.counted) for one in wrong_counts()]
    assert found == [
        (ann.pk, "morpion", (3, 0, 0, 0), (3, 2, 0, 0)),
        (cat.pk, "taquet", (1, 0, 0, 0), ()),
        (bob.pk, ann.pk, (), (3, 1, 0)),
    ]
    with pytest.raises(SystemExit):
        call_command("results", "check")
    said = capsys.readouterr().out
    assert f"user {ann.pk}, morpion: (3, 0, 0, 0) is kept, the games make (3, 2, 0, 0)" in said
    assert "3 counts are wrong" in said
    call_command("results", "repair")
    assert "3 counts are repaired" in capsys.readouterr().out
    assert_right()
    assert against(bob, ann) == (3, 1, 0, 2)
    call_command("results", "check")
    assert capsys.readouterr().out == "All counts are right.\n"


def test_the_migration_counts_as_the_end_of_a_game_does(miscounted, four, people, now):
    lose_on_time(play_on(four, 4, now=now), now=now)
    play_out(fresh(four), now=now)
    migration = import_module("games.migrations.0029_fill_results")
    migration.fill(
        apps, SimpleNamespace(connection=connection, execute=connection.cursor().execute)
    )
    assert_right()
