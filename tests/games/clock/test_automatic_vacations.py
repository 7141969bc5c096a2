"""A vacation that begins by itself, unless its player switched that off."""

import pytest
from allauth.usersessions.models import UserSession

from accounts.models import User, Vacation
from games import errors
from games.clock.time_control import per_turn
from games.models import Event, Terms
from games.services.clock.availability import set_automatic_vacation
from games.services.clock.game_clock import vacation_used
from games.services.clock.recalculation import recount_due
from games.services.deadlines import time_out_due
from tests.factories import ModeratorFactory
from tests.games.play import DAY, SECOND, begin, fresh, play, refused
from tests.games.vacations import go_away
from tests.suspensions import KEPT_OUT

pytestmark = pytest.mark.django_db


@pytest.fixture
def cautious(ann, now):
    """Ann, who prefers a vacation to losing on time."""
    set_automatic_vacation(user=ann, automatic=True, now=now)
    return ann


def test_at_the_deadline_a_vacation_of_a_week_begins(game, cautious, now):
    deadline = now + 2 * DAY
    assert time_out_due(now=deadline + SECOND) == 0
    vacation = Vacation.objects.get()
    assert (vacation.begins_at, vacation.ends_at) == (deadline, deadline + 7 * DAY)
    assert vacation.is_automatic
    assert fresh(game).deadline == deadline + 8 * DAY  # a day for who is back
    event = game.events.get(kind=Event.Kind.VACATION_BEGUN)
    assert event.details == {"vacation": vacation.pk, "until": vacation.ends_at.isoformat()}


def test_who_switched_it_off_gets_none(game, ann, now):
    assert time_out_due(now=now + 2 * DAY + SECOND) == 1
    assert not Vacation.objects.exists()


def test_a_new_account_has_it_switched_on(bob, now):
    """Whoever falls ill in their first game loses nothing yet."""
    new = User.objects.create_user(username="newcomer", email="new@example.org")
    begin(new, bob, now=now)
    assert time_out_due(now=now + 2 * DAY + SECOND) == 0
    assert Vacation.objects.get().user == new


def test_a_bot_takes_no_vacation(partner, bob, now):
    User.objects.filter(pk=partner.pk).update(automatic_vacation=True)
    begin(partner, bob, now=now)
    assert time_out_due(now=now + 2 * DAY + SECOND) == 1
    assert not Vacation.objects.exists()


@pytest.mark.parametrize("keep_out", KEPT_OUT)
def test_the_clock_of_a_suspended_player_runs_on(game, cautious, now, keep_out):
    """Their opponents do not wait for a sanction."""
    ModeratorFactory(username="host")
    keep_out(cautious, now)
    assert time_out_due(now=now + 2 * DAY) == 0
    assert time_out_due(now=now + 2 * DAY + SECOND) == 1
    assert not Vacation.objects.exists()


def test_a_late_turn_finds_the_vacation_begun(game, cautious, now):
    play(game, cautious, "5", now=now + 2 * DAY + SECOND)
    assert fresh(game).turn_number == 1
    assert Vacation.objects.get().is_automatic


def test_a_table_that_forbids_vacations_has_none_of_these_either(cautious, bob, now):
    begin(cautious, bob, now=now, terms=Terms(per_turn(2 * DAY), allows_vacations=False))
    assert time_out_due(now=now + 2 * DAY + SECOND) == 1
    assert not Vacation.objects.exists()


def test_the_other_games_stand_too_after_the_next_round(game, cautious, bob, now):
    other = begin(cautious, bob, now=now, days=3)
    time_out_due(now=now + 2 * DAY + SECOND)
    assert recount_due(now=now + 2 * DAY + SECOND) == 1
    assert fresh(other).deadline == now + 10 * DAY


def by_a_turn(game, player, now):
    other = begin(player, game.seats.exclude(user=player).get().user, now=now, days=30)
    play(other, player, "5", now=now)


def by_a_visit(game, player, now):
    UserSession.objects.create(user=player, ip="127.0.0.1", session_key="s", last_seen_at=now)


def by_signing_in(game, player, now):
    User.objects.filter(pk=player.pk).update(last_login=now)


@pytest.mark.parametrize("come_by", [by_a_turn, by_a_visit, by_signing_in])
def test_it_follows_another_if_its_player_came_by_while_the_budget_lasts(
    game, cautious, now, settings, come_by
):
    settings.VACATION_DAYS_A_YEAR = 9
    assert time_out_due(now=now + 2 * DAY + SECOND) == 0
    come_by(game, cautious, now + 3 * DAY)
    assert time_out_due(now=now + 10 * DAY + SECOND) == 0
    assert fresh(game).deadline == now + 12 * DAY
    assert vacation_used(cautious) == {2026: 8 * DAY}  # with the day between, one absence of 9
    assert time_out_due(now=now + 12 * DAY + SECOND) == 1


def test_nobody_waits_for_a_second_one_of_somebody_who_is_gone(game, cautious, now):
    by_a_visit(game, cautious, now + 2 * DAY)
    assert time_out_due(now=now + 2 * DAY + SECOND) == 0
    UserSession.objects.update(last_seen_at=now + 2 * DAY - SECOND)
    assert time_out_due(now=now + 10 * DAY + SECOND) == 1
    assert Vacation.objects.count() == 1


@pytest.mark.parametrize(("budget", "ended"), [(0, 1), (1, 0)])
def test_it_needs_a_day_of_the_budget(game, cautious, now, settings, budget, ended):
    settings.VACATION_DAYS_A_YEAR = budget
    assert time_out_due(now=now + 2 * DAY + SECOND) == ended


def test_it_ends_where_an_announced_one_begins(game, cautious, now):
    go_away(cautious, now + 4 * DAY, days=3, now=now)
    time_out_due(now=now + 2 * DAY + SECOND)
    first = Vacation.objects.order_by("begins_at").first()
    assert (first.begins_at, first.ends_at) == (now + 2 * DAY, now + 4 * DAY)
    assert fresh(game).deadline == now + 8 * DAY


def test_asking_for_it_comes_too_late_once_time_has_run_out(game, ann, now):
    late = now + 2 * DAY + SECOND
    with refused(errors.DeadlinePassed, "has run out", status=409):
        set_automatic_vacation(user=ann, automatic=True, now=late)
    set_automatic_vacation(user=ann, automatic=False, now=late)
    assert time_out_due(now=late) == 1
