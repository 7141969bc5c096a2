"""Undoing a turn or an end while somebody looks, plays or is told: on PostgreSQL and SQLite."""

import pytest

from accounts.server_time import server_now
from games.services.deadlines import time_out_due
from games.services.endings import resign
from games.services.record import faults_of
from games.services.result_counts import wrong_counts
from tests.games.multiplayer import gather, play_on, some_turn
from tests.games.parallel import at_once, sweep, turn
from tests.games.play import SECOND, begin, fresh, play

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = 30


@pytest.fixture
def played(ann, bob):
    """Return several games in which ann has just played, and when."""
    at = server_now()
    games = [begin(ann, bob, now=at) for _ in range(ROUNDS)]
    for game in games:
        play(game, ann, "5", now=at)
    return games, at


def undo(game, at):
    return "undo", {"game_id": game.pk, "username": "ann", "now": at + SECOND}


@pytest.mark.parametrize("job", ["look", "look_at_list", "write_mail"])
def test_a_turn_that_the_opponent_is_shown_is_never_undone(job, played):
    games, at = played
    more = {"now": at + SECOND} if job == "write_mail" else {}
    looks = [(job, {"game_id": game.pk, "username": "bob"} | more) for game in games]
    undone, shown = at_once([undo(game, at) for game in games], looks)
    for game, answer, turns in zip(games, undone, shown, strict=True):
        if answer == "undone":
            assert turns in (2, None)
            assert fresh(game).turn_number == 2
        else:
            assert (answer, turns) == ("UndoIsOver", 1)
            assert fresh(game).turn_number == 1
        assert faults_of(fresh(game)) == []


def test_the_opponents_turn_and_undoing_never_both_have_their_way(played, bob):
    games, at = played
    turns = [turn(game, bob, "1", now=at + SECOND, expected=1) for game in games]
    undone, answers = at_once([undo(game, at) for game in games], turns)
    for game, first, second in zip(games, undone, answers, strict=True):
        assert (first, second) in (("undone", "StaleTurn"), ("NothingToUndo", "played"))
        assert fresh(game).turn_number == 2
        assert faults_of(fresh(game)) == []


def test_of_many_requests_to_undo_one_does_it(played):
    games, at = played
    game = games[0]
    answers = at_once(*[[undo(game, at)] for _ in range(10)])
    assert sorted(answer for (answer,) in answers) == ["NothingToUndo"] * 9 + ["undone"]
    assert fresh(game).turn_number == 2


# The end -----------------------------------------------------------------------------------------


@pytest.fixture
def resigned(ann, bob):
    """Return several games that ann has just resigned, and when."""
    at = server_now()
    games = [begin(ann, bob, now=at) for _ in range(ROUNDS)]
    for game in games:
        resign(game_id=game.pk, user=ann, now=at)
    return games, at


def undo_end(game, at):
    return "undo_end", {"game_id": game.pk, "username": "ann", "now": at + SECOND}


def test_an_end_that_the_opponent_is_shown_is_never_undone(resigned):
    games, at = resigned
    looks = [("look_at_status", {"game_id": game.pk, "username": "bob"}) for game in games]
    undone, shown = at_once([undo_end(game, at) for game in games], looks)
    for game, answer, status in zip(games, undone, shown, strict=True):
        expected = ("undone", "active") if answer == "undone" else ("EndIsFinal", "finished")
        assert (answer, status) == expected
        assert fresh(game).status == status
    assert list(wrong_counts()) == []


def test_an_end_is_undone_while_its_notices_are_written(resigned):
    """Both lock its event and its game: neither may wait for the other for ever."""
    games, at = resigned
    told = [("make_notices", {"now": at + SECOND})] * ROUNDS
    undone, _ = at_once([undo_end(game, at) for game in games], told)
    assert undone == ["undone"] * ROUNDS


def test_of_many_requests_to_undo_an_end_one_does_it(resigned):
    games, at = resigned
    game = games[0]
    answers = at_once(*[[undo_end(game, at)] for _ in range(10)])
    assert sorted(answer for (answer,) in answers) == ["NoEndToUndo"] * 9 + ["undone"]
    assert fresh(game).status == "active"
    assert list(wrong_counts()) == []
