"""Games of three and four people, through the whole service."""

import pytest

from games import errors
from games.models import Invitation
from games.services.invitations import ask_rematch, decline
from games.services.offers import accept_offer, decline_offer, offer_end
from games.services.record import faults_of
from games.services.thinking import play_for_bots
from tests.factories import BotFactory, PersonFactory
from tests.games.multiplayer import (
    LONGEST,
    gather,
    mover,
    names,
    places,
    play_on,
    play_out,
    points,
)
from tests.games.play import fresh, refused
from tests.games.variants import VARIANTS

pytestmark = pytest.mark.django_db


# Whole games -------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.slow
def test_people_play_a_whole_game_to_places_and_points(people, client, now, variant):
    game = play_out(gather(people[: VARIANTS[variant]], now=now, variant=variant), now=now)
    outcome = game.rules.outcome(game.rules.load(game.position))
    assert (game.status, game.ending) == ("finished", outcome.reason)
    assert None not in points(game)
    assert (tuple(places(game)), tuple(points(game))) == (outcome.places, outcome.points)
    assert (min(places(game)), game.deadline, game.seat_to_move) == (1, None, None)
    assert faults_of(game) == []
    assert {turn.player for turn in game.turns.all()} == set(people[: VARIANTS[variant]])
    assert client.get(game.get_absolute_url()).status_code == 200
    if variant == "teams":
        in_teams_partners_share_their_place(game)


def in_teams_partners_share_their_place(game):
    first, second, third, fourth = places(game)
    assert (first, second) == (third, fourth)
    assert {first, second} <= {1, 2}


@pytest.mark.slow
def test_four_bots_play_a_whole_game_by_themselves(bots, now):
    game = gather([*bots, BotFactory()], now=now)
    for _ in range(LONGEST):
        if play_for_bots(now=now) == 0:
            break
    game = fresh(game)
    assert game.status == "finished"
    assert None not in [*places(game), *points(game)]
    assert set(game.turns.values_list("via", flat=True)) == {"program"}
    assert faults_of(game) == []


@pytest.mark.parametrize("who", ["nobody", "ann", "bob", "cat", "dan", "eve"])
def test_everybody_sees_the_game_and_the_mover_alone_may_play(client, people, now, who):
    game = play_on(gather(people, now=now), 5, now=now)
    known = {person.username: person for person in [*people, PersonFactory(username="eve")]}
    if who != "nobody":
        client.force_login(known[who])
    page = client.get(game.get_absolute_url())
    assert page.status_code == 200
    assert ("data-board-form" in page.content.decode()) == (who == "bob")
    assert [place["to_move"] for place in page.context["seats"]] == [False, True, False, False]


# Afterwards --------------------------------------------------------------------------------------


def agree(game, people, now):
    offerer, *others = people
    offer_end(game_id=game.pk, user=offerer, now=now)
    for person in others:
        accept_offer(game_id=game.pk, user=person, now=now)
    return fresh(game)


@pytest.mark.parametrize(("variant", "seats"), VARIANTS.items())
def test_in_a_rematch_everybody_sits_one_seat_further_on(people, now, variant, seats):
    there = people[:seats]
    game = agree(gather(there, now=now, variant=variant), there, now)
    rematch = ask_rematch(game_id=game.pk, user=there[1], now=now)
    kept = {i.user.username: i.seat_number for i in rematch.invitations.select_related("user")}
    others = [number for number in range(seats) if number != 1]
    assert kept == {there[number].username: (number + 1) % seats for number in others}
    for number in others:
        assert fresh(rematch).status == "open"
        ask_rematch(game_id=game.pk, user=there[number], now=now)
    rematch = fresh(rematch)
    assert rematch.status == "active"
    assert names(rematch) == [there[number - 1].username for number in range(seats)]
    assert rematch.options == game.options
    assert mover(rematch) == there[-1]


def test_a_rematch_that_one_of_four_declines_waits_for_the_others(people, now):
    """Who declines may think better of it: the seat is not given to a stranger."""
    game = agree(gather(people, now=now), people, now)
    rematch = ask_rematch(game_id=game.pk, user=people[0], now=now)
    for person in people[1:]:
        asked = rematch.invitations.get(user=person, state=Invitation.State.OPEN)
        assert fresh(rematch).status == "open"
        decline(invitation_id=asked.pk, user=person, now=now)
    assert (fresh(rematch).status, fresh(rematch).ending) == ("closed", "declined")


@pytest.mark.parametrize("variant", ["four", "teams", "three"])
def test_an_end_is_agreed_when_everybody_has_agreed(people, now, variant):
    there = people[: VARIANTS[variant]]
    game = gather(there, now=now, variant=variant)
    offer_end(game_id=game.pk, user=there[0], now=now)
    for person in there[1:]:
        assert fresh(game).status == "active"
        accept_offer(game_id=game.pk, user=person, now=now)
        if not fresh(game).is_over:
            with refused(errors.NoOffer, "", status=409):
                accept_offer(game_id=game.pk, user=person, now=now)
    game = fresh(game)
    assert (game.status, game.ending) == ("finished", "agreed")
    assert (set(places(game)), set(points(game))) == ({1}, {30})


def test_one_who_declines_of_four_is_enough_to_play_on(people, now):
    ann, bob, cat, dan = people
    game = gather(people, now=now)
    offer = offer_end(game_id=game.pk, user=ann, now=now)
    accept_offer(game_id=game.pk, user=bob, now=now)
    decline_offer(game_id=game.pk, user=cat, now=now)
    offer.refresh_from_db()
    assert (offer.state, fresh(game).status) == ("declined", "active")
    with refused(errors.NoOffer, "", status=409):
        accept_offer(game_id=game.pk, user=dan, now=now)
