"""Open tables: made, joined, left, withdrawn, expired."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from games.models import Event, Game, Seat
from games.services import tables
from games.services.errors import (
    AlreadySeated,
    BadAllowance,
    BadOption,
    BadSeat,
    MakerStays,
    NoSuchGame,
    NotAPlayer,
    NotTheMaker,
    PrivateTable,
    TableFull,
    TableNotOpen,
    UnknownRules,
)
from games.services.invitations import challenge
from games.services.tables import expire_due, join_table, leave_table, withdraw_table
from tests.games.play import DAY, SECOND, begin, fresh, kinds, refused, table, unchanged

pytestmark = pytest.mark.django_db


def people_at(game):
    return [seat.user and seat.user.username for seat in game.seats.order_by("number")]


# Making ----------------------------------------------------------------------------------------


def test_a_new_table_waits_fourteen_days_with_its_maker_on_the_seat_they_chose(ann, now):
    game = fresh(table(ann, now=now, seat=1))
    assert (game.status, game.maker, game.is_public) == ("open", ann, True)
    assert game.expires_at == now + 14 * DAY
    assert game.allowance == 2 * DAY
    assert people_at(game) == [None, "ann"]
    assert kinds(game) == ["opened"]
    assert game.events.get().actor == ann


def test_an_open_table_has_no_clock(ann, now):
    game = fresh(table(ann, now=now))
    assert (game.deadline, game.reminder_at, game.seat_to_move) == (None, None, None)


def test_a_table_for_a_game_that_nobody_knows_is_refused(ann, now):
    with refused(UnknownRules, "does not know that game", status=422):
        table(ann, now=now, slug="chess")


@pytest.mark.parametrize("options", [{"size": 5}, {"": ""}, {"size\0": "\ud800"}])
def test_an_option_that_the_game_does_not_have_is_refused(ann, now, options):
    with refused(BadOption, "This game has no option", status=422):
        table(ann, now=now, options=options)


@pytest.mark.parametrize("seat", [-1, 2, 10**30])
def test_a_seat_that_the_game_does_not_have_is_refused(ann, now, seat):
    with refused(BadSeat, "no such seat", status=422):
        table(ann, now=now, seat=seat)


@pytest.mark.parametrize(
    "allowance",
    [timedelta(0), -DAY, timedelta(seconds=59), timedelta(days=366, seconds=1), timedelta.max],
)
def test_a_time_for_a_turn_that_nobody_could_play_in_is_refused(ann, now, allowance):
    with refused(BadAllowance, "between a minute and a year", status=422):
        table(ann, now=now, allowance=allowance)


@pytest.mark.parametrize("allowance", [timedelta(minutes=1), timedelta(hours=7), 366 * DAY])
def test_any_other_time_for_a_turn_is_taken(ann, now, allowance):
    assert fresh(table(ann, now=now, allowance=allowance)).allowance == allowance


# Sitting down ----------------------------------------------------------------------------------


def test_the_game_begins_when_the_last_seat_is_taken(ann, bob, now):
    game = table(ann, now=now)
    later = now + DAY
    join_table(game_id=game.pk, user=bob, now=later)
    game = fresh(game)
    assert game.status == "active"
    assert (game.started_at, game.deadline) == (later, later + 2 * DAY)
    assert (game.seat_to_move, game.turn_number, game.expires_at) == (0, 0, None)
    assert people_at(game) == ["ann", "bob"]
    assert kinds(game) == ["opened", "joined", "started"]


def test_a_maker_who_chose_the_second_seat_lets_the_other_begin(ann, bob, now):
    game = begin(ann, bob, now=now, seat=1)
    assert people_at(game) == ["bob", "ann"]
    assert fresh(game).seat_to_move == 0


@pytest.mark.parametrize(("swap", "expected"), [(True, ["bob", "ann"]), (False, ["ann", "bob"])])
def test_chance_decides_who_sits_where_when_the_maker_left_it_open(
    ann, bob, now, monkeypatch, swap, expected
):
    class Chance:
        def shuffle(self, people):
            if swap:
                people.reverse()

    monkeypatch.setattr(tables, "chance", Chance())
    assert people_at(begin(ann, bob, now=now, seat=None)) == expected


def test_chance_lets_both_begin_over_many_games(ann, bob, now):
    first = {people_at(begin(ann, bob, now=now, seat=None))[0] for _ in range(40)}
    assert first == {"ann", "bob"}  # by pure bad luck once in 5e11


def test_nobody_sits_down_twice(ann, now):
    game = table(ann, now=now)
    with refused(AlreadySeated, "ann already sits at this table.", status=409):
        join_table(game_id=game.pk, user=ann, now=now)


def test_nobody_sits_down_at_a_running_game(game, cat, now):
    with refused(TableNotOpen, "not waiting for players any more", status=409):
        join_table(game_id=game.pk, user=cat, now=now)


def test_nobody_sits_down_at_a_table_that_does_not_exist(ann, now):
    with refused(NoSuchGame, "There is no such game.", status=404):
        join_table(game_id=987654, user=ann, now=now)


def test_a_private_table_is_for_who_is_invited(ann, cat, now):
    game = table(ann, now=now, is_public=False)
    with refused(PrivateTable, "needs an invitation", status=403):
        join_table(game_id=game.pk, user=cat, now=now)


def test_a_seat_that_is_kept_for_somebody_is_not_free(ann, bob, cat, now):
    game = table(ann, now=now)
    challenge(game_id=game.pk, by=ann, user=bob, now=now)
    with refused(TableFull, "taken or kept for somebody", status=409):
        join_table(game_id=game.pk, user=cat, now=now)


@pytest.mark.usefixtures("three_seats")
def test_a_seat_that_is_kept_leaves_the_others_free(ann, bob, cat, dan, now):
    game = table(ann, now=now)
    challenge(game_id=game.pk, by=ann, user=bob, now=now, seat_number=1)
    join_table(game_id=game.pk, user=cat, now=now)
    assert people_at(game) == ["ann", None, "cat"]
    with refused(TableFull, "taken or kept", status=409):
        join_table(game_id=game.pk, user=dan, now=now)


# Leaving ---------------------------------------------------------------------------------------


@pytest.mark.usefixtures("three_seats")
def test_who_leaves_frees_the_seat(ann, bob, now):
    game = table(ann, now=now)
    join_table(game_id=game.pk, user=bob, now=now)
    leave_table(game_id=game.pk, user=bob, now=now)
    assert people_at(game) == ["ann", None, None]
    assert kinds(game) == ["opened", "joined", "left"]


def test_the_maker_does_not_leave(ann, now):
    game = table(ann, now=now)
    with refused(MakerStays, "withdraw it instead of leaving", status=409):
        leave_table(game_id=game.pk, user=ann, now=now)


def test_a_stranger_cannot_leave(ann, cat, now):
    game = table(ann, now=now)
    with refused(NotAPlayer, "You do not play in this game.", status=403):
        leave_table(game_id=game.pk, user=cat, now=now)


def test_nobody_leaves_a_running_game(game, bob, now):
    with refused(TableNotOpen, "not waiting", status=409):
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
    with refused(NotTheMaker, "Only the player who made this table", status=403):
        withdraw_table(game_id=game.pk, user=cat, now=now)


def test_a_running_game_is_not_withdrawn(game, ann, now):
    with refused(TableNotOpen, "not waiting", status=409):
        withdraw_table(game_id=game.pk, user=ann, now=now)


def test_a_table_is_withdrawn_once(ann, now):
    game = table(ann, now=now)
    withdraw_table(game_id=game.pk, user=ann, now=now)
    with refused(TableNotOpen, "not waiting", status=409):
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
    with refused(TableNotOpen, "not waiting", status=409):
        join_table(game_id=game.pk, user=bob, now=now + 14 * DAY)


def test_a_running_game_does_not_expire(game, now):
    with unchanged():
        assert expire_due(now=now + 15 * DAY) == 0


def test_a_broken_table_does_not_keep_the_others_from_expiring(ann, now, monkeypatch):
    broken, sound = table(ann, now=now), table(ann, now=now)
    close = tables.close_table

    def refuse(game, *args, **kwargs):
        if game.pk == broken.pk:
            raise RuntimeError("broken")
        close(game, *args, **kwargs)

    monkeypatch.setattr(tables, "close_table", refuse)
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
    with refused(PrivateTable, "one needs an invitation", status=403):
        join_table(game_id=game.pk, user=cat, now=now)
    assert join_table(game_id=game.pk, user=bob, now=now).status == "active"
