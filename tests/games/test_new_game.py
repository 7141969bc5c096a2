"""Making a table and asking the opponent to it: both, or nothing."""

import pytest

from games import errors
from games.clock.time_control import per_turn
from games.models import Game, Terms
from games.services.invitations import Opponent, propose
from tests.factories import PersonFactory
from tests.games.play import DAY, fresh, kinds, refused

pytestmark = pytest.mark.django_db


def propose_to(ann, whom, name="", *, now, **choices):
    choices = {
        "rules_slug": "morpion",
        "options": {},
        "terms": Terms(per_turn(2 * DAY)),
        "is_public": False,
        "creator_seat": 0,
    } | choices
    return propose(creator=ann, opponent=Opponent(whom, name), now=now, **choices)


def test_a_table_for_anybody_is_public(ann, now):
    game = propose_to(ann, "anybody", now=now)
    assert fresh(game).is_public
    assert not game.invitations.exists()


@pytest.mark.parametrize("name", ["bob", "BOB", " Bob "])
def test_a_player_is_found_by_name_whatever_the_case(ann, bob, now, name):
    game = propose_to(ann, "player", name, now=now)
    assert not fresh(game).is_public
    assert game.invitations.get().user == bob
    assert kinds(game) == ["opened", "challenged"]


def test_an_address_is_invited(ann, now):
    game = propose_to(ann, "address", "zoe@example.org", now=now)
    assert game.invitations.get().email == "zoe@example.org"


def test_the_partner_is_asked(ann, partner, now):
    assert propose_to(ann, "partner", now=now).invitations.get().user == partner


@pytest.mark.parametrize(
    "name", ["nobody-here", "", "\0", "bob\0", "\ud800", "b\u202eob", "x" * 5000, "%s%d{0}"]
)
def test_a_name_that_nobody_has_leaves_no_table_behind(ann, bob, now, name):
    with refused(errors.NoSuchPlayer, "No player is called", status=422) as caught:
        propose_to(ann, "player", name, now=now)
    assert len(caught.value.sentence) < 100
    assert not set("\0\ud800\u202e") & set(caught.value.sentence)


def test_somebody_who_left_the_house_is_not_found(ann, now):
    PersonFactory(username="gone", is_active=False)
    with refused(errors.NoSuchPlayer, "No player is called", status=422):
        propose_to(ann, "player", "gone", now=now)


def test_oneself_leaves_no_table_behind(ann, now):
    with refused(errors.AlreadySeated, "ann is already at this table", status=409):
        propose_to(ann, "player", "ann", now=now)


def test_a_wrong_address_leaves_no_table_behind(ann, now):
    with refused(errors.BadAddress, "“zoe” is not an e-mail address.", status=422):
        propose_to(ann, "address", "zoe", now=now)


def test_a_wrong_option_leaves_no_table_behind(ann, bob, now):
    with refused(errors.BadOption, "has no option “size”", status=422):
        propose_to(ann, "player", "bob", now=now, options={"size": "9"})


def test_games_outside_the_transaction_are_not_made(ann, now):
    with refused(errors.NoSuchPlayer, "No player is called", status=422):
        propose_to(ann, "player", "nobody-here", now=now)
    assert Game.objects.count() == 0
