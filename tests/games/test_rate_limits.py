"""How many tables one person may make in a day, and how many strangers they may invite."""

import pytest

from games import errors
from games.services.endings import resign
from games.services.invitations import ask_rematch, challenge, invite
from tests.games.play import DAY, SECOND, begin, refused, table

pytestmark = pytest.mark.django_db


@pytest.fixture
def table_after_limit(ann, now, settings):
    """Ann has invited as many addresses as she may within a day; her next table."""
    settings.MAILED_INVITATIONS_A_DAY = 2
    for number in range(2):
        invite(game_id=table(ann, now=now).pk, by=ann, email=f"{number}@example.org", now=now)
    return table(ann, now=now)


def test_one_more_address_within_a_day_is_refused(table_after_limit, ann, now):
    late = now + DAY - SECOND
    with refused(
        errors.TooManyInvitations, "You have invited 2 addresses within a day", status=429
    ):
        invite(game_id=table_after_limit.pk, by=ann, email="more@example.org", now=late)


def test_a_day_later_it_is_possible_again(table_after_limit, ann, now):
    assert invite(game_id=table_after_limit.pk, by=ann, email="more@example.org", now=now + DAY).pk


def test_players_may_still_be_challenged_by_name(table_after_limit, ann, bob, now):
    assert challenge(game_id=table_after_limit.pk, by=ann, user=bob, now=now).pk


def test_what_somebody_else_sent_does_not_count(table_after_limit, bob, now):
    game = table(bob, now=now)
    assert invite(game_id=game.pk, by=bob, email="more@example.org", now=now).pk


def test_nobody_sits_on_an_empty_seat(client, ann, now):
    page = client.get(table(ann, now=now).get_absolute_url())
    assert page.context["seat"] is None


# Tables ------------------------------------------------------------------------------------------

SAID = "You have created 2 tables within a day"


@pytest.fixture
def two_made(ann, bob, now, settings):
    """Ann has made as many tables as she may within a day; the game at one of them, over."""
    settings.TABLES_A_DAY = 2
    table(ann, now=now)
    game = begin(ann, bob, now=now)
    return resign(game_id=game.pk, user=bob, now=now)


def test_one_more_table_within_a_day_is_refused(two_made, ann, now):
    with refused(errors.TooManyTables, SAID, status=429):
        table(ann, now=now + DAY - SECOND)


def test_a_day_later_there_may_be_another_table(two_made, ann, now):
    assert table(ann, now=now + DAY).pk


def test_a_rematch_is_a_table_of_who_asks_first(two_made, ann, bob, now):
    with refused(errors.TooManyTables, SAID, status=429):
        ask_rematch(game_id=two_made.pk, user=ann, now=now)
    assert ask_rematch(game_id=two_made.pk, user=bob, now=now).creator == bob
    assert ask_rematch(game_id=two_made.pk, user=ann, now=now).status == "active"
