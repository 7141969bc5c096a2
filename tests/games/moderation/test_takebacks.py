"""Moderators take games back; the record only grows, verifies, and is replayed so."""

import pytest

from games import errors
from games.clock.clock import StopReason
from games.models import Game, Turn
from games.moderation.game_actions import pause_game, resume_game, take_back
from games.queries.positions import moment_at, position_at, words_of_moment
from games.rules.base import BadRecord
from games.rules.entries import (
    departed,
    effective_entries,
    positions,
    replay,
    takeback,
    taken_back_to,
)
from games.services.clock.game_clock import stop_clock
from games.services.deadlines import time_out_due
from games.services.endings import can_abort, resign
from games.services.offers import offer_end
from games.services.record import faults_of, rebuild, turn_hash
from tests.games.moderating import WHY, newest
from tests.games.multiplayer import play_on, play_out
from tests.games.play import DAY, SECOND, fresh, play, play_all, refused
from tests.table_snapshot import triggers_off

pytestmark = pytest.mark.django_db


@pytest.fixture
def back(mo, now):
    """Return a function that takes a game back and returns it."""

    def to(game, turn, **choices):
        take_back(**{"game_id": game.pk, "by": mo, "turn": turn, "why": WHY, "now": now} | choices)
        return fresh(game)

    return to


def board(game):
    return game.rules.load(game.position)


def entries(game):
    return list(game.turns.order_by("number").values_list("notation", flat=True))


def test_the_game_goes_on_from_the_earlier_turn(game, ann, bob, back, now):
    played = play_all(game, ["5", "1", "3"], now=now)
    after = back(played, 1)
    assert board(after) == replay(after.rules, after.options, ["5"])
    assert (after.seat_to_move, after.turn_number) == (1, 4)
    assert entries(after) == ["5", "1", "3", "takeback 1"]
    play(after, bob, "1", now=now)  # free again
    assert board(fresh(game)) == replay(game.rules, game.options, ["5", "1"])
    assert faults_of(fresh(game)) == []


def test_a_takeback_is_an_entry_with_the_moderator_the_seat_to_move_and_a_hash(game, mo, back, now):
    play_all(game, ["5", "1"], now=now)
    back(game, 0)
    before, entry = game.turns.order_by("number")[1:3]
    assert (entry.number, entry.seat, entry.player, entry.via) == (3, 0, mo, "takeback")
    assert entry.hash == turn_hash(before.hash, 0, "takeback 0", now)
    assert fresh(game).head_hash == entry.hash


def test_a_game_can_be_taken_back_several_times_and_to_what_was_taken_back(game, back, now):
    play_all(game, ["5", "1", "3"], now=now)
    back(game, 1)
    play_all(game, ["9"], now=now)
    back(game, 0)
    after = back(game, 3)
    assert board(after) == replay(after.rules, after.options, ["5", "1", "3"])
    assert faults_of(after) == []
    won = play_all(after, ["4", "7"], now=now)  # 5, 3, 7 is a line
    assert (won.status, won.seats.get(number=0).place) == ("finished", 1)
    assert faults_of(won) == []


def test_everybody_has_a_turns_time_again(game, back, now):
    play_all(game, ["5"], now=now)
    after = back(game, 0, now=now + DAY)
    assert (after.deadline, after.turn_began_at) == (now + 3 * DAY, now + DAY)


def test_a_game_that_a_moderator_paused_stays_paused(game, mo, back, now):
    play_all(game, ["5"], now=now)
    pause_game(game_id=game.pk, by=mo, why=WHY, now=now)
    after = back(game, 0, now=now + DAY)
    assert (after.stop_reason, after.deadline) == ("moderator", None)
    resume_game(game_id=game.pk, by=mo, why=WHY, now=now + 5 * DAY)
    assert fresh(game).deadline == now + 7 * DAY


def test_offers_lapse(game, ann, back, now):
    play_all(game, ["5"], now=now)
    offer_end(game_id=game.pk, user=ann, now=now)
    back(game, 0)
    assert game.offers.get().state == "lapsed"


def test_a_turn_that_was_taken_back_is_not_answered_as_played(game, ann, back, now):
    play(game, ann, "5", now=now, expected=0)
    back(game, 0)
    with refused(errors.StaleTurn, "meant for another position", status=409):
        play(game, ann, "5", now=now, expected=0)


def test_nobody_types_a_takeback(game, ann, now):
    with refused(errors.MoveRefused, "“takeback 0” is not a cell", status=422):
        play(game, ann, "takeback 0", now=now)


@pytest.mark.parametrize("turn", [2, 3, 10**9, -1])
def test_only_earlier_turns_can_be_gone_back_to(game, mo, now, turn):
    play_all(game, ["5", "1"], now=now)
    with refused(errors.NoSuchTurn, "a turn from 0 to 1", status=422):
        take_back(game_id=game.pk, by=mo, turn=turn, why=WHY, now=now)


def test_a_game_without_turns_cannot_be_taken_back(game, mo, now):
    with refused(errors.NoSuchTurn, "Choose a turn from 0 to", status=422):
        take_back(game_id=game.pk, by=mo, turn=0, why=WHY, now=now)


def test_while_somebody_is_sought_for_a_seat_nothing_is_taken_back(game, mo, now):
    played = play_all(game, ["5"], now=now)
    stop_clock(played, StopReason.SUBSTITUTE, wait=DAY, now=now)
    played.save()
    with refused(errors.SeatIsEmpty, "This game is looking for a substitute", status=409):
        take_back(game_id=game.pk, by=mo, turn=0, why=WHY, now=now)


def test_a_player_who_left_does_not_come_back(four, mo, back, now):
    played = play_on(four, 3, now=now)
    resign(game_id=four.pk, user=played.seats.get(number=1).user, now=now)
    play_on(four, 2, now=now)
    with refused(errors.BeforeDeparture, "Turn 4 is the earliest", status=409):
        take_back(game_id=four.pk, by=mo, turn=3, why=WHY, now=now)
    after = back(four, 4)
    assert faults_of(after) == []
    assert faults_of(play_out(after, now=now)) == []


def test_only_turns_that_stand_make_a_game_begun(game, back, now):
    play_all(game, ["5", "1"], now=now)
    assert not can_abort(fresh(game))
    after = back(game, 1)
    assert can_abort(after)
    back(game, 0)
    assert time_out_due(now=now + 2 * DAY + SECOND) == 1
    assert fresh(game).ending == "never-begun"


def test_looking_back_shows_each_entry_as_it_was(game, back, now):
    play_all(game, ["5", "1", "3"], now=now)
    after = back(game, 1)
    play_all(game, ["2"], now=now)
    after = fresh(game)
    for number, turns in enumerate([[], ["5"], ["5", "1"], ["5", "1", "3"], ["5"], ["5", "2"]]):
        assert position_at(after, number) == replay(after.rules, after.options, turns)
        assert moment_at(after, number).position == position_at(after, number)
    assert words_of_moment(after, moment_at(after, 4)) == "takes the game back to turn 1"
    assert moment_at(after, 4).back == 1
    start = back(game, 0)
    assert words_of_moment(start, moment_at(start, 6)) == "takes the game back to its start"


def test_the_cache_can_be_rebuilt_over_takebacks(game, back, now):
    play_all(game, ["5", "1"], now=now)
    after = back(game, 1)
    Game.objects.filter(pk=game.pk).update(position=after.previous_position, previous_position="")
    assert [fault.what for fault in faults_of(fresh(game))] == [
        "the cached position is not the record's"
    ]
    broken = fresh(game)
    rebuild(broken)
    assert (broken.position, broken.previous_position) == (after.position, after.previous_position)
    assert faults_of(broken) == []


def test_who_bends_a_takeback_is_seen(game, back, now):
    play_all(game, ["5", "1"], now=now)
    back(game, 0)
    with triggers_off():
        Turn.objects.filter(game=game, number=3).update(notation="takeback 1")
    assert "turn 3 does not match its hash" in [fault.what for fault in faults_of(fresh(game))]


def test_the_act_says_to_where(game, back, now):
    play_all(game, ["5", "1"], now=now)
    back(game, 1)
    act, event = newest(game)
    assert act.details == {"turn": 1}
    assert event.turn_number == 3


# The entries themselves --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "stands"),
    [
        ([], []),
        (["a", "b"], [1, 2]),
        (["a", "b", "takeback 1"], [1]),
        (["a", "b", "takeback 0", "c"], [4]),
        (["a", "takeback 0", "c", "takeback 1", "d"], [1, 5]),
        (["a", "b", "takeback 0", "takeback 2", "e"], [1, 2, 5]),
        (["a", "b", "takeback 1", "c", "takeback 3", "d"], [1, 6]),
    ],
)
def test_the_effective_entries_of_a_record(said, stands):
    assert effective_entries(said) == stands


@pytest.mark.parametrize("number", [0, 1, 10, 999])
def test_a_takeback_is_read_as_it_is_written(number):
    assert taken_back_to(takeback(number)) == number


@pytest.mark.parametrize("text", ["takeback", "takeback -1", "takeback 01", "takeback 1 ", "5"])
def test_nothing_else_is_a_takeback(text):
    assert taken_back_to(text) is None


@pytest.mark.parametrize("said", [["takeback 0"], ["5", "takeback 1"], ["5", "takeback 9"]])
def test_a_record_goes_back_to_earlier_turns_only(game, said):
    with pytest.raises(BadRecord, match=f"Turn {len(said)} of the record"):
        replay(game.rules, game.options, said)


@pytest.fixture
def after_a_departure(four, people, now):
    """The entries of a game of four: two turns, a departure, and another turn."""
    play_on(four, 2, now=now)
    resign(game_id=four.pk, user=people[3], now=now)
    return entries(play_on(four, 1, now=now))


def test_a_record_does_not_go_back_over_a_departure(four, after_a_departure):
    assert len(positions(four.rules, four.options, after_a_departure)) == 5
    with pytest.raises(BadRecord, match="cannot be taken back to turn 2"):
        positions(four.rules, four.options, [*after_a_departure, "takeback 2"])


def test_departures_alone_can_be_taken_back(four, after_a_departure):
    said = after_a_departure[:3]
    found = positions(four.rules, four.options, [*said, "withdraw 0", "takeback 2"])
    assert found[-1] == found[2]
    found = positions(four.rules, four.options, [*said, "withdraw 0", "takeback 3"])
    assert found[-1] == found[3]
    with pytest.raises(BadRecord, match="cannot be taken back to turn 1"):
        positions(four.rules, four.options, [*said, "takeback 1"])


def test_nobody_leaves_again_by_going_back_to_a_departure_that_was_taken_back(
    four, after_a_departure
):
    said = [*after_a_departure[:2], "withdraw 3", "takeback 2"]
    assert departed(said) == [frozenset()] * 3 + [frozenset({3}), frozenset()]
    with pytest.raises(BadRecord, match="cannot be taken back to turn 3"):
        positions(four.rules, four.options, [*said, "takeback 3"])
    # Nobody has left any more: turns before that can be gone back to.
    found = positions(four.rules, four.options, [*said, "takeback 1"])
    assert found[-1] == found[1]
