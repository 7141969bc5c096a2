"""Moderators decide games, break them off, and say who sits where."""

import pytest
from django.utils.translation import override

from accounts.models import User
from games import errors
from games.clock.clock import StopReason
from games.models import Game, Seat
from games.moderation import log
from games.moderation.game_actions import (
    abort_as_moderator,
    adjudicate,
    pause_game,
    remove_player,
    resume_game,
    set_conversation,
    set_public,
    substitute,
    verify_record,
)
from games.services.clock.game_clock import stop_clock
from games.services.endings import resign
from games.services.record import faults_of
from tests.games.moderating import WHY, newest
from tests.games.multiplayer import mover, places, play_on, points
from tests.games.play import DAY, SECOND, begin, fresh, play, refused, table
from tests.table_snapshot import triggers_off

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("given", [[1, 2], [2, 1], [1, 1]])
def test_a_game_of_two_is_decided_either_way_or_drawn(game, mo, now, given):
    adjudicate(game_id=game.pk, by=mo, places=given, why=WHY, now=now)
    over = fresh(game)
    assert (over.status, over.ending, over.ended_at) == ("finished", "adjudicated", now)
    assert (places(over), points(over)) == (given, [None, None])
    assert newest(game)[0].details == {"places": given}
    assert over.events.last().kind == "ended"


@pytest.mark.parametrize("given", [[1, 2, 3, 4], [1, 1, 3, 3], [4, 1, 2, 2], [1, 1, 1, 1]])
def test_a_game_of_four_is_decided_with_any_places(four, mo, now, given):
    adjudicate(game_id=four.pk, by=mo, places=given, why=WHY, now=now)
    assert places(fresh(four)) == given


@pytest.mark.parametrize("given", [[], [1], [2, 2], [0, 1], [1, 3], [1, 2, 3], [-1, 1]])
def test_a_result_places_every_seat_and_somebody_first(game, mo, now, given):
    with refused(errors.BadResult, "a place from 1 to 2", status=422):
        adjudicate(game_id=game.pk, by=mo, places=given, why=WHY, now=now)


def test_a_game_is_broken_off_without_a_result(game, ann, bob, mo, now):
    play(game, ann, "5", now=now)
    play(game, bob, "1", now=now)  # the players themselves could not any more
    abort_as_moderator(game_id=game.pk, by=mo, why=WHY, now=now)
    over = fresh(game)
    assert (over.status, over.ending, places(over)) == ("aborted", "broken-off", [None, None])
    with refused(errors.GameNotRunning, "or it is over", status=409):
        abort_as_moderator(game_id=game.pk, by=mo, why=WHY, now=now)


def test_a_table_that_waits_is_closed(ann, mo, now):
    waiting = table(ann, now=now)
    abort_as_moderator(game_id=waiting.pk, by=mo, why=WHY, now=now)
    assert (fresh(waiting).status, fresh(waiting).ending) == ("closed", "broken-off")


# Seats -------------------------------------------------------------------------------------------


def test_a_seat_is_taken_out_and_the_others_play_on(four, bob, mo, now):
    played = play_on(four, 1, now=now)
    assert played.seat_to_move == 1
    remove_player(game_id=four.pk, by=mo, seat=1, why=WHY, now=now)
    after = fresh(four)
    gone = after.seats.get(number=1)
    assert (gone.left_at, gone.left_because, gone.user) == (now, "removed", bob)
    assert after.seat_to_move == 2
    assert after.turns.last().notation == "withdraw 1"
    assert newest(four)[0].details == {"seat": 1, "player": bob.pk}
    assert faults_of(after) == []


def test_withdrawing_down_to_one_ends_the_game(four, mo, now):
    for seat in (0, 1, 2):
        remove_player(game_id=four.pk, by=mo, seat=seat, why=WHY, now=now)
    assert fresh(four).status == "finished"
    assert fresh(four).seats.get(number=3).place == 1


def test_of_two_nobody_is_withdrawn(game, mo, now):
    with refused(errors.TwoSeats, "With two players nobody could play on", status=409):
        remove_player(game_id=game.pk, by=mo, seat=0, why=WHY, now=now)


def test_a_seat_is_withdrawn_once(four, mo, meg, now):
    remove_player(game_id=four.pk, by=mo, seat=1, why=WHY, now=now)
    with refused(errors.SeatHasLeft, "That player has already left the game", status=409):
        remove_player(game_id=four.pk, by=meg, seat=1, why=WHY, now=now)


@pytest.mark.parametrize("seat", [-1, 4, 99])
def test_there_must_be_such_a_seat(four, zoe, mo, now, seat):
    with refused(errors.BadSeat, "no such seat", status=422):
        remove_player(game_id=four.pk, by=mo, seat=seat, why=WHY, now=now)
    with refused(errors.BadSeat, "no such seat", status=422):
        substitute(game_id=four.pk, by=mo, seat=seat, user=zoe, why=WHY, now=now)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_paused_game_stays_paused_when_a_player_leaves_or_is_replaced(four, zoe, mo, now, seat):
    pause_game(game_id=four.pk, by=mo, why=WHY, now=now)
    remove_player(game_id=four.pk, by=mo, seat=seat, why=WHY, now=now)
    substitute(game_id=four.pk, by=mo, seat=1 - seat, user=zoe, why=WHY, now=now)
    assert (fresh(four).stop_reason, fresh(four).deadline) == ("moderator", None)
    resume_game(game_id=four.pk, by=mo, why=WHY, now=now)
    assert fresh(four).deadline == now + 2 * DAY


def test_a_substitute_plays_from_the_position_and_the_past_stays_whose_it_was(
    game, ann, bob, zoe, mo, now
):
    play(game, ann, "5", now=now)
    later = now + DAY
    substitute(game_id=game.pk, by=mo, seat=1, user=zoe, why=WHY, now=later)
    after = fresh(game)
    assert mover(after) == zoe
    assert after.deadline == later + 2 * DAY
    assert newest(game)[0].details == {"seat": 1, "player": bob.pk, "substitute": zoe.pk}
    play(game, zoe, "1", now=later)
    substitute(game_id=game.pk, by=mo, seat=0, user=bob, why=WHY, now=later)
    play(game, bob, "3", now=later)
    players = [turn.player for turn in game.turns.order_by("number")]
    assert players == [ann, zoe, bob]
    assert faults_of(fresh(game)) == []


def test_a_substitute_for_who_is_not_to_move_leaves_the_clock_alone(game, zoe, mo, now):
    substitute(game_id=game.pk, by=mo, seat=1, user=zoe, why=WHY, now=now + DAY)
    assert fresh(game).deadline == now + 2 * DAY


def test_a_substitute_ends_the_search_for_one(game, zoe, mo, now):
    searching = fresh(game)
    Seat.objects.filter(game=game, number=0).update(left_at=now, left_because="timeout")
    stop_clock(searching, StopReason.SUBSTITUTE, wait=DAY, now=now)
    searching.save()
    substitute(game_id=game.pk, by=mo, seat=0, user=zoe, why=WHY, now=now)
    assert (fresh(game).stop_reason, fresh(game).deadline) == ("", now + 2 * DAY)
    play(game, zoe, "5", now=now)


def test_not_everybody_can_be_seated(game, four, bob, zoe, mo, now):
    with refused(errors.AlreadySeated, "bob is already at this table", status=409):
        substitute(game_id=game.pk, by=mo, seat=0, user=bob, why=WHY, now=now)
    with refused(errors.SeatForOneself, "a seat to yourself", status=403):
        substitute(game_id=game.pk, by=mo, seat=0, user=mo, why=WHY, now=now)
    User.objects.filter(pk=zoe.pk).update(barred_until=now + DAY)
    zoe.refresh_from_db()
    with refused(errors.CannotSubstitute, "zoe cannot be given this seat", status=422):
        substitute(game_id=game.pk, by=mo, seat=0, user=zoe, why=WHY, now=now)
    User.objects.filter(pk=zoe.pk).update(barred_until=None, is_active=False)
    zoe.refresh_from_db()
    with refused(errors.CannotSubstitute, "zoe cannot be given this seat", status=422):
        substitute(game_id=game.pk, by=mo, seat=0, user=zoe, why=WHY, now=now)


def test_whose_seat_went_to_another_judges_the_game_no_more_than_a_player(game, zoe, mo, meg, now):
    substitute(game_id=game.pk, by=mo, seat=0, user=meg, why=WHY, now=now)
    substitute(game_id=game.pk, by=mo, seat=0, user=zoe, why=WHY, now=now)
    with refused(errors.OwnGame, "You play in this game, or did", status=403):
        abort_as_moderator(game_id=game.pk, by=meg, why=WHY, now=now)


def test_nobody_is_seated_where_the_rules_play_on_without(four, bob, zoe, mo, now):
    resign(game_id=four.pk, user=bob, now=now)
    with refused(errors.SeatHasLeft, "That player has already left the game", status=409):
        substitute(game_id=four.pk, by=mo, seat=1, user=zoe, why=WHY, now=now)


# Openness, talk, record --------------------------------------------------------------------------


def test_a_game_is_made_private_and_public_again(game, mo, meg, now):
    set_public(game_id=game.pk, by=mo, is_public=False, why=WHY, now=now)
    assert not fresh(game).is_public
    with refused(errors.NothingToChange, "it is already set this way", status=409):
        set_public(game_id=game.pk, by=meg, is_public=False, why=WHY, now=now)
    set_public(game_id=game.pk, by=mo, is_public=True, why=WHY, now=now)
    assert fresh(game).is_public


def test_a_conversation_is_closed_and_opened_again(game, mo, meg, now):
    set_conversation(game_id=game.pk, by=mo, is_open=False, why=WHY, now=now + SECOND)
    assert fresh(game).conversation_closed_at == now + SECOND
    with refused(errors.NothingToChange, "it is already set this way", status=409):
        set_conversation(game_id=game.pk, by=meg, is_open=False, why=WHY, now=now)
    set_conversation(game_id=game.pk, by=meg, is_open=True, why=WHY, now=now)
    assert fresh(game).conversation_closed_at is None


def test_a_whole_record_verifies(game, ann, mo, now):
    play(game, ann, "5", now=now)
    before = fresh(game).position
    assert verify_record(game_id=game.pk, by=mo, why=WHY, now=now).found == ()
    assert fresh(game).position == before
    assert newest(game)[0].details == {"found": [], "left": []}


def test_a_wrong_cache_is_told_of_and_written_anew(game, ann, mo, now):
    play(game, ann, "5", now=now)
    true = fresh(game).position
    Game.objects.filter(pk=game.pk).update(position=fresh(game).previous_position)
    with override("fr"):
        done = verify_record(game_id=game.pk, by=mo, why=WHY, now=now)
    assert "the cached position is not the record's" in done.found
    assert done.left == ()
    assert fresh(game).position == true
    assert newest(game)[0].details["found"] == list(done.found), "in English always"


def test_a_bent_record_is_told_of_and_stays_as_it_is(game, ann, mo, now):
    play(game, ann, "5", now=now)
    with triggers_off():
        game.turns.update(notation="1")
    done = verify_record(game_id=game.pk, by=mo, why=WHY, now=now)
    assert "turn 1 does not match its hash" in done.left
    assert game.turns.get().notation == "1"


def test_the_log_of_all_that_verifies(ann, bob, mo, now):
    for number in range(3):
        game = begin(ann, bob, now=now)
        abort_as_moderator(game_id=game.pk, by=mo, why=f"the {number}th", now=now)
    assert list(log.faults()) == []
