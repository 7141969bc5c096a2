"""A pause by agreement: offered, accepted, ended by a player, by a turn or by time."""

import pytest

from games import errors
from games.clock.time_control import PaceKind, TimeControl
from games.models import Event, Offer, Terms
from games.services.clock.stops import end_pause, end_stops
from games.services.deadlines import time_out_due
from games.services.offers import (
    PAUSES,
    accept_offer,
    decline_offer,
    offer_end,
    offer_pause,
    withdraw_offer,
)
from games.services.reminders import remind_due
from games.services.thinking import play_for_bots
from tests.games.multiplayer import gather
from tests.games.play import DAY, NOT_RATED, SECOND, begin, fresh, kinds, play, refused, unchanged

pytestmark = pytest.mark.django_db


@pytest.fixture
def paused(game, ann, bob, now):
    """Half a day after her turn began, ann and bob agreed on a week's pause."""
    when = now + 0.5 * DAY
    offer_pause(game_id=game.pk, user=bob, days=7, now=when)
    return accept_offer(game_id=game.pk, user=ann, now=when)


def test_when_everybody_has_accepted_the_clock_stands_for_the_days_agreed(paused, ann, bob, now):
    game = fresh(paused)
    assert (game.stop_reason, game.stopped_at) == ("paused", now + 0.5 * DAY)
    assert game.stopped_until == now + 7.5 * DAY
    assert (game.deadline, game.reminder_at, game.time_left) == (None, None, 1.5 * DAY)
    assert kinds(game)[-2:] == ["offer-made", "offer-accepted"]
    offer = Offer.objects.get()
    assert (offer.state, offer.details) == ("accepted", {"days": 7})
    event = game.events.get(kind=Event.Kind.OFFER_ACCEPTED)
    assert (event.actor, event.details) == (ann, {"kind": "pause", "offer": offer.pk})


@pytest.mark.parametrize("days", PAUSES)
def test_a_pause_may_last_so_many_days(game, ann, bob, now, days):
    offer_pause(game_id=game.pk, user=ann, days=days, now=now)
    accept_offer(game_id=game.pk, user=bob, now=now)
    assert fresh(game).stopped_until == now + days * DAY


@pytest.mark.parametrize("days", [-3, 0, 1, 31, 10**9])
def test_no_pause_lasts_otherwise(game, ann, now, days):
    with refused(errors.BadPause, "3, 7, 14 or 30 days", status=422):
        offer_pause(game_id=game.pk, user=ann, days=days, now=now)


def test_nobody_runs_out_of_time_or_is_reminded_in_a_pause(paused, now):
    with unchanged():
        assert time_out_due(now=now + 7.5 * DAY - SECOND) == 0
        assert remind_due(now=now + 7.5 * DAY - SECOND) == 0
        assert end_stops(now=now + 7.5 * DAY - SECOND) == 0


def test_when_its_days_are_over_the_clock_goes_on_with_what_was_left(paused, now):
    assert end_stops(now=now + 7.5 * DAY) == 1
    game = fresh(paused)
    assert (game.stop_reason, game.deadline) == ("", now + 9 * DAY)
    event = game.events.get(kind=Event.Kind.CLOCK_STARTED)
    assert (event.actor, event.details) == (None, {"why": "paused"})
    assert end_stops(now=now + 7.5 * DAY) == 0


@pytest.mark.parametrize("who", ["ann", "bob"])
def test_either_player_ends_it_at_any_time(paused, ann, bob, now, who):
    user = {"ann": ann, "bob": bob}[who]
    end_pause(game_id=paused.pk, user=user, now=now + DAY)
    game = fresh(paused)
    assert (game.stop_reason, game.deadline) == ("", now + 2.5 * DAY)
    assert game.events.get(kind=Event.Kind.CLOCK_STARTED).actor == user
    with refused(errors.NotPaused, "not paused", status=409):
        end_pause(game_id=paused.pk, user=user, now=now + DAY)


def test_a_stranger_ends_no_pause(paused, cat, now):
    with refused(errors.NotAPlayer, "You do not play", status=403):
        end_pause(game_id=paused.pk, user=cat, now=now + DAY)


def test_the_player_to_move_may_simply_play(paused, ann, now):
    play(paused, ann, "5", now=now + 6 * DAY)
    game = fresh(paused)
    assert (game.stop_reason, game.deadline) == ("", now + 8 * DAY)
    assert end_stops(now=now + 30 * DAY) == 0


def test_a_bank_of_time_loses_nothing_in_a_pause(ann, bob, now):
    pace = TimeControl(PaceKind.FISCHER, allowance=DAY, bank=3 * DAY, cap=9 * DAY)
    game = begin(ann, bob, now=now, terms=Terms(pace))
    offer_pause(game_id=game.pk, user=ann, days=30, now=now + DAY)
    accept_offer(game_id=game.pk, user=bob, now=now + DAY)
    play(game, ann, "5", now=now + 20 * DAY)
    assert game.seats.get(user=ann).time_left == 3 * DAY


def test_in_a_pause_no_other_is_offered(paused, bob, now):
    with refused(errors.ClockStands, "The clock of this game is already stopped", status=409):
        offer_pause(game_id=paused.pk, user=bob, days=30, now=now + DAY)


def test_after_it_the_same_may_be_offered_again(paused, ann, bob, now):
    end_pause(game_id=paused.pk, user=ann, now=now + DAY)
    offer_pause(game_id=paused.pk, user=bob, days=7, now=now + DAY)
    assert accept_offer(game_id=paused.pk, user=ann, now=now + DAY).stop_reason == "paused"


def test_who_is_out_of_time_accepts_no_pause(game, ann, bob, now):
    offer_pause(game_id=game.pk, user=bob, days=3, now=now)
    with refused(errors.TooLate, "Your time for this turn has run out", status=409):
        accept_offer(game_id=game.pk, user=ann, now=now + 2 * DAY + SECOND)


# Several kinds at once -------------------------------------------------------------------------


def test_offers_of_two_kinds_stand_beside_each_other_and_are_answered_by_name(game, ann, bob, now):
    pause = offer_pause(game_id=game.pk, user=bob, days=3, now=now)
    end = offer_end(game_id=game.pk, user=bob, now=now)
    for answer in (accept_offer, decline_offer):
        with refused(errors.SeveralOffers, "Several offers are waiting for an answer", status=409):
            answer(game_id=game.pk, user=ann, now=now)
    with refused(errors.SeveralOffers, "Several offers are waiting for an answer", status=409):
        withdraw_offer(game_id=game.pk, user=bob, now=now)
    decline_offer(game_id=game.pk, user=ann, now=now, offer_id=end.pk)
    accept_offer(game_id=game.pk, user=ann, now=now)
    states = dict(Offer.objects.values_list("pk", "state"))
    assert states == {pause.pk: "accepted", end.pk: "declined"}


def test_one_of_a_kind_stands_at_a_time(game, ann, bob, now):
    offer_pause(game_id=game.pk, user=ann, days=3, now=now)
    with refused(errors.OfferStands, "That has already been offered and waits for", status=409):
        offer_pause(game_id=game.pk, user=bob, days=7, now=now)


def test_an_offer_of_another_game_is_not_answered_here(game, ann, bob, now):
    elsewhere = begin(ann, bob, now=now)
    there = offer_pause(game_id=elsewhere.pk, user=bob, days=3, now=now)
    offer_end(game_id=game.pk, user=bob, now=now)
    with refused(errors.NoOffer, "There is no open offer to answer", status=409):
        accept_offer(game_id=game.pk, user=ann, now=now, offer_id=there.pk)


def test_declined_pauses_are_not_offered_without_end_in_one_position(game, ann, bob, now):
    offer_pause(game_id=game.pk, user=bob, days=PAUSES[0], now=now)
    decline_offer(game_id=game.pk, user=ann, now=now)
    for days in PAUSES:
        with refused(errors.OfferedAlready, "You have already offered that in this", status=409):
            offer_pause(game_id=game.pk, user=bob, days=days, now=now)
    assert offer_end(game_id=game.pk, user=bob, now=now).state == "open"


def test_who_plays_on_lets_every_offer_lapse(game, ann, bob, now):
    offer_pause(game_id=game.pk, user=bob, days=3, now=now)
    offer_end(game_id=game.pk, user=bob, now=now)
    play(game, ann, "5", now=now)
    assert set(Offer.objects.values_list("state", flat=True)) == {"lapsed"}


def test_of_four_all_must_accept(ann, bob, cat, dan, now):
    game = gather([ann, bob, cat, dan], now=now)
    offer_pause(game_id=game.pk, user=ann, days=3, now=now)
    for user in (bob, cat):
        assert accept_offer(game_id=game.pk, user=user, now=now).stop_reason == ""
        with refused(errors.NoOffer, "There is no open offer to answer", status=409):
            accept_offer(game_id=game.pk, user=user, now=now)
    assert accept_offer(game_id=game.pk, user=dan, now=now).stop_reason == "paused"


def test_a_bot_accepts_a_pause_and_an_end(ann, partner, now):
    game = begin(ann, partner, now=now, terms=NOT_RATED)
    offer_pause(game_id=game.pk, user=ann, days=3, now=now)
    play_for_bots(now=now)
    assert fresh(game).stop_reason == "paused"
    offer_end(game_id=game.pk, user=ann, now=now)
    play_for_bots(now=now)
    assert fresh(game).ending == "agreed"
