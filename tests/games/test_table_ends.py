"""Open tables: left, withdrawn, expired, and what the database itself holds of them."""

import pytest
from django.db import IntegrityError, transaction

from games import errors
from games.models import Event, Game, Seat
from games.services import tables
from games.services.invitations import challenge
from games.services.tables import expire_due, join_table, leave_table, withdraw_table
from tests.games.multiplayer import names
from tests.games.play import DAY, SECOND, fresh, kinds, refused, table, unchanged

pytestmark = pytest.mark.django_db


# Leaving ---------------------------------------------------------------------------------------


@pytest.mark.usefixtures("three_seats")
def test_who_leaves_frees_the_seat(ann, bob, now):
    game = table(ann, now=now)
    join_table(game_id=game.pk, user=bob, now=now)
    leave_table(game_id=game.pk, user=bob, now=now)
    assert names(game) == ["ann", None, None]
    assert kinds(game) == ["opened", "joined", "left"]


def test_the_maker_does_not_leave(ann, now):
    game = table(ann, now=now)
    with refused(errors.MakerStays, "You created this table, so you cannot leave", status=409):
        leave_table(game_id=game.pk, user=ann, now=now)


def test_a_stranger_cannot_leave(ann, cat, now):
    game = table(ann, now=now)
    with refused(errors.NotAPlayer, "You do not play in this game.", status=403):
        leave_table(game_id=game.pk, user=cat, now=now)


def test_nobody_leaves_a_running_game(game, bob, now):
    with refused(errors.TableNotOpen, "This table is no longer waiting for players", status=409):
        leave_table(game_id=game.pk, user=bob, now=now)


# Withdrawing -----------------------------------------------------------------------------------


def test_a_withdrawn_table_is_closed_and_its_invitations_lapse(ann, bob, now):
    game = table(ann, now=now)
    invitation = challenge(game_id=game.pk, by=ann, user=bob, now=now)
    withdraw_table(game_id=game.pk, user=ann, now=now + SECOND)
    game = fresh(game)
    assert (game.status, game.ending, game.ended_at) == ("closed", "withdrawn", now + SECOND)
    invitation.refresh_from_db()
    assert (invitation.state, invitation.answered_at) == ("lapsed", now + SECOND)
    closed = game.events.get(kind=Event.Kind.CLOSED)
    assert (closed.actor, closed.details["ending"]) == (ann, "withdrawn")


def test_only_the_maker_withdraws(ann, cat, now):
    game = table(ann, now=now)
    with refused(errors.NotTheMaker, "Only the player who created this table can", status=403):
        withdraw_table(game_id=game.pk, user=cat, now=now)


def test_a_running_game_is_not_withdrawn(game, ann, now):
    with refused(errors.TableNotOpen, "This table is no longer waiting for players", status=409):
        withdraw_table(game_id=game.pk, user=ann, now=now)


def test_a_table_is_withdrawn_once(ann, now):
    game = table(ann, now=now)
    withdraw_table(game_id=game.pk, user=ann, now=now)
    with refused(errors.TableNotOpen, "This table is no longer waiting for players", status=409):
        withdraw_table(game_id=game.pk, user=ann, now=now)


# Expiring --------------------------------------------------------------------------------------


def test_one_second_before_fourteen_days_a_table_is_open(ann, bob, now):
    game = table(ann, now=now)
    with unchanged():
        assert expire_due(now=now + 14 * DAY - SECOND) == 0
    join_table(game_id=game.pk, user=bob, now=now + 14 * DAY - SECOND)
    assert fresh(game).status == "active"


def test_at_fourteen_days_a_table_is_closed_and_its_maker_named(ann, now):
    game = table(ann, now=now)
    assert expire_due(now=now + 14 * DAY) == 1
    game = fresh(game)
    assert (game.status, game.ending, game.expires_at) == ("closed", "expired", None)
    closed = game.events.get(kind=Event.Kind.CLOSED)
    assert (closed.actor, closed.at) == (None, now + 14 * DAY)
    with unchanged():
        assert expire_due(now=now + 14 * DAY) == 0


def test_at_fourteen_days_nobody_sits_down_even_before_the_sweep(ann, bob, now):
    game = table(ann, now=now)
    with refused(errors.TableNotOpen, "This table is no longer waiting for players", status=409):
        join_table(game_id=game.pk, user=bob, now=now + 14 * DAY)


def test_a_running_game_does_not_expire(game, now):
    with unchanged():
        assert expire_due(now=now + 15 * DAY) == 0


def test_a_broken_table_does_not_keep_the_others_from_expiring(ann, now, monkeypatch):
    broken, sound = table(ann, now=now), table(ann, now=now)
    finish_game = tables.finish_game

    def refuse(game, *args, **kwargs):
        if game.pk == broken.pk:
            raise RuntimeError("broken")
        finish_game(game, *args, **kwargs)

    monkeypatch.setattr(tables, "finish_game", refuse)
    assert expire_due(now=now + 14 * DAY) == 1
    assert (fresh(broken).status, fresh(sound).status) == ("open", "closed")


# What the database itself holds ----------------------------------------------------------------


@pytest.mark.parametrize(
    "wrong",
    [
        {"status": "active"},
        {"status": "active", "expires_at": None},
        {"deadline": "2026-03-12T12:00Z"},
        {"reminder_at": "2026-03-12T12:00Z"},
        {"seat_to_move": 0},
        {"expires_at": None},
        {"status": "finished", "expires_at": None, "ending": "line"},
        {"status": "closed", "expires_at": None, "ended_at": "2026-03-12T12:00Z"},
        {"ending": "line"},
    ],
)
def test_the_database_refuses_a_game_that_contradicts_itself(ann, now, wrong):
    game = table(ann, now=now)
    with unchanged(), pytest.raises(IntegrityError), transaction.atomic():
        Game.objects.filter(pk=game.pk).update(**wrong)


def test_the_database_refuses_two_seats_for_one_player(ann, now):
    game = table(ann, now=now)
    with unchanged(), pytest.raises(IntegrityError), transaction.atomic():
        Seat.objects.filter(game=game, number=1).update(user=ann)


def test_who_is_asked_to_a_public_table_sits_down_on_the_seat_that_was_kept(ann, bob, now):
    game = table(ann, now=now)
    invitation = challenge(game_id=game.pk, by=ann, user=bob, now=now)
    assert join_table(game_id=game.pk, user=bob, now=now).status == "active"
    invitation.refresh_from_db()
    assert (invitation.state, invitation.answered_at) == ("accepted", now)


def test_who_is_asked_to_a_private_table_may_simply_sit_down(ann, bob, cat, now):
    game = table(ann, now=now, is_public=False)
    challenge(game_id=game.pk, by=ann, user=bob, now=now)
    with refused(errors.PrivateTable, "you need an invitation", status=403):
        join_table(game_id=game.pk, user=cat, now=now)
    assert join_table(game_id=game.pk, user=bob, now=now).status == "active"
