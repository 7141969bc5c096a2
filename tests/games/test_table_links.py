"""A link with which anybody may sit down: made, used, replaced, revoked."""

from collections import Counter

import pytest

from accounts.models import Block
from games import errors
from games.models import Game, Seat, TableLink
from games.services.invitations import Opponent, challenge, decline, propose
from games.services.tables import (
    create_link,
    game_of_link,
    join_by_link,
    join_table,
    revoke_link,
    token_of_link,
    withdraw_table,
)
from tests.factories import GuestFactory, PersonFactory
from tests.games import parallel
from tests.games.parallel import at_once
from tests.games.play import fresh, refused, table

pytestmark = pytest.mark.django_db


@pytest.fixture
def waiting(ann, now):
    """Ann's private table."""
    return table(ann, now=now, is_public=False)


@pytest.fixture
def token(waiting, ann, now):
    return token_of_link(create_link(game_id=waiting.pk, by=ann, now=now))


def test_whoever_has_the_link_sits_down_even_at_a_private_table(waiting, token, bob, now):
    game = join_by_link(token=token, user=bob, now=now)
    assert game.pk == waiting.pk
    assert fresh(game).status == Game.Status.ACTIVE
    assert set(game.seats.values_list("user__username", flat=True)) == {"ann", "bob"}


def test_the_address_stays_the_same_and_does_not_have_the_key_alone(waiting, token):
    link = TableLink.objects.get(game=waiting)
    assert token_of_link(link) == token
    assert game_of_link(token) == waiting
    for wrong in (link.key, f"{waiting.pk}-{link.key}", token[:-1], "", "1-2.3", token + "x"):
        with refused(errors.BadLink, "This link does not work.", status=404):
            game_of_link(wrong)


def test_a_link_has_as_many_uses_as_there_are_free_seats(three_seats, ann, bob, cat, dan, now):
    game = table(ann, now=now)
    token = token_of_link(create_link(game_id=game.pk, by=ann, now=now))
    for user in (bob, cat):
        join_by_link(token=token, user=user, now=now)
    with refused(errors.TableNotOpen, "This table is no longer waiting for players.", status=409):
        join_by_link(token=token, user=dan, now=now)


def test_a_reserved_seat_is_not_taken_by_a_link(waiting, token, ann, bob, cat, now):
    challenge(game_id=waiting.pk, by=ann, user=bob, now=now)
    with refused(errors.TableFull, "Every seat at this table is taken or reserved.", status=409):
        join_by_link(token=token, user=cat, now=now)
    join_by_link(token=token, user=bob, now=now)
    assert waiting.invitations.get().state == "accepted"


def test_a_link_that_is_revoked_or_replaced_no_longer_works(waiting, token, ann, bob, now):
    newer = token_of_link(create_link(game_id=waiting.pk, by=ann, now=now))
    assert newer != token
    with refused(errors.BadLink, "This link does not work.", status=404):
        join_by_link(token=token, user=bob, now=now)
    revoke_link(game_id=waiting.pk, by=ann, now=now)
    revoke_link(game_id=waiting.pk, by=ann, now=now)  # twice is once
    with refused(errors.BadLink, "This link does not work.", status=404):
        join_by_link(token=newer, user=bob, now=now)


def test_only_the_creator_makes_and_revokes_links(waiting, token, bob, now):
    for change in (create_link, revoke_link):
        with refused(errors.NotTheMaker, "Only the player who created this table", status=403):
            change(game_id=waiting.pk, by=bob, now=now)


def test_a_link_ends_with_its_table(waiting, token, ann, bob, now):
    withdraw_table(game_id=waiting.pk, user=ann, now=now)
    with refused(errors.TableNotOpen, "This table is no longer waiting for players.", status=409):
        join_by_link(token=token, user=bob, now=now)
    with refused(errors.TableNotOpen, "This table is no longer waiting for players.", status=409):
        create_link(game_id=waiting.pk, by=ann, now=now)


def test_a_full_table_gets_no_link(waiting, ann, bob, now):
    challenge(game_id=waiting.pk, by=ann, user=bob, now=now)
    with refused(errors.TableFull, "Every seat at this table is taken or reserved.", status=409):
        create_link(game_id=waiting.pk, by=ann, now=now)


def test_who_is_blocked_by_a_player_does_not_sit_down(waiting, token, ann, bob, now):
    Block.objects.create(by=ann, of=bob, at=now)
    with refused(errors.NotWelcome, "You cannot join this game.", status=403):
        join_by_link(token=token, user=bob, now=now)


def test_nobody_sits_down_twice(waiting, token, ann, now):
    with refused(errors.SeatedAlready, "You are already at this table.", status=409):
        join_by_link(token=token, user=ann, now=now)


def test_guests_neither_make_nor_use_links(waiting, token, now):
    guest = GuestFactory()
    with refused(errors.GuestsPlayPrograms, "Guests play against programs only.", status=403):
        join_by_link(token=token, user=guest, now=now)
    own = table(guest, now=now, is_public=False)
    with refused(errors.GuestsPlayPrograms, "Guests play against programs only.", status=403):
        create_link(game_id=own.pk, by=guest, now=now)


def test_a_table_with_a_link_stays_open_when_somebody_declines(waiting, token, ann, bob, now):
    invitation = challenge(game_id=waiting.pk, by=ann, user=bob, now=now)
    decline(invitation_id=invitation.pk, user=bob, now=now)
    assert fresh(waiting).status == Game.Status.OPEN


def test_a_table_may_be_made_for_whoever_has_its_link(ann, bob, now):
    like = table(ann, now=now)
    game = propose(
        creator=ann,
        rules_slug="morpion",
        options={},
        terms=like.terms,
        opponent=Opponent("link"),
        is_public=True,
        creator_seat=None,
        now=now,
    )
    assert not game.is_public  # or anybody could sit down from the list of open tables
    with refused(errors.PrivateTable, "This table is private", status=403):
        join_table(game_id=game.pk, user=bob, now=now)
    join_by_link(token=token_of_link(game.link), user=bob, now=now)


@pytest.mark.django_db(transaction=True)
def test_of_many_at_the_last_seat_one_sits_down(ann, now):
    game = table(ann, now=now, is_public=False)
    token = token_of_link(create_link(game_id=game.pk, by=ann, now=now))
    people = [PersonFactory() for _ in range(8)]
    answers = at_once(*[[parallel.join_by_link(token, one, now=now)] for one in people])
    assert Counter(answer for (answer,) in answers) == {"seated": 1, "TableNotOpen": 7}
    assert Seat.objects.filter(game=game, user=None).count() == 0
