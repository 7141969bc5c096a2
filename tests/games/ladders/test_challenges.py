"""Challenges on a ladder: who can make them, how they are answered, and who takes which place."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from accounts.models import Block
from games import errors, ladder_errors
from games.models import Game, LadderChallenge, LadderPlace, Outage
from games.moderation import game_actions
from games.services import ending_undo, endings
from games.services.deadlines import time_out_due
from games.services.ladders.challenges import (
    accept_challenge,
    decline_challenge,
    withdraw_challenge,
)
from games.services.ladders.places import join_ladder, leave_ladder
from games.services.ladders.upkeep import run_ladders
from notifications.deletion.deleting import delete_account
from tests.factories import BotFactory, GuestFactory, PersonFactory, StaffFactory
from tests.games.ladders.climbing import (
    DAY,
    SLUG,
    begin,
    call,
    climbers,
    ladder_of,
    mover_of,
    order,
    own_place,
    play,
    renewed,
    states,
)
from tests.games.moderating import a_moderator
from tests.games.vacations import go_away
from tests.suspensions import suspended

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


@pytest.fixture
def seven(now):
    """Seven players of a ladder, the first on top."""
    return climbers(7, now)


@pytest.fixture
def host():
    """The site's host, who can suspend people."""
    return StaffFactory(username="host", is_superuser=True)


def answer(challenge, service, now):
    return service(challenge_id=challenge.pk, user=challenge.challenged, now=now)


# Who can join and challenge ----------------------------------------------------------------------


def test_who_joins_is_last_and_there_is_one_ladder_a_game(seven, now):
    assert order() == ["1", "2", "3", "4", "5", "6", "7"]
    assert ladder_of().places.count() == 7
    with pytest.raises(ladder_errors.AlreadyOnLadder):
        join_ladder(rules_slug=SLUG, user=seven[0], now=now)


def test_programs_and_guests_join_no_ladder(now):
    with pytest.raises(ladder_errors.ProgramsJoinNoLadder):
        join_ladder(rules_slug=SLUG, user=BotFactory(), now=now)
    with pytest.raises(ladder_errors.GuestsJoinNoLadder):
        join_ladder(rules_slug=SLUG, user=GuestFactory(), now=now)
    with pytest.raises(ladder_errors.NoSuchLadder):
        join_ladder(rules_slug="chess", user=PersonFactory(), now=now)


@pytest.mark.parametrize("number", [2, 3, 4, 5, 6])
def test_each_of_the_five_players_above_can_be_challenged(seven, now, number):
    challenge = call(seven[6], seven[number - 1], now=now)
    assert challenge.due_at == now + 5 * DAY


@pytest.mark.parametrize(("who", "whom"), [(7, 1), (1, 2), (3, 4), (4, 4)])
def test_nobody_further_up_or_below_can_be_challenged(seven, now, who, whom):
    with pytest.raises(ladder_errors.OutOfReach):
        call(seven[who - 1], seven[whom - 1], now=now)


def test_who_is_blocked_or_suspended_takes_nobodys_place_among_the_five(seven, now):
    Block.objects.create(by=seven[4], of=seven[6], at=now)
    with pytest.raises(ladder_errors.OutOfReach):
        call(seven[6], seven[4], now=now)
    call(seven[6], seven[0], now=now)


def test_who_is_suspended_cannot_be_challenged(seven, now, host):
    suspended(seven[5], now)
    with pytest.raises(ladder_errors.OutOfReach):
        call(seven[6], seven[5], now=now)


def test_who_is_on_vacation_cannot_be_challenged(seven, now):
    go_away(seven[5], now, now=now)
    with pytest.raises(ladder_errors.OpponentAway):
        call(seven[6], seven[5], now=now + HOUR)
    call(seven[6], seven[5], now=now + 4 * DAY)


def test_two_challenges_at_once_can_be_made_and_received(seven, now):
    call(seven[6], seven[5], now=now)
    call(seven[6], seven[4], now=now)
    with pytest.raises(ladder_errors.TooManyMade):
        call(seven[6], seven[3], now=now)
    call(seven[5], seven[4], now=now)
    join_ladder(rules_slug=SLUG, user=(last := PersonFactory()), now=now)
    with pytest.raises(ladder_errors.TooManyReceived):
        call(last, seven[4], now=now)


def test_a_pair_has_one_challenge_and_then_waits_for_two_weeks(seven, now):
    first = call(seven[6], seven[5], now=now)
    with pytest.raises(ladder_errors.AlreadyMeeting):
        call(seven[6], seven[5], now=now)
    answer(first, decline_challenge, now)
    with pytest.raises(ladder_errors.ChallengedLately):
        call(seven[6], seven[5], now=now + 13 * DAY)
    call(seven[6], seven[5], now=now + 14 * DAY)


def test_the_rows_refuse_a_second_challenge_of_a_pair(seven, now):
    first = call(seven[6], seven[5], now=now)
    first.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        first.save(force_insert=True)


# Answers -----------------------------------------------------------------------------------------


def test_an_accepted_challenge_is_a_rated_game_at_the_ladders_pace(seven, now):
    challenge = begin(seven[6], seven[2], now=now)
    game = challenge.game
    assert game.status == Game.Status.ACTIVE
    assert game.is_rated
    assert game.terms.pace == ladder_of().terms.pace
    assert {seat.user for seat in game.seats.all()} == {seven[6], seven[2]}
    assert order() == ["1", "2", "3", "4", "5", "6", "7"]


def test_one_decline_is_free_and_the_next_gives_the_place_away(seven, now):
    answer(call(seven[6], seven[4], now=now), decline_challenge, now)
    assert order() == ["1", "2", "3", "4", "5", "6", "7"]
    answer(call(seven[5], seven[4], now=now), decline_challenge, now)
    assert order() == ["1", "2", "3", "4", "6", "5", "7"]
    assert states() == [("over", "spared"), ("over", "declined")]


def test_accepting_brings_the_free_decline_back(seven, now):
    answer(call(seven[6], seven[4], now=now), decline_challenge, now)
    assert own_place(seven[4]).has_declined
    play(seven[5], seven[4], now=now, loser=seven[5])
    assert not own_place(seven[4]).has_declined


def test_an_unanswered_challenge_gives_the_place_to_the_challenger(seven, now):
    call(seven[6], seven[2], now=now)
    assert run_ladders(now=now + 5 * DAY) == 0
    assert run_ladders(now=now + 5 * DAY + HOUR) == 1
    assert order() == ["1", "2", "7", "3", "4", "5", "6"]
    assert states() == [("over", "unanswered")]
    assert run_ladders(now=now + 6 * DAY) == 0


def test_nobody_answers_too_late_before_the_chore_has_run(seven, now):
    challenge = call(seven[6], seven[2], now=now)
    for service in (accept_challenge, decline_challenge):
        with pytest.raises(ladder_errors.ChallengeIsLate):
            answer(challenge, service, now + 5 * DAY + HOUR)
    late = {"now": now + 5 * DAY + HOUR, "received_at": now + 5 * DAY}
    accept_challenge(challenge_id=challenge.pk, user=seven[2], **late)


def test_a_vacation_gives_more_time_to_answer(seven, now):
    challenge = call(seven[6], seven[2], now=now)
    go_away(seven[2], now + 2 * DAY, days=10, now=now + DAY)
    assert run_ladders(now=now + DAY) == 1
    assert renewed(challenge).due_at == now + 15 * DAY
    assert run_ladders(now=now + 6 * DAY) == 0
    answer(challenge, accept_challenge, now + 15 * DAY)


def test_an_outage_gives_more_time_to_answer(seven, now):
    challenge = call(seven[6], seven[2], now=now)
    Outage.objects.create(
        kind=Outage.Kind.DECLARED,
        began_at=now + 4 * DAY,
        ended_at=now + 5 * DAY + HOUR,
        noted_at=now + 5 * DAY + HOUR,
    )
    assert run_ladders(now=now + 5 * DAY + 2 * HOUR) == 0
    assert renewed(challenge).due_at == now + 6 * DAY + HOUR
    assert states() == [("waiting", "")]


def test_a_challenge_of_somebody_who_is_suspended_ends_without_a_move(seven, now, host):
    challenge = call(seven[6], seven[2], now=now)
    suspended(seven[6], now + DAY)
    with pytest.raises(ladder_errors.ChallengerIsGone):
        answer(challenge, accept_challenge, now + 2 * DAY)
    LadderPlace.objects.filter(user=seven[6]).update(sinks_at=now + 90 * DAY)
    run_ladders(now=now + 6 * DAY)
    assert states() == [("over", "withdrawn")]
    assert order()[:6] == ["1", "2", "3", "4", "5", "6"]


def test_a_withdrawn_challenge_moves_nobody(seven, now):
    challenge = call(seven[6], seven[2], now=now)
    withdraw_challenge(challenge_id=challenge.pk, user=seven[6], now=now)
    assert order() == ["1", "2", "3", "4", "5", "6", "7"]
    with pytest.raises(ladder_errors.ChallengeIsAnswered):
        answer(challenge, accept_challenge, now)


@pytest.mark.parametrize("service", [accept_challenge, decline_challenge, withdraw_challenge])
def test_a_challenge_of_others_is_not_there(seven, now, service):
    challenge = call(seven[6], seven[2], now=now)
    with pytest.raises(ladder_errors.NoSuchLadderChallenge):
        service(challenge_id=challenge.pk, user=seven[0], now=now)


# Results -----------------------------------------------------------------------------------------


def test_who_wins_as_the_challenger_takes_the_place(seven, now):
    challenge = play(seven[6], seven[2], now=now, loser=seven[2])
    assert challenge.outcome == "won"
    assert order() == ["1", "2", "7", "3", "4", "5", "6"]


def test_a_challenger_who_loses_stays(seven, now):
    assert play(seven[6], seven[2], now=now, loser=seven[6]).outcome == "lost"
    assert order() == ["1", "2", "3", "4", "5", "6", "7"]


def test_a_draw_moves_nobody(seven, now):
    challenge = begin(seven[6], seven[2], now=now)
    game_actions.adjudicate(
        game_id=challenge.game_id,
        by=a_moderator("referee"),
        places=[1, 1],
        why="agreed",
        now=now,
    )
    run_ladders(now=now)
    assert states() == [("over", "drawn")]
    assert order() == ["1", "2", "3", "4", "5", "6", "7"]


def test_the_place_is_that_which_the_other_has_when_the_game_ends(seven, now):
    first, second = begin(seven[6], seven[5], now=now), begin(seven[5], seven[4], now=now)
    endings.resign(game_id=second.game_id, user=seven[4], now=now)
    run_ladders(now=now + HOUR)
    assert order() == ["1", "2", "3", "4", "6", "5", "7"]
    endings.resign(game_id=first.game_id, user=seven[5], now=now + HOUR)
    run_ladders(now=now + 2 * HOUR)
    assert order() == ["1", "2", "3", "4", "7", "6", "5"]


def test_a_win_over_somebody_who_stands_below_meanwhile_moves_nobody(seven, now):
    begun = begin(seven[3], seven[2], now=now)
    other = begin(seven[3], seven[1], now=now)
    for challenge, loser in ((other, seven[1]), (begun, seven[2])):
        endings.resign(game_id=challenge.game_id, user=loser, now=now)
        run_ladders(now=now + HOUR)
    assert order() == ["1", "4", "2", "3", "5", "6", "7"]


def test_two_wins_at_once_over_the_same_player_move_both(seven, now):
    begun = [begin(seven[6], seven[2], now=now), begin(seven[5], seven[2], now=now)]
    for challenge in begun:
        endings.resign(game_id=challenge.game_id, user=seven[2], now=now)
    run_ladders(now=now + HOUR)
    assert order() == ["1", "2", "7", "6", "3", "4", "5"]


def test_nobody_moves_while_an_end_can_be_undone(seven, now):
    challenge = begin(seven[6], seven[2], now=now)
    endings.resign(game_id=challenge.game_id, user=seven[2], now=now)
    assert run_ladders(now=now + timedelta(seconds=5)) == 0
    ending_undo.undo_end(game_id=challenge.game_id, user=seven[2], now=now + timedelta(seconds=6))
    assert run_ladders(now=now + HOUR) == 0
    assert order() == ["1", "2", "3", "4", "5", "6", "7"]


def test_who_never_plays_a_turn_loses(seven, now):
    challenge = begin(seven[6], seven[2], now=now)
    mover = mover_of(challenge)
    time_out_due(now=now + 4 * DAY)
    run_ladders(now=now + 4 * DAY)
    assert renewed(challenge).outcome == ("lost" if mover == seven[6] else "won")
    assert order()[2] == ("3" if mover == seven[6] else "7")


def test_games_of_a_ladder_are_not_aborted(seven, now):
    challenge = begin(seven[6], seven[2], now=now)
    with pytest.raises(errors.Refusal, match="ladder"):
        endings.abort(game_id=challenge.game_id, user=seven[6], now=now)


def test_a_game_without_a_result_moves_nobody(seven, now):
    challenge = begin(seven[6], seven[2], now=now)
    game_actions.abort_as_moderator(
        game_id=challenge.game_id, by=a_moderator("referee"), why="broken", now=now
    )
    run_ladders(now=now)
    assert states() == [("over", "void")]
    assert order() == ["1", "2", "3", "4", "5", "6", "7"]


@pytest.mark.parametrize("result", ["won", "lost", "drawn", "void"])
def test_a_game_that_is_reopened_is_settled_by_its_next_end(seven, now, result):
    """The challenger had taken the place, as time was out, and another player moved meanwhile."""
    challenge = begin(seven[6], seven[2], now=now)
    game, mover = challenge.game, mover_of(challenge)
    time_out_due(now=now + 4 * DAY)
    run_ladders(now=now + 4 * DAY)
    has_won = mover == seven[2]
    later = now + 5 * DAY
    moderator = a_moderator("referee")
    game_actions.reopen_game(game_id=game.pk, by=moderator, why="mail was down", now=later)
    assert renewed(challenge).state == "playing"
    assert run_ladders(now=later) == 0
    assert order()[2] == ("7" if has_won else "3")  # until the next end
    if result == "void":
        game_actions.abort_as_moderator(game_id=game.pk, by=moderator, why="x", now=later)
    else:
        first = {"won": (1, 2), "lost": (2, 1), "drawn": (1, 1)}[result]
        seats = list(game.seats.order_by("number"))
        places = [first[0 if seat.user == seven[6] else 1] for seat in seats]
        game_actions.adjudicate(game_id=game.pk, by=moderator, places=places, why="x", now=later)
    run_ladders(now=later)
    renewed(challenge)
    assert (challenge.state, challenge.outcome) == ("over", result)
    won = ["1", "2", "7", "3", "4", "5", "6"]
    back = ["1", "2", "3", "7", "4", "5", "6"] if has_won else ["1", "2", "3", "4", "5", "6", "7"]
    assert order() == (won if result == "won" else back)


# Who leaves --------------------------------------------------------------------------------------


def test_who_leaves_gives_the_place_to_the_challengers(seven, now):
    begin(seven[6], seven[2], now=now)
    call(seven[5], seven[2], now=now)
    made = call(seven[2], seven[0], now=now)
    leave_ladder(rules_slug=SLUG, user=seven[2], now=now)
    assert order() == ["1", "2", "7", "6", "4", "5"]
    assert {renewed(one).outcome for one in [made, *LadderChallenge.objects.all()]} == {"left"}
    assert own_place(seven[2]).left_place == 5
    with pytest.raises(ladder_errors.NotOnLadder):
        leave_ladder(rules_slug=SLUG, user=seven[2], now=now)


def test_the_game_of_somebody_who_left_moves_nobody_any_more(seven, now):
    challenge = begin(seven[6], seven[2], now=now)
    leave_ladder(rules_slug=SLUG, user=seven[6], now=now)
    endings.resign(game_id=challenge.game_id, user=seven[2], now=now)
    run_ladders(now=now + HOUR)
    assert order() == ["1", "2", "3", "4", "5", "6"]


def test_a_result_that_is_not_yet_settled_counts_for_who_leaves_then(seven, now):
    challenge = begin(seven[6], seven[2], now=now)
    endings.resign(game_id=challenge.game_id, user=seven[6], now=now)
    leave_ladder(rules_slug=SLUG, user=seven[2], now=now)
    assert states() == [("over", "lost")]
    assert order() == ["1", "2", "4", "5", "6", "7"]


def test_who_is_suspended_for_long_or_closed_is_taken_off(seven, now, host):
    suspended(seven[2], now)
    seven[3].is_active = False
    seven[3].save()
    run_ladders(now=now)
    assert order() == ["1", "2", "5", "6", "7"]
    assert own_place(seven[2]).left_because == "absent"


def test_a_deleted_account_leaves_its_place_to_the_others(seven, now):
    challenge = begin(seven[6], seven[2], now=now)
    seven[2].deletion_due_at = now
    seven[2].save()
    with pytest.raises(ladder_errors.OutOfReach):
        call(seven[5], seven[2], now=now)
    assert delete_account(seven[2].pk, now=now)
    assert order() == ["1", "2", "7", "4", "5", "6"]
    assert not LadderPlace.objects.filter(user=seven[2]).exists()
    assert str(renewed(challenge).challenged) != "climber3"
