"""Undoing a turn or an end while somebody looks, plays or is told: on PostgreSQL and SQLite."""

import pytest

from accounts.server_time import server_now
from games.services.deadlines import time_out_due
from games.services.endings import resign
from games.services.record import faults_of
from games.services.result_counts import wrong_counts
from notifications.outbox.recipients import make_notices
from tests.factories import PersonFactory
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
    return "undo", {"game_id": game.pk, "user": "ann", "now": at + SECOND}


@pytest.mark.parametrize("job", ["look", "look_at_list", "write_mail"])
def test_a_turn_that_the_opponent_is_shown_is_never_undone(job, played):
    games, at = played
    more = {"now": at + SECOND} if job == "write_mail" else {}
    looks = [(job, {"game_id": game.pk, "user": "bob"} | more) for game in games]
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
    return "undo_end", {"game_id": game.pk, "user": "ann", "now": at + SECOND}


def test_an_end_that_the_opponent_is_shown_is_never_undone(resigned):
    games, at = resigned
    looks = [("look_at_status", {"game_id": game.pk, "user": "bob"}) for game in games]
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


# A departure -------------------------------------------------------------------------------------


@pytest.fixture
def left(ann, bob, cat):
    """Return several games of three that ann has just left, and when; bob is to move."""
    at = server_now()
    games = [
        play_on(gather([ann, bob, cat], now=at, variant="three"), 1, now=at) for _ in range(ROUNDS)
    ]
    make_notices(now=at)
    for game in games:
        resign(game_id=game.pk, user=ann, now=at)
    return games, at


def came_back(game, answer, seat=0):
    """Return whether the player of a seat plays again; fail unless all says the same."""
    game = fresh(game)
    is_back = game.seats.get(number=seat).left_at is None
    assert is_back == (answer == "undone")
    assert game.events.filter(kind="departure-undone").count() == is_back
    assert faults_of(game) == []
    return is_back


def test_the_next_turn_and_coming_back_never_both_have_their_way(left, bob):
    games, at = left
    turns = [turn(game, bob, some_turn(game), now=at + SECOND, expected=2) for game in games]
    undone, answers = at_once([undo_end(game, at) for game in games], turns)
    for game, first, second in zip(games, undone, answers, strict=True):
        assert (first, second) in (("undone", "StaleTurn"), ("DepartureIsFinal", "played"))
        came_back(game, first)


def test_who_is_shown_a_departure_is_never_told_another_story(left):
    games, at = left
    looks = [("look", {"game_id": game.pk, "user": "bob"}) for game in games]
    undone, shown = at_once([undo_end(game, at) for game in games], looks)
    for game, answer, turns in zip(games, undone, shown, strict=True):
        assert (answer, turns) in (("undone", 3), ("DepartureIsFinal", 2))
        came_back(game, answer)


def test_a_departure_is_undone_while_its_notices_are_written(left):
    games, at = left
    told = [("make_notices", {"now": at + SECOND})] * ROUNDS
    undone, _ = at_once([undo_end(game, at) for game in games], told)
    assert undone == ["undone"] * ROUNDS


def test_of_many_requests_to_come_back_one_does_it(left):
    games, at = left
    answers = at_once(*[[undo_end(games[0], at)] for _ in range(10)])
    assert sorted(answer for (answer,) in answers) == ["NoEndToUndo"] * 9 + ["undone"]
    assert came_back(games[0], "undone")
    assert fresh(games[0]).turn_number == 3


def test_a_time_out_and_coming_back_one_after_the_other(ann, bob, cat):
    """The deadlines lie ten seconds apart: each round's time-out touches its own game alone."""
    begun = server_now()
    games, undone_at = [], []
    for number in range(10):
        at = begun + 10 * number * SECOND
        game = play_on(gather([ann, bob, cat], now=at, variant="three"), 1, now=at)
        resign(game_id=game.pk, user=ann, now=game.deadline - 40 * SECOND)
        games.append(fresh(game))
        undone_at.append(game.deadline - 40 * SECOND)
    undos = [undo_end(game, at) for game, at in zip(games, undone_at, strict=True)]
    sweeps = [sweep(now=game.deadline + SECOND) for game in games]
    undone, swept = at_once(undos, sweeps)
    # A sweep leaves a game that another process has locked to the next.
    late = time_out_due(now=games[-1].deadline + SECOND)
    assert sum(swept) + late == len(games)
    for game, answer in zip(games, undone, strict=True):
        assert answer in ("undone", "DepartureIsFinal")
        assert game.seats.get(number=1).left_because == "timeout"
        assert fresh(game).is_over == (not came_back(game, answer))
    assert list(wrong_counts()) == []


@pytest.mark.parametrize("job", ["delete", "ban"])
def test_nobody_comes_back_whose_account_goes(job, bob, cat, mo):
    at, games, names = server_now(), [], []
    for number in range(10):
        person = PersonFactory(username=f"goer{number}")
        person.deletion_due_at = at if job == "delete" else None
        game = play_on(gather([person, bob, cat], now=at, variant="three"), 1, now=at)
        resign(game_id=game.pk, user=person, now=at)
        person.save()
        games.append(game)
        names.append(person.username)
    undos = [
        ("undo_end", {"game_id": game.pk, "user": name, "now": at + SECOND})
        for game, name in zip(games, names, strict=True)
    ]
    goes = [(job, {"user": name, "now": at + SECOND}) for name in names]
    undone, gone = at_once(undos, goes)
    assert gone == [{"delete": True, "ban": "banned"}[job]] * 10
    assert set(undone) <= {"undone", "DepartureIsFinal", "AccountClosed", "Barred"}
    for game in map(fresh, games):
        assert game.seats.get(number=0).left_at is not None
        assert (game.status, faults_of(game)) == ("active", [])
