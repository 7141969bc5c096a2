"""Moderators reopen games that ended because time ran out; players who left so come back."""

from datetime import timedelta

import pytest

from accounts.models import User
from games import errors
from games.clock.time_control import per_turn
from games.models import Terms
from games.moderation.game_actions import (
    adjudicate,
    pause_game,
    reopen_game,
    resume_game,
    substitute,
    take_back,
)
from games.services.clock.undelivered_turns import freeze_undelivered, record_contact
from games.services.deadlines import time_out_due
from games.services.endings import abort_unreached, resign, win_unreached
from games.services.invitations import ask_rematch
from games.services.record import faults_of
from notifications.models import Notice
from notifications.outbox.recipients import make_notices
from tests.factories import PersonFactory
from tests.games.moderating import WHY, newest
from tests.games.multiplayer import gather, mover, places, play_on, play_out, some_turn
from tests.games.play import DAY, SECOND, begin, fresh, play, play_all, refused, table
from tests.notifications.mail_parts import sent_to, text_of
from tests.notifications.outgoing_mail import forget, tell, told

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


@pytest.fixture
def reopened(mo):
    """Return a function that reopens a game and returns it."""

    def reopen(game, now):
        reopen_game(game_id=game.pk, by=mo, why=WHY, now=now)
        return fresh(game)

    return reopen


def run_out(game):
    """Let the seat to move run out of time."""
    time_out_due(now=fresh(game).deadline + SECOND)
    return fresh(game)


def entries(game):
    return list(game.turns.order_by("number").values_list("notation", flat=True))


# Two seats ---------------------------------------------------------------------------------------


def test_a_game_lost_on_time_goes_on_in_the_same_position(game, now, reopened):
    lost = run_out(play_all(game, ["5", "1"], now=now))
    assert (lost.status, lost.ending, places(lost)) == ("finished", "timeout", [2, 1])
    when = now + 5 * DAY
    after = reopened(lost, when)
    assert (after.status, after.ending, after.ended_at) == ("active", "", None)
    assert (places(after), after.seat_to_move) == ([None, None], 0)
    assert (after.position, after.head_hash) == (lost.position, lost.head_hash)
    assert after.deadline == when + 2 * DAY
    assert faults_of(after) == []
    won = play_all(after, ["3", "4", "7"], now=when)  # 5, 3, 7 is a line
    assert (won.status, places(won)) == ("finished", [1, 2])
    assert faults_of(won) == []


def test_whoever_is_to_move_has_at_least_a_day(ann, bob, now, reopened):
    game = begin(ann, bob, now=now, terms=Terms(per_turn(HOUR), allows_days_off=False))
    run_out(play_all(game, ["5", "1"], now=now))
    late_at_night = now.replace(hour=22)
    after = reopened(game, late_at_night)
    assert after.deadline == late_at_night + DAY
    assert after.clock_protected_at == late_at_night


def test_a_game_that_never_began_can_begin(game, ann, now, reopened):
    aborted = run_out(game)
    assert (aborted.status, aborted.ending) == ("aborted", "never-begun")
    after = reopened(aborted, now + 3 * DAY)
    assert after.status == "active"
    play(after, ann, "5", now=now + 4 * DAY)


@pytest.mark.parametrize("end", [win_unreached, abort_unreached])
def test_a_game_that_ended_because_nobody_was_reached_waits_for_mail_again(
    game, ann, bob, now, reopened, end
):
    freeze_undelivered(game_id=game.pk, turn_number=0, user=ann, now=now)
    end(game_id=game.pk, user=bob, now=now + 20 * DAY)
    assert fresh(game).ending == "unreachable"
    after = reopened(game, now + 21 * DAY)
    assert (after.status, after.stop_reason) == ("active", "undelivered")
    assert record_contact(User.objects.get(pk=ann.pk), now=now + 22 * DAY) == 1
    assert fresh(game).deadline == now + 24 * DAY


def test_a_rematch_stays(game, ann, now, reopened):
    lost = run_out(play_all(game, ["5", "1"], now=now))
    rematch = ask_rematch(game_id=lost.pk, user=ann, now=now + 3 * DAY)
    reopened(lost, now + 4 * DAY)
    assert fresh(game).rematch == rematch
    assert fresh(rematch).status == "open"


def test_what_was_done_is_in_the_log_and_told_to_everybody(game, ann, mo, now):
    lost = run_out(play_all(game, ["5", "1"], now=now))
    tell(lost.ended_at)
    forget()
    when = now + 5 * DAY
    reopen_game(game_id=game.pk, by=mo, why=WHY, now=when)
    entry, _ = newest(game)
    assert (entry.what, entry.details) == ("reopen", {"ending": "timeout", "seats": []})
    assert told(when) == [("moderated", "ann"), ("moderated", "bob")]
    text = text_of(sent_to(ann, when, "moderated"))
    assert "A moderator has reopened your game." in text
    assert "Whoever is to move has at least a day." in text.replace("\n", " ")
    assert f"The moderator wrote: {WHY}" in text
    assert "Your time for this turn ends on" in text


def test_no_mail_tells_the_end_of_a_game_that_goes_on(game, mo, now):
    lost = run_out(game)
    make_notices(now=lost.ended_at)
    reopen_game(game_id=game.pk, by=mo, why=WHY, now=lost.ended_at)
    tell(lost.ended_at + DAY)
    skipped = Notice.objects.filter(kind="game-over").values_list("state", "skip_reason")
    assert list(skipped) == [("dropped", "nothing-to-tell")] * 2


# What is refused ---------------------------------------------------------------------------------


def test_a_game_that_runs_is_not_reopened(game, mo, now):
    with refused(errors.NobodyLeftOnTime, "This game is running", status=409):
        reopen_game(game_id=game.pk, by=mo, why=WHY, now=now)


def test_a_game_that_ended_otherwise_is_not_reopened(game, ann, mo, now):
    resign(game_id=game.pk, user=ann, now=now)
    with refused(errors.EndedOtherwise, "because time ran out", status=409):
        reopen_game(game_id=game.pk, by=mo, why=WHY, now=now)


def test_a_table_that_waits_for_players_is_not_reopened(ann, mo, now):
    waiting = table(ann, now=now)
    with refused(errors.EndedOtherwise, "because time ran out", status=409):
        reopen_game(game_id=waiting.pk, by=mo, why=WHY, now=now)


def test_after_sixty_days_nothing_is_reopened(game, mo, now, reopened):
    ended = run_out(game).ended_at
    with refused(errors.EndedLongAgo, "more than 60 days ago", status=409):
        reopen_game(game_id=game.pk, by=mo, why=WHY, now=ended + 60 * DAY + SECOND)
    assert reopened(game, ended + 60 * DAY).status == "active"


def test_a_game_of_somebody_whose_account_is_closed_is_not_reopened(game, bob, mo, now):
    run_out(game)
    User.objects.filter(pk=bob.pk).update(is_active=False)
    with refused(errors.PlayerIsGone, "bob has closed their account", status=409):
        reopen_game(game_id=game.pk, by=mo, why=WHY, now=now + 3 * DAY)


# Three and four seats ----------------------------------------------------------------------------


def test_who_left_on_time_comes_back_and_the_record_says_so(four, now, reopened):
    played = play_on(four, 5, now=now)
    bob = mover(played)
    left = run_out(played)
    assert left.seats.get(user=bob).left_because == "timeout"
    when = left.turn_began_at + HOUR
    after = reopened(left, when)
    seat = after.seats.get(user=bob)
    assert (seat.left_at, seat.left_because) == (None, "")
    assert (mover(after), after.deadline) == (bob, when + 2 * DAY)
    assert entries(after)[5:] == ["withdraw 1", "takeback 5"]
    assert after.position == played.position
    assert faults_of(after) == []
    assert newest(after)[0].details == {"ending": "", "seats": [1]}
    assert faults_of(play_out(after, now=when)) == []


def test_all_who_left_one_after_the_other_come_back(four, now, reopened):
    left = run_out(run_out(play_on(four, 4, now=now)))
    assert left.seats.filter(left_because="timeout").count() == 2
    after = reopened(left, left.turn_began_at + HOUR)
    assert after.seats.filter(left_at=None).count() == 4
    assert (after.seat_to_move, entries(after)[-1]) == (0, "takeback 4")
    assert faults_of(after) == []


def test_a_game_that_departures_ended_goes_on(people, now, reopened):
    left = gather(people[:3], now=now, variant="three")
    left = run_out(run_out(play_on(left, 3, now=now)))
    assert left.is_over
    after = reopened(left, left.ended_at + HOUR)
    assert (after.status, after.ending, places(after)) == ("active", "", [None] * 3)
    assert after.seats.filter(left_at=None).count() == 3
    assert faults_of(after) == []


def test_who_came_back_can_leave_and_come_back_again(four, now, reopened):
    left = run_out(play_on(four, 5, now=now))
    again = run_out(reopened(left, left.turn_began_at + HOUR))
    assert entries(again)[5:] == ["withdraw 1", "takeback 5", "withdraw 1"]
    assert faults_of(again) == []
    third = reopened(again, again.turn_began_at + HOUR)
    assert entries(third)[8:] == ["takeback 7"]
    assert faults_of(third) == []


def test_once_others_have_played_on_nobody_comes_back(four, mo, now):
    left = play_on(run_out(play_on(four, 5, now=now)), 1, now=now + 3 * DAY)
    with refused(errors.PlayedOnSince, "Others have played on", status=409):
        reopen_game(game_id=four.pk, by=mo, why=WHY, now=left.turn_began_at)


def test_after_a_resignation_nobody_comes_back(four, mo, now):
    left = run_out(play_on(four, 5, now=now))
    resign(game_id=four.pk, user=mover(left), now=left.turn_began_at)
    with refused(errors.PlayedOnSince, "or left, since", status=409):
        reopen_game(game_id=four.pk, by=mo, why=WHY, now=left.turn_began_at)


def test_long_after_a_departure_nobody_comes_back(four, mo, now):
    left = run_out(play_on(four, 5, now=now))
    with refused(errors.EndedLongAgo, "more than 60 days ago", status=409):
        reopen_game(game_id=four.pk, by=mo, why=WHY, now=left.turn_began_at + 61 * DAY)


def test_a_game_that_a_moderator_paused_stays_paused(four, mo, now, reopened):
    left = run_out(play_on(four, 5, now=now))
    when = left.turn_began_at
    pause_game(game_id=four.pk, by=mo, why=WHY, now=when)
    after = reopened(left, when)
    assert (after.seat_to_move, after.stop_reason) == (1, "moderator")
    resume_game(game_id=four.pk, by=mo, why=WHY, now=when + DAY)
    assert fresh(four).deadline == when + 3 * DAY


def test_after_a_return_the_game_can_be_taken_back_and_the_seat_be_given_away(
    four, mo, now, reopened
):
    left = run_out(play_on(four, 5, now=now))
    when = left.turn_began_at
    reopened(left, when)
    with refused(errors.BeforeDeparture, "A player has left since then", status=409):
        take_back(game_id=four.pk, by=mo, turn=6, why=WHY, now=when)
    take_back(game_id=four.pk, by=mo, turn=3, why=WHY, now=when)
    assert faults_of(fresh(four)) == []
    zoe = PersonFactory(username="zoe")
    substitute(game_id=four.pk, by=mo, seat=1, user=zoe, why=WHY, now=when)
    assert four.seats.get(number=1).user == zoe


def test_a_player_whose_partner_plays_for_them_plays_again(people, now, reopened):
    terms = Terms(per_turn(2 * DAY), on_timeout="partner")
    left = run_out(play_on(gather(people, now=now, variant="teams", terms=terms), 1, now=now))
    assert left.seats.get(number=1).played_by_partner == people[3]
    when = left.turn_began_at + HOUR
    after = reopened(left, when)
    seat = after.seats.get(number=1)
    assert (seat.player, seat.left_at) == (people[1], None)
    assert after.deadline == when + 2 * DAY
    play(after, people[1], some_turn(after), now=when)
    assert faults_of(fresh(after)) == []


def test_a_seat_that_looks_for_a_substitute_is_given_back(people, now, reopened):
    terms = Terms(per_turn(2 * DAY), on_timeout="substitute")
    left = run_out(play_on(gather(people, now=now, terms=terms), 1, now=now))
    assert left.stop_reason == "substitute"
    after = reopened(left, left.stopped_at + HOUR)
    assert (after.stop_reason, mover(after)) == ("", people[1])
    assert after.seats.filter(left_at=None).count() == 4


def test_a_game_that_was_decided_is_not_reopened_for_who_left_before(four, mo, now):
    left = run_out(play_on(four, 5, now=now))
    when = left.turn_began_at
    adjudicate(game_id=four.pk, by=mo, places=[1, 2, 3, 4], why=WHY, now=when)
    with refused(errors.EndedOtherwise, "because time ran out", status=409):
        reopen_game(game_id=four.pk, by=mo, why=WHY, now=when)
