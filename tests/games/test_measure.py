"""How much mail one person may have this house send to strangers."""

import pytest

from games.services.errors import TooManyInvitations
from games.services.invitations import challenge, invite
from tests.games.play import DAY, SECOND, refused, table

pytestmark = pytest.mark.django_db


@pytest.fixture
def sated(ann, now, settings):
    """Ann has invited as many addresses as she may within a day; her next table."""
    settings.MAILED_INVITATIONS_A_DAY = 2
    for number in range(2):
        invite(game_id=table(ann, now=now).pk, by=ann, email=f"{number}@example.org", now=now)
    return table(ann, now=now)


def test_one_more_address_within_a_day_is_refused(sated, ann, now):
    late = now + DAY - SECOND
    with refused(TooManyInvitations, "You have invited 2 addresses within a day", status=429):
        invite(game_id=sated.pk, by=ann, email="more@example.org", now=late)


def test_a_day_later_it_is_possible_again(sated, ann, now):
    assert invite(game_id=sated.pk, by=ann, email="more@example.org", now=now + DAY).pk


def test_players_may_still_be_challenged_by_name(sated, ann, bob, now):
    assert challenge(game_id=sated.pk, by=ann, user=bob, now=now).pk


def test_what_somebody_else_sent_does_not_count(sated, bob, now):
    game = table(bob, now=now)
    assert invite(game_id=game.pk, by=bob, email="more@example.org", now=now).pk


def test_nobody_sits_on_an_empty_seat(client, ann, now):
    page = client.get(table(ann, now=now).get_absolute_url())
    assert page.context["seat"] is None
