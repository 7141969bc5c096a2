"""An agreed end: offered, accepted, declined, withdrawn, outplayed."""

import pytest

from accounts.server_time import server_now
from games import errors
from games.clock.time_control import per_turn
from games.models import Event, Offer
from games.services.offers import (
    accept_offer,
    decline_offer,
    offer_end,
    offer_pace,
    offer_pause,
    withdraw_offer,
)
from tests.games.play import DAY, SECOND, begin, fresh, kinds, play, refused, table

pytestmark = pytest.mark.django_db


def state_of(offer):
    return Offer.objects.values_list("state", flat=True).get(pk=offer.pk)


def test_an_offer_is_made_out_of_turn_too_and_written_down(game, bob, now):
    offer = offer_end(game_id=game.pk, user=bob, now=now)
    assert (offer.state, offer.seat.user, offer.made_at) == ("open", bob, now)
    event = game.events.get(kind=Event.Kind.OFFER_MADE)
    assert (event.actor, event.details["kind"]) == (bob, "agreed-end")
    assert fresh(game).status == "active"


def test_accepting_ends_the_game_as_its_rules_say(game, ann, bob, now):
    offer = offer_end(game_id=game.pk, user=ann, now=now)
    accept_offer(game_id=game.pk, user=bob, now=now + SECOND)
    game = fresh(game)
    assert (game.status, game.ending, game.ended_at) == ("finished", "agreed", now + SECOND)
    assert list(game.seats.values_list("place", flat=True)) == [1, 1]
    assert state_of(offer) == "accepted"
    assert kinds(game)[-2:] == ["offer-made", "ended"]


def test_nobody_accepts_or_declines_their_own_offer(game, ann, now):
    offer_end(game_id=game.pk, user=ann, now=now)
    for answer in (accept_offer, decline_offer):
        with refused(errors.NoOffer, "There is no open offer to answer", status=409):
            answer(game_id=game.pk, user=ann, now=now)


def test_nobody_withdraws_the_others_offer(game, ann, bob, now):
    offer_end(game_id=game.pk, user=ann, now=now)
    with refused(errors.NoOffer, "There is no open offer to answer", status=409):
        withdraw_offer(game_id=game.pk, user=bob, now=now)


def test_there_is_nothing_to_answer_without_an_offer(game, bob, now):
    for answer in (accept_offer, decline_offer, withdraw_offer):
        with refused(errors.NoOffer, "There is no open offer to answer", status=409):
            answer(game_id=game.pk, user=bob, now=now)


def test_an_offer_stands_once(game, ann, bob, now):
    offer_end(game_id=game.pk, user=ann, now=now)
    for player in (ann, bob):
        with refused(errors.OfferStands, "That has already been offered and waits for", status=409):
            offer_end(game_id=game.pk, user=player, now=now)


def test_a_declined_offer_is_closed_and_made_again_only_in_another_position(game, ann, bob, now):
    offer = offer_end(game_id=game.pk, user=ann, now=now)
    decline_offer(game_id=game.pk, user=bob, now=now)
    assert (state_of(offer), fresh(game).status) == ("declined", "active")
    assert game.events.get(kind=Event.Kind.OFFER_DECLINED).actor == bob
    with refused(errors.NoOffer, "There is no open offer to answer", status=409):
        accept_offer(game_id=game.pk, user=bob, now=now)
    with refused(errors.OfferedAlready, "You have already offered that in this", status=409):
        offer_end(game_id=game.pk, user=ann, now=now)
    play(game, ann, "5", now=now)
    assert offer_end(game_id=game.pk, user=ann, now=now).state == "open"


MAKE = {
    "agreed-end": offer_end,
    "pause": lambda **how: offer_pause(days=3, **how),
    "pace": lambda **how: offer_pace(pace=per_turn(5 * DAY), **how),
}


@pytest.mark.parametrize("kind", MAKE)
@pytest.mark.parametrize("how", ["declined", "withdrawn"])
def test_a_seat_makes_one_offer_of_a_kind_in_a_position(kind, how, game, ann, bob, now):
    offer = MAKE[kind](game_id=game.pk, user=bob, now=now)
    answer, who = (decline_offer, ann) if how == "declined" else (withdraw_offer, bob)
    answer(game_id=game.pk, user=who, now=now)
    assert state_of(offer) == how
    with refused(errors.OfferedAlready, "Offer it again after a turn.", status=409):
        MAKE[kind](game_id=game.pk, user=bob, now=now)
    for other in MAKE.keys() - {kind}:
        assert MAKE[other](game_id=game.pk, user=bob, now=now).state == "open"
    play(game, ann, "5", now=now)
    assert MAKE[kind](game_id=game.pk, user=bob, now=now).state == "open"


@pytest.mark.parametrize("kind", MAKE)
def test_the_page_does_not_show_the_button_of_an_offer_that_cannot_be_made(kind, ann, bob, client):
    offered = server_now()
    game = begin(ann, bob, now=offered)
    client.force_login(bob)
    path = {"agreed-end": "offer", "pause": "offer/pause", "pace": "offer/pace"}[kind]
    button = f'action="/games/{game.pk}/{path}/"'
    assert button in client.get(game.get_absolute_url()).content.decode()
    MAKE[kind](game_id=game.pk, user=bob, now=offered)
    withdraw_offer(game_id=game.pk, user=bob, now=offered)
    assert button not in client.get(game.get_absolute_url()).content.decode()
    client.force_login(ann)
    assert button in client.get(game.get_absolute_url()).content.decode()


def test_the_opponent_may_offer_what_one_was_declined(game, ann, bob, now):
    offer_end(game_id=game.pk, user=ann, now=now)
    decline_offer(game_id=game.pk, user=bob, now=now)
    assert offer_end(game_id=game.pk, user=bob, now=now).state == "open"


def test_a_withdrawn_offer_can_no_longer_be_accepted(game, ann, bob, now):
    offer = offer_end(game_id=game.pk, user=ann, now=now)
    withdraw_offer(game_id=game.pk, user=ann, now=now)
    assert state_of(offer) == "withdrawn"
    assert game.events.get(kind=Event.Kind.OFFER_WITHDRAWN).actor == ann
    with refused(errors.NoOffer, "There is no open offer to answer", status=409):
        accept_offer(game_id=game.pk, user=bob, now=now)


def test_who_plays_on_instead_of_answering_has_answered(game, ann, bob, now):
    offer = offer_end(game_id=game.pk, user=bob, now=now)
    play(game, ann, "5", now=now)
    assert state_of(offer) == "lapsed"
    with refused(errors.NoOffer, "There is no open offer to answer", status=409):
        accept_offer(game_id=game.pk, user=ann, now=now)


def test_who_plays_on_after_offering_keeps_the_offer_standing(game, ann, bob, now):
    offer = offer_end(game_id=game.pk, user=ann, now=now)
    play(game, ann, "5", now=now)
    assert state_of(offer) == "open"
    accept_offer(game_id=game.pk, user=bob, now=now)
    assert fresh(game).ending == "agreed"


@pytest.fixture
def game_of_three(three_seats, ann, bob, dan, now):
    from games.services.tables import join_table

    game = table(ann, now=now)
    join_table(game_id=game.pk, user=bob, now=now)
    return join_table(game_id=game.pk, user=dan, now=now)


def test_of_three_players_both_others_must_accept(game_of_three, ann, bob, dan, now, monkeypatch):
    from games.rules.base import Outcome
    from games.rules.morpion.rules import Morpion

    everybody = Outcome((1, 1, 1), None, "agreed")
    monkeypatch.setattr(Morpion, "agreed_end", lambda self, position: everybody)
    offer_end(game_id=game_of_three.pk, user=ann, now=now)
    accept_offer(game_id=game_of_three.pk, user=bob, now=now)
    assert fresh(game_of_three).status == "active"
    with refused(errors.NoOffer, "There is no open offer to answer", status=409):
        accept_offer(game_id=game_of_three.pk, user=bob, now=now)
    accept_offer(game_id=game_of_three.pk, user=dan, now=now)
    assert fresh(game_of_three).ending == "agreed"


def test_of_three_players_one_is_enough_to_decline(game_of_three, ann, bob, dan, now):
    offer = offer_end(game_id=game_of_three.pk, user=ann, now=now)
    accept_offer(game_id=game_of_three.pk, user=bob, now=now)
    decline_offer(game_id=game_of_three.pk, user=dan, now=now)
    assert state_of(offer) == "declined"
