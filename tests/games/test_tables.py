"""Open tables: made and joined."""

from datetime import timedelta

import pytest

from games import errors
from games.clock.time_control import per_turn
from games.models import Terms
from games.services import tables
from games.services.invitations import challenge
from games.services.tables import join_table
from tests.games.multiplayer import names
from tests.games.play import DAY, begin, fresh, kinds, refused, table

pytestmark = pytest.mark.django_db


# Making ----------------------------------------------------------------------------------------


def test_a_new_table_waits_fourteen_days_with_its_maker_on_the_seat_they_chose(ann, now):
    game = fresh(table(ann, now=now, seat=1))
    assert (game.status, game.creator, game.is_public) == ("open", ann, True)
    assert game.expires_at == now + 14 * DAY
    assert game.allowance == 2 * DAY
    assert names(game) == [None, "ann"]
    assert kinds(game) == ["opened"]
    assert game.events.get().actor == ann


def test_an_open_table_has_no_clock(ann, now):
    game = fresh(table(ann, now=now))
    assert (game.deadline, game.reminder_at, game.seat_to_move) == (None, None, None)


def test_a_table_for_a_game_that_nobody_knows_is_refused(ann, now):
    with refused(errors.UnknownRules, "This game is not installed here", status=422):
        table(ann, now=now, slug="chess")


@pytest.mark.parametrize("options", [{"size": 5}, {"": ""}, {"size\0": "\ud800"}])
def test_an_option_that_the_game_does_not_have_is_refused(ann, now, options):
    with refused(errors.BadOption, "This game has no option", status=422):
        table(ann, now=now, options=options)


@pytest.mark.parametrize("seat", [-1, 2, 10**30])
def test_a_seat_that_the_game_does_not_have_is_refused(ann, now, seat):
    with refused(errors.BadSeat, "no such seat", status=422):
        table(ann, now=now, seat=seat)


@pytest.mark.parametrize(
    "allowance",
    [timedelta(0), -DAY, timedelta(seconds=59), timedelta(days=366, seconds=1), timedelta.max],
)
def test_a_time_for_a_turn_that_nobody_could_play_in_is_refused(ann, now, allowance):
    with refused(errors.BadPace, "between a minute and a year", status=422):
        table(ann, now=now, terms=Terms(per_turn(allowance)))


@pytest.mark.parametrize("allowance", [timedelta(minutes=1), timedelta(hours=7), 366 * DAY])
def test_any_other_time_for_a_turn_is_taken(ann, now, allowance):
    assert fresh(table(ann, now=now, terms=Terms(per_turn(allowance)))).allowance == allowance


# Sitting down ----------------------------------------------------------------------------------


def test_the_game_begins_when_the_last_seat_is_taken(ann, bob, now):
    game = table(ann, now=now)
    later = now + DAY
    join_table(game_id=game.pk, user=bob, now=later)
    game = fresh(game)
    assert game.status == "active"
    assert (game.started_at, game.deadline) == (later, later + 2 * DAY)
    assert (game.seat_to_move, game.turn_number, game.expires_at) == (0, 0, None)
    assert names(game) == ["ann", "bob"]
    assert kinds(game) == ["opened", "joined", "started"]


def test_a_maker_who_chose_the_second_seat_lets_the_other_begin(ann, bob, now):
    game = begin(ann, bob, now=now, seat=1)
    assert names(game) == ["bob", "ann"]
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
    assert names(begin(ann, bob, now=now, seat=None)) == expected


def test_chance_lets_both_begin_over_many_games(ann, bob, now):
    first = {names(begin(ann, bob, now=now, seat=None))[0] for _ in range(40)}
    assert first == {"ann", "bob"}  # by pure bad luck once in 5e11


def test_nobody_sits_down_twice(ann, now):
    game = table(ann, now=now)
    with refused(errors.SeatedAlready, "You are already at this table", status=409):
        join_table(game_id=game.pk, user=ann, now=now)


def test_nobody_sits_down_at_a_running_game(game, cat, now):
    with refused(errors.TableNotOpen, "This table is no longer waiting for players", status=409):
        join_table(game_id=game.pk, user=cat, now=now)


def test_nobody_sits_down_at_a_table_that_does_not_exist(ann, now):
    with refused(errors.NoSuchGame, "There is no such game.", status=404):
        join_table(game_id=987654, user=ann, now=now)


def test_a_private_table_is_for_who_is_invited(ann, cat, now):
    game = table(ann, now=now, is_public=False)
    with refused(errors.PrivateTable, "you need an invitation", status=403):
        join_table(game_id=game.pk, user=cat, now=now)


def test_a_seat_that_is_kept_for_somebody_is_not_free(ann, bob, cat, now):
    game = table(ann, now=now)
    challenge(game_id=game.pk, by=ann, user=bob, now=now)
    with refused(errors.TableFull, "Every seat at this table is taken or reserved", status=409):
        join_table(game_id=game.pk, user=cat, now=now)


@pytest.mark.usefixtures("three_seats")
def test_a_seat_that_is_kept_leaves_the_others_free(ann, bob, cat, dan, now):
    game = table(ann, now=now)
    challenge(game_id=game.pk, by=ann, user=bob, now=now, seat_number=1)
    join_table(game_id=game.pk, user=cat, now=now)
    assert names(game) == ["ann", None, "cat"]
    with refused(errors.TableFull, "Every seat at this table is taken or reserved", status=409):
        join_table(game_id=game.pk, user=dan, now=now)
