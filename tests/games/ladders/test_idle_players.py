"""Players who do nothing sink slowly, and come back to a fair place: in simulated time."""

from datetime import timedelta

import pytest

from games.competition.ladders import IDLE_TIME, MOST_SUNK, SINK_TIME, place_of_return
from games.models import LadderPlace
from games.services.ladders.places import join_ladder, leave_ladder
from games.services.ladders.upkeep import run_ladders
from tests.games.ladders.climbing import DAY, SLUG, begin, climbers, order, own_place
from tests.games.vacations import go_away

pytestmark = pytest.mark.django_db

WEEK = timedelta(days=7)


@pytest.fixture
def five(now):
    """Five players of a ladder, the first on top."""
    return climbers(5, now)


def active(*people, now):
    """Let these players have done something now."""
    places = LadderPlace.objects.filter(user__in=people)
    places.update(idle_from=now, sinks_at=now + IDLE_TIME, sunk=0)


def live(start, days, *, who, hours=24):
    """Run the chore so often from `start` on while `who` plays all the time; return the end."""
    now = start
    while now < start + days * DAY:
        now += timedelta(hours=hours)
        active(*who, now=now)
        run_ladders(now=now)
    return now


def test_an_idle_player_sinks_a_place_after_four_weeks_and_then_each_week(five, now):
    one, _two, *others = five
    busy = [one, *others]
    now = live(now, 27, who=busy)
    assert order() == ["1", "2", "3", "4", "5"]
    now = live(now, 1, who=busy)
    assert order() == ["1", "3", "2", "4", "5"]
    now = live(now, 6, who=busy)
    assert order() == ["1", "3", "2", "4", "5"]
    now = live(now, 1, who=busy)
    assert order() == ["1", "3", "4", "2", "5"]
    live(now, 14, who=busy)
    assert order() == ["1", "3", "4", "5", "2"]


def test_idle_players_let_one_active_player_past_each_week(five, now):
    one, _two, _three, *others = five
    now = live(now, 28, who=[one, *others])
    assert order() == ["1", "4", "3", "2", "5"]
    now = live(now, 7, who=[one, *others])
    assert order()[:3] == ["1", "4", "5"]
    live(now, 21, who=[one, *others])
    assert order()[:3] == ["1", "4", "5"]


def test_the_first_of_a_ladder_who_can_challenge_nobody_does_not_sink(five, now):
    live(now, 90, who=five[1:])
    assert order() == ["1", "2", "3", "4", "5"]


def test_nobody_sinks_while_a_game_of_the_ladder_is_played(five, now):
    begin(five[2], five[1], now=now)
    live(now, 60, who=[five[0], *five[3:]])
    assert order() == ["1", "2", "3", "4", "5"]


def test_a_vacation_is_no_idleness(five, now):
    go_away(five[1], now + 10 * DAY, days=20, now=now)
    now = live(now, 47, who=[five[0], *five[2:]])
    assert order() == ["1", "2", "3", "4", "5"]
    live(now, 1, who=[five[0], *five[2:]])
    assert order() == ["1", "3", "2", "4", "5"]


def test_a_chore_that_did_not_run_for_long_lets_a_player_sink_once(five, now):
    later = now + 100 * DAY
    active(five[0], *five[2:], now=later)
    run_ladders(now=later)
    run_ladders(now=later)
    assert order() == ["1", "3", "2", "4", "5"]


def test_who_plays_again_starts_anew(five, now):
    busy = [five[0], *five[2:]]
    now = live(now, 28, who=busy)
    assert own_place(five[1]).sunk == 1
    begin(five[1], five[0], now=now)
    own = own_place(five[1])
    assert (own.sunk, own.sinks_at) == (0, now + IDLE_TIME)


def test_who_is_idle_for_half_a_year_leaves_and_comes_back_below(five, now):
    end = live(now, 28 + 7 * (MOST_SUNK - 2), who=[five[0], *five[2:]])
    assert order() == ["1", "3", "4", "5", "2"]
    end = live(end, 7, who=[five[0], *five[2:]])
    assert order() == ["1", "3", "4", "5"]
    own = own_place(five[1])
    assert (own.left_because, own.left_place) == ("idle", 5)
    join_ladder(rules_slug=SLUG, user=five[1], now=end + DAY)
    assert order() == ["1", "3", "4", "5", "2"]


@pytest.mark.parametrize(
    ("days", "place"), [(0, 2), (27, 2), (28, 3), (34, 3), (35, 4), (42, 5), (400, 5)]
)
def test_who_comes_back_stands_as_low_as_an_idle_player_would(five, now, days, place):
    leave_ladder(rules_slug=SLUG, user=five[1], now=now)
    assert order() == ["1", "3", "4", "5"]
    own = join_ladder(rules_slug=SLUG, user=five[1], now=now + days * DAY)
    assert own.place == place
    assert order()[place - 1] == "2"


def test_who_comes_back_has_still_used_the_free_decline(five, now):
    LadderPlace.objects.filter(user=five[1]).update(has_declined=True)
    leave_ladder(rules_slug=SLUG, user=five[1], now=now)
    assert join_ladder(rules_slug=SLUG, user=five[1], now=now + DAY).has_declined


def test_the_place_of_return_is_within_the_ladder():
    for weeks in range(60):
        assert 1 <= place_of_return(7, weeks * SINK_TIME, 9) <= 10
    assert place_of_return(7, WEEK, 3) == 4
