"""Moderators stop clocks, let them go on, and give time."""

from datetime import timedelta

import pytest

from accounts.models import User
from games import errors
from games.clock.clock import StopReason
from games.clock.time_control import LONGEST_ALLOWANCE, SHORTEST_ALLOWANCE
from games.models import Outage
from games.moderation.game_actions import give_time, pause_game, resume_game
from games.services.bots import play_for_bots
from games.services.clock.game_clock import stop_clock
from games.services.clock.stops import end_stops
from games.services.clock.undelivered_turns import freeze_undelivered, record_contact
from games.services.deadlines import time_out_due
from games.services.endings import resign
from games.services.reminders import remind_due
from tests.games.moderating import WHY, newest
from tests.games.play import DAY, SECOND, begin, fresh, play, refused

pytestmark = pytest.mark.django_db


def stopped(game, why, *, wait, now):
    game = fresh(game)
    stop_clock(game, why, wait=wait, now=now)
    game.save()


def test_in_a_paused_game_the_clock_is_stopped_and_nobody_acts(game, ann, mo, now):
    pause_game(game_id=game.pk, by=mo, why=WHY, now=now + DAY)
    late = now + 30 * DAY
    assert (time_out_due(now=late), remind_due(now=late)) == (0, 0)
    with refused(errors.HeldByModerator, "A moderator has paused this game", status=409):
        play(game, ann, "5", now=late)
    with refused(errors.HeldByModerator, "A moderator has paused this game", status=409):
        resign(game_id=game.pk, user=ann, now=late)
    resume_game(game_id=game.pk, by=mo, why=WHY, now=late)
    assert fresh(game).deadline == late + DAY
    play(game, ann, "5", now=late + DAY)


def test_after_a_pause_the_rest_of_the_time_runs_out_as_ever(game, mo, now):
    pause_game(game_id=game.pk, by=mo, why=WHY, now=now + DAY)
    resume_game(game_id=game.pk, by=mo, why=WHY, now=now + 5 * DAY)
    assert time_out_due(now=now + 6 * DAY) == 0
    assert time_out_due(now=now + 6 * DAY + SECOND) == 1


def test_pausing_twice_or_resuming_what_runs_is_refused(game, mo, meg, now):
    with refused(errors.NotPaused, "This game is not paused", status=409):
        resume_game(game_id=game.pk, by=mo, why=WHY, now=now)
    pause_game(game_id=game.pk, by=mo, why=WHY, now=now)
    with refused(errors.AlreadyHeld, "A moderator has already paused this game", status=409):
        pause_game(game_id=game.pk, by=meg, why=WHY, now=now)
    resume_game(game_id=game.pk, by=meg, why=WHY, now=now)
    with refused(errors.NotPaused, "is not paused", status=409):
        resume_game(game_id=game.pk, by=mo, why=WHY, now=now)


@pytest.mark.parametrize(
    ("why", "unreached", "days"),
    [(StopReason.PAUSED, False, 12), (StopReason.UNDELIVERED, True, 12.5)],
)
def test_an_earlier_stop_continues_on_resume_and_can_be_ended_too(
    game, ann, mo, now, why, unreached, days
):
    """An outage while it stood lengthens a wait, and no pause that was agreed on."""
    Outage.objects.create(kind="gap", began_at=now, ended_at=now + DAY / 2, noted_at=now)
    stopped(game, why, wait=3 * DAY, now=now)
    User.objects.filter(pk=ann.pk).update(unreachable_since=now if unreached else None)
    pause_game(game_id=game.pk, by=mo, why=WHY, now=now + DAY)
    assert (fresh(game).stop_reason, fresh(game).stopped_until) == ("moderator", None)
    resume_game(game_id=game.pk, by=mo, why=WHY, now=now + 10 * DAY)
    assert (fresh(game).stop_reason, fresh(game).stopped_until) == (why, now + days * DAY)
    resume_game(game_id=game.pk, by=mo, why=WHY, now=now + 11 * DAY)
    assert (fresh(game).stop_reason, fresh(game).deadline) == ("", now + 13 * DAY)


@pytest.mark.parametrize(("down", "waited"), [(0, 40), (10, 30)])
def test_a_wait_for_somebody_goes_on_with_what_was_left_of_it(game, ann, mo, now, down, waited):
    """Of sixty days; an outage before the pause is no part of them."""
    freeze_undelivered(game_id=game.pk, turn_number=0, user=ann, now=now)
    if down:
        Outage.objects.create(
            kind="gap", began_at=now + DAY, ended_at=now + (1 + down) * DAY, noted_at=now
        )
    pause_game(game_id=game.pk, by=mo, why=WHY, now=now + 40 * DAY)
    back = now + 100 * DAY
    resume_game(game_id=game.pk, by=mo, why=WHY, now=back)
    until = back + (60 - waited) * DAY
    assert (fresh(game).stop_reason, fresh(game).stopped_until) == ("undelivered", until)
    assert end_stops(now=until - SECOND) == 0
    assert end_stops(now=until) == 1
    assert fresh(game).ending == "unreachable"


def test_an_outage_after_a_hold_lengthens_what_was_left_of_a_wait(game, ann, mo, now):
    freeze_undelivered(game_id=game.pk, turn_number=0, user=ann, now=now)
    pause_game(game_id=game.pk, by=mo, why=WHY, now=now + 40 * DAY)
    back = now + 100 * DAY
    resume_game(game_id=game.pk, by=mo, why=WHY, now=back)
    outage = {"began_at": back + DAY, "ended_at": back + 4 * DAY}
    Outage.objects.create(kind="gap", noted_at=back + 4 * DAY, **outage)
    assert end_stops(now=back + 20 * DAY) == 0
    pause_game(game_id=game.pk, by=mo, why=WHY, now=back + 21 * DAY)
    resume_game(game_id=game.pk, by=mo, why=WHY, now=back + 30 * DAY)
    assert fresh(game).stopped_until == back + 32 * DAY


def test_who_was_heard_of_while_a_moderator_stopped_the_game_has_what_was_left(game, ann, mo, now):
    freeze_undelivered(game_id=game.pk, turn_number=0, user=ann, now=now + DAY)
    pause_game(game_id=game.pk, by=mo, why=WHY, now=now + DAY)
    record_contact(User.objects.get(pk=ann.pk), now=now + DAY)
    resume_game(game_id=game.pk, by=mo, why=WHY, now=now + 5 * DAY)
    assert (fresh(game).stop_reason, fresh(game).deadline) == ("", now + 6 * DAY)


def test_a_mail_that_fails_while_a_moderator_stopped_the_game_counts_after_it(game, ann, mo, now):
    pause_game(game_id=game.pk, by=mo, why=WHY, now=now)
    assert not freeze_undelivered(game_id=game.pk, turn_number=0, user=ann, now=now)
    resume_game(game_id=game.pk, by=mo, why=WHY, now=now + DAY)
    assert fresh(game).stop_reason == "undelivered"


def test_a_seat_that_waits_for_somebody_does_not_go_on_without(game, mo, now):
    stopped(game, StopReason.SUBSTITUTE, wait=DAY, now=now)
    with refused(errors.SeatIsEmpty, "This game is looking for a substitute", status=409):
        resume_game(game_id=game.pk, by=mo, why=WHY, now=now)


def test_the_practice_partner_waits_through_a_pause_and_plays_after_it(ann, partner, mo, now):
    game = begin(partner, ann, now=now)
    pause_game(game_id=game.pk, by=mo, why=WHY, now=now)
    play_for_bots(now=now + SECOND)
    assert fresh(game).turn_number == 0
    resume_game(game_id=game.pk, by=mo, why=WHY, now=now + SECOND)
    play_for_bots(now=now + SECOND)
    assert fresh(game).turn_number == 1


def test_added_time_is_for_the_seat_to_move(game, mo, now):
    give_time(game_id=game.pk, by=mo, more=DAY, why=WHY, now=now + DAY)
    assert fresh(game).deadline == now + 3 * DAY
    assert newest(game)[0].details == {"seconds": 86400, "seat": 0}
    assert time_out_due(now=now + 3 * DAY) == 0
    assert time_out_due(now=now + 3 * DAY + SECOND) == 1


def test_time_can_be_added_while_the_clock_is_stopped(game, mo, now):
    pause_game(game_id=game.pk, by=mo, why=WHY, now=now)
    give_time(game_id=game.pk, by=mo, more=DAY, why=WHY, now=now)
    assert fresh(game).deadline is None
    resume_game(game_id=game.pk, by=mo, why=WHY, now=now)
    assert fresh(game).deadline == now + 3 * DAY


@pytest.mark.parametrize(
    "more",
    [
        timedelta(),
        -DAY,
        SHORTEST_ALLOWANCE - SECOND,
        LONGEST_ALLOWANCE - 2 * DAY + SECOND,
        timedelta(days=999999),
    ],
)
def test_nobody_gets_too_little_or_too_much(game, mo, now, more):
    with refused(errors.BadTime, "The time must be at least a minute, and at", status=422):
        give_time(game_id=game.pk, by=mo, more=more, why=WHY, now=now)


@pytest.mark.parametrize("more", [SHORTEST_ALLOWANCE, LONGEST_ALLOWANCE - 2 * DAY])
def test_the_least_and_the_most_can_be_given(game, mo, now, more):
    give_time(game_id=game.pk, by=mo, more=more, why=WHY, now=now)
    assert fresh(game).deadline == now + 2 * DAY + more
