"""Deadlines and reminders: one second before, at, and one second after."""

from datetime import UTC, datetime, timedelta

import pytest

from games import errors
from games.clock import spans as arithmetic
from games.models import Event, Game
from games.services import batches, deadlines
from games.services.deadlines import time_out_due
from games.services.reminders import remind_due
from tests.games.multiplayer import gather, play_on
from tests.games.play import DAY, SECOND, begin, fresh, play, play_all, refused, unchanged

pytestmark = pytest.mark.django_db

TINY = timedelta(microseconds=1)


# The late turn ---------------------------------------------------------------------------------


@pytest.mark.parametrize("early", [2 * DAY, SECOND, TINY, timedelta(0)])
def test_a_turn_at_the_deadline_or_before_it_is_in_time(game, ann, now, early):
    play(game, ann, "5", now=now + 2 * DAY - early)
    assert fresh(game).turn_number == 1


@pytest.mark.parametrize("late", [TINY, SECOND, 100 * DAY])
def test_a_late_turn_is_refused_before_any_sweep_has_run(game, ann, now, late):
    with refused(errors.TooLate, "Your time for this turn has run out.", status=409):
        play(game, ann, "5", now=now + 2 * DAY + late)
    assert fresh(game).status == "active"


def test_the_opponent_gets_all_of_their_own_time(game, ann, bob, now):
    play(game, ann, "5", now=now + 2 * DAY)
    play(game, bob, "1", now=now + 4 * DAY)
    with refused(errors.TooLate, "Your time for this turn has run out.", status=409):
        play(game, ann, "2", now=now + 6 * DAY + SECOND)


# The sweep -------------------------------------------------------------------------------------


def test_one_second_before_the_deadline_the_sweep_does_nothing(game, now):
    with unchanged():
        assert time_out_due(now=now + 2 * DAY - SECOND) == 0


def test_at_the_deadline_the_sweep_does_nothing(game, now):
    with unchanged():
        assert time_out_due(now=now + 2 * DAY) == 0


def test_one_second_after_the_deadline_the_sweep_ends_the_game_against_who_was_to_move(game, now):
    play_all(game, ["5", "1", "2"], now=now)
    late = now + 2 * DAY + SECOND
    assert time_out_due(now=late) == 1
    game = fresh(game)
    assert (game.status, game.ending, game.ended_at) == ("finished", "timeout", late)
    assert {seat.user.username: seat.place for seat in game.seats.all()} == {"ann": 1, "bob": 2}
    assert (game.deadline, game.reminder_at, game.seat_to_move) == (None, None, None)
    ended = game.events.get(kind=Event.Kind.ENDED)
    assert (ended.actor, ended.at) == (None, late)
    assert ended.details == {"ending": "timeout", "status": "finished"}


def test_a_game_whose_first_turn_was_never_played_is_aborted(game, now):
    assert time_out_due(now=now + 2 * DAY + SECOND) == 1
    game = fresh(game)
    assert (game.status, game.ending) == ("aborted", "never-begun")
    assert list(game.seats.values_list("place", flat=True)) == [None, None]
    assert game.events.get(kind=Event.Kind.ENDED).details["status"] == "aborted"


def test_a_game_that_the_second_player_never_begins_is_aborted_as_the_firsts_is(game, ann, now):
    play(game, ann, "5", now=now)
    assert time_out_due(now=now + 2 * DAY + SECOND) == 1
    game = fresh(game)
    assert (game.status, game.ending) == ("aborted", "never-begun")
    assert list(game.seats.values_list("place", flat=True)) == [None, None]


@pytest.mark.parametrize("turns", [["5", "1"], ["5", "1", "2"]])
def test_who_has_played_and_runs_out_of_time_loses(game, now, turns):
    play_all(game, turns, now=now)
    time_out_due(now=now + 2 * DAY + SECOND)
    assert fresh(game).ending == "timeout"


def test_of_three_or_more_who_never_begins_leaves_as_ever(people, now):
    game = play_on(gather(people, now=now), 1, now=now)
    time_out_due(now=game.deadline + SECOND)
    assert fresh(game).status == "active"
    assert game.seats.get(number=1).left_because == "timeout"


def test_a_second_sweep_finds_nothing(game, now):
    late = now + 2 * DAY + SECOND
    time_out_due(now=late)
    with unchanged():
        assert time_out_due(now=late) == 0


def test_the_sweep_ends_only_what_is_due(ann, bob, now):
    short, long = begin(ann, bob, now=now, days=1), begin(ann, bob, now=now, days=3)
    assert time_out_due(now=now + 2 * DAY) == 1
    assert (fresh(short).status, fresh(long).status) == ("aborted", "active")


def test_the_sweep_takes_the_longest_overdue_first_and_the_rest_next_time(
    ann, bob, now, monkeypatch
):
    monkeypatch.setattr(batches, "BATCH", 2)
    games = [begin(ann, bob, now=now, days=days) for days in (3, 1, 2)]
    late = now + 4 * DAY
    assert time_out_due(now=late) == 2
    assert [fresh(game).status for game in games] == ["active", "aborted", "aborted"]
    assert time_out_due(now=late) == 1


def test_a_broken_game_does_not_keep_the_others_from_ending(ann, bob, now):
    broken, sound = (begin(ann, bob, now=now) for _ in range(2))
    for game in (broken, sound):
        play_all(game, ["5", "1"], now=now)
    Game.objects.filter(pk=broken.pk).update(rules_slug="a-game-that-was-taken-out")
    assert time_out_due(now=now + 3 * DAY) == 1
    assert (fresh(broken).status, fresh(sound).status) == ("active", "finished")


def test_more_games_than_a_batch_that_are_held_do_not_keep_others_waiting(
    ann, bob, now, monkeypatch
):
    monkeypatch.setattr(batches, "BATCH", 2)
    held = [begin(ann, bob, now=now, days=days) for days in (1, 1, 1, 2, 2)]
    due = [begin(ann, bob, now=now, days=days) for days in (1, 2, 3)]
    monkeypatch.setattr(deadlines, "HOLDS", [lambda game: game in held])
    assert time_out_due(now=now + 3 * DAY) == 2
    assert time_out_due(now=now + 3 * DAY + SECOND) == 1
    assert time_out_due(now=now + 3 * DAY + SECOND) == 0
    assert {fresh(game).status for game in due} == {"aborted"}
    assert {fresh(game).status for game in held} == {"active"}
    monkeypatch.setattr(deadlines, "HOLDS", [])
    while time_out_due(now=now + 3 * DAY):
        pass
    assert {fresh(game).status for game in held} == {"aborted"}


def test_the_sweep_looks_again_under_the_lock(game, ann, now, monkeypatch):
    """The turn comes in after the sweep has chosen its games, before it locks this one."""
    choose = batches.process_rows

    def slowly(ids, do):
        ids = list(ids)
        play(game, ann, "5", now=now + 2 * DAY)
        return choose(ids, do)

    monkeypatch.setattr(batches, "process_rows", slowly)
    assert time_out_due(now=now + 2 * DAY + SECOND) == 0
    assert fresh(game).status == "active"


# The reminder ----------------------------------------------------------------------------------


def test_the_reminder_comes_when_a_quarter_of_the_time_is_left(game, now):
    with unchanged():
        assert remind_due(now=now + 1.5 * DAY - SECOND) == 0
    assert remind_due(now=now + 1.5 * DAY) == 1
    event = game.events.get(kind=Event.Kind.REMINDER_DUE)
    assert (event.at, event.turn_number, event.actor) == (now + 1.5 * DAY, 0, None)


def test_the_reminder_comes_once_a_turn(game, ann, now):
    assert remind_due(now=now + 1.5 * DAY) == 1
    with unchanged():
        assert remind_due(now=now + 1.9 * DAY) == 0
    play(game, ann, "5", now=now + 1.9 * DAY)
    assert remind_due(now=now + 3.4 * DAY) == 1
    assert game.events.filter(kind=Event.Kind.REMINDER_DUE).count() == 2


def test_a_turn_that_was_played_takes_its_reminder_along(game, ann, now):
    play(game, ann, "5", now=now + DAY)
    assert remind_due(now=now + 1.5 * DAY) == 0


def test_after_the_deadline_nobody_is_reminded(game, now):
    assert remind_due(now=now + 2 * DAY + SECOND) == 0
    assert game.events.filter(kind=Event.Kind.REMINDER_DUE).count() == 0
    assert time_out_due(now=now + 2 * DAY + SECOND) == 1


def test_a_reminder_does_not_move_the_deadline(game, now):
    remind_due(now=now + 1.5 * DAY)
    assert fresh(game).deadline == now + 2 * DAY


# The arithmetic --------------------------------------------------------------------------------


def test_durations_are_real_time_across_the_change_to_summer_time():
    began = datetime(2026, 3, 28, 12, tzinfo=UTC)
    assert arithmetic.instant_after(began, DAY, []) == datetime(2026, 3, 29, 12, tzinfo=UTC)


def test_the_deadline_itself_is_still_in_time():
    deadline = datetime(2026, 3, 28, 12, tzinfo=UTC)
    assert not arithmetic.is_late(deadline, deadline)
    assert arithmetic.is_late(deadline, deadline + TINY)
