"""Challenges by name and invitations by address: asked, accepted, declined."""

import pytest
import time_machine
from django.core import signing

from games import errors
from games.models import Event, Invitation
from games.services.invitations import (
    accept,
    challenge,
    decline,
    from_token,
    invite,
    link_token,
)
from tests.games.play import DAY, SECOND, fresh, kinds, refused, table

pytestmark = pytest.mark.django_db


@pytest.fixture
def asked(ann, now):
    """Ann's private table."""
    return table(ann, now=now, is_public=False)


# Asking ----------------------------------------------------------------------------------------


def test_a_challenge_keeps_a_seat_and_is_written_down(asked, ann, bob, now):
    invitation = challenge(game_id=asked.pk, by=ann, user=bob, now=now)
    assert (invitation.by, invitation.user, invitation.state) == (ann, bob, "open")
    event = asked.events.get(kind=Event.Kind.CHALLENGED)
    assert (event.actor, event.invitation) == (ann, invitation)


def test_an_invitation_keeps_a_seat_for_an_address_in_small_letters(asked, ann, now):
    invitation = invite(game_id=asked.pk, by=ann, email=" Zoe@Example.ORG ", now=now)
    assert (invitation.email, invitation.user) == ("zoe@example.org", None)
    assert asked.events.get(kind=Event.Kind.INVITED).invitation == invitation


def test_only_the_maker_asks(asked, bob, cat, now):
    with refused(errors.NotTheMaker, "Only the player who created this table can", status=403):
        challenge(game_id=asked.pk, by=cat, user=bob, now=now)
    with refused(errors.NotTheMaker, "Only the player who created this table can", status=403):
        invite(game_id=asked.pk, by=cat, email="zoe@example.org", now=now)


def test_nobody_is_asked_to_a_game_that_does_not_exist(ann, bob, now):
    with refused(errors.NoSuchGame, "There is no such game", status=404):
        challenge(game_id=987654, by=ann, user=bob, now=now)


def test_nobody_is_asked_to_a_running_game(game, ann, cat, now):
    with refused(errors.TableNotOpen, "This table is no longer waiting for players", status=409):
        challenge(game_id=game.pk, by=ann, user=cat, now=now)


def test_nobody_challenges_themselves(asked, ann, now):
    with refused(errors.AlreadySeated, "ann is already at this table", status=409):
        challenge(game_id=asked.pk, by=ann, user=ann, now=now)


@pytest.mark.usefixtures("three_seats")
def test_nobody_is_asked_twice(asked, ann, bob, now):
    table3 = table(ann, now=now)
    challenge(game_id=table3.pk, by=ann, user=bob, now=now)
    with refused(errors.AlreadyInvited, "has already been invited", status=409):
        challenge(game_id=table3.pk, by=ann, user=bob, now=now)
    invite(game_id=table3.pk, by=ann, email="zoe@example.org", now=now)
    with refused(errors.AlreadyInvited, "has already been invited", status=409):
        invite(game_id=table3.pk, by=ann, email="ZOE@example.org", now=now)


def test_more_people_than_seats_are_not_asked(asked, ann, bob, cat, now):
    challenge(game_id=asked.pk, by=ann, user=bob, now=now)
    with refused(errors.TableFull, "Every seat at this table is taken or reserved", status=409):
        challenge(game_id=asked.pk, by=ann, user=cat, now=now)
    with refused(errors.TableFull, "Every seat at this table is taken or reserved", status=409):
        invite(game_id=asked.pk, by=ann, email="zoe@example.org", now=now)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "zoe",
        "zoe@",
        "@example.org",
        "zoe@example",
        "zoe@example.org, eve@example.org",
        "zoe@example.org\nBcc: eve@example.org",
        "zoe\0@example.org",
        "\ud800@example.org",
        "z" * 64 + "@" + ("a" * 60 + ".") * 4 + "org",
        "x" * 5000,
    ],
)
def test_what_is_not_an_address_is_refused(asked, ann, now, text):
    with refused(errors.BadAddress, "is not an e-mail address", status=422):
        invite(game_id=asked.pk, by=ann, email=text, now=now)


# Accepting -------------------------------------------------------------------------------------


def test_who_accepts_sits_down_and_the_game_begins(asked, ann, bob, now):
    invitation = challenge(game_id=asked.pk, by=ann, user=bob, now=now)
    accept(invitation_id=invitation.pk, user=bob, now=now + SECOND)
    game = fresh(asked)
    assert game.status == "active"
    assert game.seats.get(number=1).user == bob
    invitation.refresh_from_db()
    assert (invitation.state, invitation.answered_at) == ("accepted", now + SECOND)
    assert kinds(game) == ["opened", "challenged", "joined", "started"]


def test_anybody_with_the_link_accepts_an_invitation_to_an_address(asked, ann, cat, now):
    invitation = invite(game_id=asked.pk, by=ann, email="zoe@example.org", now=now)
    accept(invitation_id=invitation.pk, user=cat, now=now)
    assert fresh(asked).seats.get(number=1).user == cat


def test_a_challenge_is_for_one_person_alone(asked, ann, bob, cat, now):
    invitation = challenge(game_id=asked.pk, by=ann, user=bob, now=now)
    with refused(errors.NotInvited, "for somebody else", status=403):
        accept(invitation_id=invitation.pk, user=cat, now=now)
    with refused(errors.NotInvited, "for somebody else", status=403):
        decline(invitation_id=invitation.pk, user=cat, now=now)
    with refused(errors.NotInvited, "for somebody else", status=403):
        decline(invitation_id=invitation.pk, user=None, now=now)


def test_the_creator_cannot_accept_their_own_invitation(asked, ann, now):
    invitation = invite(game_id=asked.pk, by=ann, email="ann@example.org", now=now)
    with refused(errors.SeatedAlready, "You are already at this table", status=409):
        accept(invitation_id=invitation.pk, user=ann, now=now)


def test_an_invitation_is_answered_once(asked, ann, bob, now):
    invitation = challenge(game_id=asked.pk, by=ann, user=bob, now=now)
    accept(invitation_id=invitation.pk, user=bob, now=now)
    with refused(errors.InvitationAnswered, "This invitation is no longer open", status=409):
        accept(invitation_id=invitation.pk, user=bob, now=now)
    with refused(errors.InvitationAnswered, "This invitation is no longer open", status=409):
        decline(invitation_id=invitation.pk, user=bob, now=now)


@pytest.mark.usefixtures("three_seats")
def test_an_accepted_invitation_is_not_declined_while_the_table_is_open(ann, bob, now):
    game = table(ann, now=now)
    invitation = challenge(game_id=game.pk, by=ann, user=bob, now=now)
    accept(invitation_id=invitation.pk, user=bob, now=now)
    with refused(errors.InvitationAnswered, "This invitation is no longer open", status=409):
        decline(invitation_id=invitation.pk, user=bob, now=now)


def test_an_invitation_stands_until_one_second_before_fourteen_days(asked, ann, bob, now):
    invitation = challenge(game_id=asked.pk, by=ann, user=bob, now=now)
    with refused(errors.InvitationAnswered, "This invitation is no longer open", status=409):
        accept(invitation_id=invitation.pk, user=bob, now=now + 14 * DAY)
    accept(invitation_id=invitation.pk, user=bob, now=now + 14 * DAY - SECOND)
    assert fresh(asked).status == "active"


def test_an_invitation_that_never_was_cannot_be_answered(bob, now):
    with refused(errors.BadLink, "It is incomplete, was changed, or is too old", status=404):
        accept(invitation_id=987654, user=bob, now=now)


@pytest.mark.usefixtures("three_seats")
def test_who_accepts_sits_on_the_very_seat_that_was_kept(ann, bob, cat, now):
    game = table(ann, now=now)
    invitation = challenge(game_id=game.pk, by=ann, user=bob, now=now, seat_number=2)
    accept(invitation_id=invitation.pk, user=bob, now=now)
    assert game.seats.get(number=2).user == bob
    assert game.seats.get(number=1).user is None


# Declining -------------------------------------------------------------------------------------


def test_declining_closes_a_private_table_that_nobody_else_can_fill(asked, ann, bob, now):
    invitation = challenge(game_id=asked.pk, by=ann, user=bob, now=now)
    decline(invitation_id=invitation.pk, user=bob, now=now)
    game = fresh(asked)
    assert (game.status, game.ending) == ("closed", "declined")
    invitation.refresh_from_db()
    assert invitation.state == "declined"
    assert kinds(game) == ["opened", "challenged", "declined", "closed"]
    declined = game.events.get(kind=Event.Kind.DECLINED)
    assert (declined.actor, declined.invitation) == (bob, invitation)


def test_declining_leaves_a_public_table_open_to_everybody(ann, bob, cat, now):
    game = table(ann, now=now)
    invitation = challenge(game_id=game.pk, by=ann, user=bob, now=now)
    decline(invitation_id=invitation.pk, user=bob, now=now)
    assert fresh(game).status == "open"
    assert game.events.filter(kind=Event.Kind.CLOSED).count() == 0


@pytest.mark.usefixtures("three_seats")
def test_declining_leaves_a_private_table_open_while_others_are_asked(ann, bob, cat, now):
    game = table(ann, now=now, is_public=False)
    invitation = challenge(game_id=game.pk, by=ann, user=bob, now=now)
    challenge(game_id=game.pk, by=ann, user=cat, now=now)
    decline(invitation_id=invitation.pk, user=bob, now=now)
    assert fresh(game).status == "open"


def test_an_address_declines_without_an_account(asked, ann, now):
    invitation = invite(game_id=asked.pk, by=ann, email="zoe@example.org", now=now)
    decline(invitation_id=invitation.pk, user=None, now=now)
    assert fresh(asked).ending == "declined"
    assert asked.events.get(kind=Event.Kind.DECLINED).actor is None


# The mailed link -------------------------------------------------------------------------------


def test_a_link_leads_to_its_invitation(asked, ann, now):
    invitation = invite(game_id=asked.pk, by=ann, email="zoe@example.org", now=now)
    assert from_token(link_token(invitation)) == invitation


def test_a_link_that_was_changed_anywhere_leads_nowhere(asked, ann, now):
    token = link_token(invite(game_id=asked.pk, by=ann, email="zoe@example.org", now=now))
    for place in range(len(token)):
        changed = token[:place] + ("A" if token[place] != "A" else "B") + token[place + 1 :]
        with pytest.raises(errors.BadLink):
            from_token(changed)


@pytest.mark.parametrize("token", ["", "1", ":", "a:b:c", "\0", "\ud800", "é" * 9, "x" * 5000])
def test_what_was_never_a_link_leads_nowhere(token):
    with refused(errors.BadLink, "It is incomplete, was changed, or is too old", status=404):
        from_token(token)


def test_a_signature_made_for_something_else_leads_nowhere(asked, ann, now):
    invitation = invite(game_id=asked.pk, by=ann, email="zoe@example.org", now=now)
    with refused(errors.BadLink, "It is incomplete, was changed, or is too old", status=404):
        from_token(signing.dumps(invitation.pk, salt="notifications.unsubscribe"))


def test_a_link_lives_as_long_as_its_table(asked, ann, now):
    with time_machine.travel(now, tick=False) as clock:
        token = link_token(invite(game_id=asked.pk, by=ann, email="zoe@example.org", now=now))
        clock.move_to(now + 14 * DAY)
        assert from_token(token).game == asked
        clock.move_to(now + 14 * DAY + SECOND)
        with refused(errors.BadLink, "too old", status=404):
            from_token(token)


def test_a_link_of_an_invitation_that_is_gone_leads_nowhere(asked, ann, now):
    invitation = invite(game_id=asked.pk, by=ann, email="zoe@example.org", now=now)
    token = link_token(invitation)
    Invitation.objects.filter(pk=invitation.pk).delete()
    with refused(errors.BadLink, "incomplete", status=404):
        from_token(token)
