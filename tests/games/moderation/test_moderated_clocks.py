"""Moderators stop clocks, let them go on, and give time."""

from datetime import timedelta

import pytest
from django.urls import reverse

from accounts.models import User
from accounts.server_time import server_now
from games import errors, tasks
from games.clock.clock import StopReason
from games.clock.time_control import LONGEST_ALLOWANCE, SHORTEST_ALLOWANCE, per_turn
from games.models import Outage
from games.moderation.game_actions import give_time, pause_game, resume_game
from games.moderation.long_holds import end_long_holds
from games.moderation.site import begin_maintenance
from games.moderation.staff_stats import staff_stats
from games.services.clock.game_clock import stop_clock
from games.services.clock.stops import end_stops
from games.services.clock.undelivered_turns import freeze_undelivered, record_contact
from games.services.deadlines import time_out_due
from games.services.endings import resign
from games.services.offers import accept_offer, decline_offer, offer_end, offer_pace, offer_pause
from games.services.reminders import remind_due
from games.services.thinking import play_for_bots
from tests.games.moderating import WHY, newest
from tests.games.multiplayer import gather
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
    with refused(errors.HeldByModerator, "You can still resign, or agree on an end", status=409):
        offer_pause(game_id=game.pk, user=ann, days=3, now=late)
    resume_game(game_id=game.pk, by=mo, why=WHY, now=late)
    assert fresh(game).deadline == late + DAY
    play(game, ann, "5", now=late + DAY)


def test_in_a_paused_game_players_may_resign(game, ann, bob, mo, now):
    pause_game(game_id=game.pk, by=mo, why=WHY, now=now)
    resign(game_id=game.pk, user=ann, now=now + DAY)
    assert (fresh(game).status, fresh(game).ending) == ("finished", "resigned")


def test_where_one_of_several_resigns_the_others_stay_paused(people, mo, now):
    """It was the turn of the player who resigns: the next turn does not begin to run."""
    ann, *_ = people
    game = gather(people, now=now)
    pause_game(game_id=game.pk, by=mo, why=WHY, now=now)
    resign(game_id=game.pk, user=ann, now=now + DAY)
    game = fresh(game)
    assert (game.status, game.stop_reason, game.seat_to_move) == ("active", "moderator", 1)
    assert (game.stopped_at, game.deadline) == (now, None)
    resume_game(game_id=game.pk, by=mo, why=WHY, now=now + 2 * DAY)
    assert fresh(game).deadline == now + 2 * DAY + game.allowance


@pytest.mark.parametrize("offered_before", [True, False])
def test_in_a_paused_game_players_may_agree_on_an_end(game, ann, bob, mo, now, offered_before):
    if offered_before:
        offer_end(game_id=game.pk, user=ann, now=now)
    pause_game(game_id=game.pk, by=mo, why=WHY, now=now)
    if not offered_before:
        offer_end(game_id=game.pk, user=ann, now=now)
    accept_offer(game_id=game.pk, user=bob, now=now + DAY)
    assert fresh(game).ending == "agreed"


def test_in_a_paused_game_nothing_else_is_agreed_on(game, ann, bob, mo, now):
    offer = offer_pace(game_id=game.pk, user=ann, pace=per_turn(9 * DAY), now=now)
    pause_game(game_id=game.pk, by=mo, why=WHY, now=now)
    with refused(errors.HeldByModerator, "A moderator has paused this game", status=409):
        accept_offer(game_id=game.pk, user=bob, offer_id=offer.pk, now=now)
    decline_offer(game_id=game.pk, user=bob, offer_id=offer.pk, now=now)
    assert fresh(game).stop_reason == "moderator"


def test_the_page_of_a_paused_game_offers_its_end_alone(game, ann, bob, mo, now, client):
    offer_end(game_id=game.pk, user=bob, now=now)
    offer_pace(game_id=game.pk, user=bob, pace=per_turn(9 * DAY), now=now)
    pause_game(game_id=game.pk, by=mo, why=WHY, now=now)
    client.force_login(ann)
    page = client.get(game.get_absolute_url()).content.decode()
    shown = {name for name in ACTIONS if f'action="{reverse(name, args=[game.pk])}"' in page}
    assert shown == {"game_resign", "game_offer", "game_answer_offer"}
    assert page.count('value="accept"') == 1
    assert "You can still resign, or agree on an end." in page


ACTIONS = (
    *("game_resign", "game_abort", "game_offer", "game_offer_pause", "game_offer_pace"),
    *("game_answer_offer", "game_grant_time", "game_resume", "game_play"),
)


# The end of a pause ----------------------------------------------------------------------------


def test_a_pause_ends_by_itself_after_thirty_days(game, ann, mo, now):
    pause_game(game_id=game.pk, by=mo, why=WHY, now=now + DAY)
    assert end_long_holds(now=now + 31 * DAY - SECOND) == 0
    end = now + 31 * DAY
    assert end_long_holds(now=end) == 1
    game = fresh(game)
    assert (game.stop_reason, game.deadline) == ("", end + DAY)
    event = game.events.latest("pk")
    assert (event.kind, event.actor, event.details) == ("clock-started", None, {"why": "moderator"})
    assert end_long_holds(now=end) == 0


def test_an_earlier_stop_goes_on_when_a_pause_ends_by_itself(game, ann, bob, mo, now):
    offer_pause(game_id=game.pk, user=ann, days=7, now=now)
    accept_offer(game_id=game.pk, user=bob, now=now)
    pause_game(game_id=game.pk, by=mo, why=WHY, now=now + DAY)
    end = now + 31 * DAY
    assert end_long_holds(now=end) == 1
    game = fresh(game)
    assert (game.stop_reason, game.stopped_until) == ("paused", end + 6 * DAY)
    assert game.events.latest("pk").kind == "moderated"


def test_no_pause_ends_by_itself_during_maintenance(game, mo, moderator, now):
    pause_game(game_id=game.pk, by=mo, why=WHY, now=now)
    begin_maintenance(note="", by=moderator, why=WHY, now=now)
    assert end_long_holds(now=now + 31 * DAY) == 0


def test_the_periodic_task_ends_pauses(game, mo):
    pause_game(game_id=game.pk, by=mo, why=WHY, now=server_now() - 31 * DAY)
    assert tasks.end_stops() == 1
    assert fresh(game).stop_reason == ""


def test_what_happens_in_a_paused_game_makes_the_pause_no_longer(people, mo, now):
    game = gather(people, now=now)
    pause_game(game_id=game.pk, by=mo, why=WHY, now=now)
    resign(game_id=game.pk, user=people[0], now=now + 20 * DAY)
    assert end_long_holds(now=now + 30 * DAY) == 1


def test_moderators_are_told_in_time_that_a_pause_will_end(game, mo, now):
    pause_game(game_id=game.pk, by=mo, why=WHY, now=now)
    assert staff_stats(now + 26 * DAY).ending_holds == 0
    assert staff_stats(now + 27 * DAY).ending_holds == 1


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


@pytest.mark.parametrize(("down", "waited"), [(0, 40), (10, 30)])
def test_a_wait_that_a_pause_interrupts_uses_up_the_time_of_the_game(
    game, ann, mo, now, down, waited
):
    """Else who is out of reach on purpose would have sixty days again after each pause."""
    freeze_undelivered(game_id=game.pk, turn_number=0, user=ann, now=now)
    if down:
        Outage.objects.create(
            kind="gap", began_at=now + DAY, ended_at=now + (1 + down) * DAY, noted_at=now
        )
    pause_game(game_id=game.pk, by=mo, why=WHY, now=now + 40 * DAY)
    assert game.seats.get(user=ann).undelivered == waited * DAY
    record_contact(User.objects.get(pk=ann.pk), now=now + 41 * DAY)
    resume_game(game_id=game.pk, by=mo, why=WHY, now=now + 50 * DAY)
    assert game.seats.get(user=ann).undelivered == waited * DAY
    freeze_undelivered(game_id=game.pk, turn_number=0, user=ann, now=now + 50 * DAY)
    assert fresh(game).stopped_until == now + (110 - waited) * DAY


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
