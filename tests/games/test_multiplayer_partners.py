"""Practice partners at tables of three and four."""

from html import unescape

import pytest
from django.urls import reverse

from accounts.models import User
from games import errors
from games.clock.time_control import per_turn
from games.models import Game, Terms
from games.services.invitations import Opponent, ask_partner, propose
from games.services.record import faults_of
from games.services.tables import free_seats, join_table
from games.services.thinking import play_for_bots
from tests.factories import BotFactory
from tests.games.multiplayer import (
    mover,
    names,
    some_turn,
)
from tests.games.play import DAY, SECOND, fresh, play, refused
from tests.games.variants import FORM, VARIANTS, superpion

pytestmark = pytest.mark.django_db


def against_partners(creator, variant, now):
    return propose(
        creator=creator,
        rules_slug="superpion",
        options={"variant": variant},
        terms=Terms(per_turn(DAY)),
        opponent=Opponent("partner"),
        is_public=True,
        creator_seat=0,
        now=now,
    )


@pytest.mark.parametrize(("variant", "seats"), VARIANTS.items())
def test_partners_fill_all_free_seats_so_that_one_can_play_at_once(ann, bots, now, variant, seats):
    game = against_partners(ann, variant, now)
    assert (game.invitations.count(), free_seats(game)) == (seats - 1, 0)
    assert play_for_bots(now=now) == 0
    assert fresh(game).status == game.status
    assert (game.status, mover(game)) == ("active", ann)
    assert {seat.user for seat in game.seats.all()} == {ann, *bots[: seats - 1]}


def test_without_enough_partners_there_is_no_table(ann, bots, now):
    User.objects.filter(pk=bots[2].pk).update(is_active=False)
    with refused(errors.TooFewPartners, "There are not enough practice partners", status=409):
        against_partners(ann, "four", now)
    assert against_partners(ann, "three", now).invitations.count() == 2


def test_one_partner_too_many_at_a_table_is_refused_for_want_of_partners(ann, bots, now):
    for bot in bots[1:]:
        User.objects.filter(pk=bot.pk).update(is_active=False)
    game = superpion(ann, "four", now=now)
    ask_partner(game_id=game.pk, by=ann, now=now)
    with refused(errors.TooFewPartners, "There are not enough practice partners", status=409):
        ask_partner(game_id=game.pk, by=ann, now=now)


def test_who_asks_for_too_many_partners_reads_so_in_french(client, bob, bots):
    User.objects.filter(pk=bots[2].pk).update(is_active=False)
    client.force_login(bob)
    sent = FORM | {"option-variant": "four", "whom": "partner"}
    page = client.post(reverse("new_table"), sent)
    assert page.status_code == 409
    said = "Il n’y a pas assez de partenaires d’entraînement pour cette table."
    assert said in unescape(page.content.decode())
    assert not Game.objects.exists()


def test_a_bot_of_ones_own_sits_down_where_the_partners_are_too_few(ann, bots, now):
    User.objects.filter(pk=bots[2].pk).update(is_active=False)
    more = BotFactory()
    game = against_partners(ann, "four", now)
    play_for_bots(now=now)
    assert {seat.user for seat in game.seats.all()} == {ann, *bots[:2], more}


def test_one_partner_more_is_asked_to_a_table_where_people_sit(people, bots, now):
    ann, bob, cat, _ = people
    game = superpion(ann, "four", now=now)
    for person in (bob, cat):
        join_table(game_id=game.pk, user=person, now=now)
    ask_partner(game_id=game.pk, by=ann, now=now)
    play_for_bots(now=now)
    assert names(game) == ["ann", "bob", "cat", bots[0].username]
    assert fresh(game).status == "active"


def test_the_partners_play_on_until_it_is_the_persons_turn(ann, bots, now):
    game = against_partners(ann, "four", now)
    play_for_bots(now=now)
    for round_ in range(3):
        play(game, ann, some_turn(fresh(game)), now=now)
        # A turn that takes this machine a second is played so much later.
        played = [play_for_bots(now=now + number * 60 * SECOND) for number in range(4)]
        assert played == [1, 1, 1, 0]
        game = fresh(game)
        assert (game.turn_number, mover(game)) == (4 * round_ + 4, ann)
    assert faults_of(game) == []
