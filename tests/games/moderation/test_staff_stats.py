"""What moderators should look at: counted so that a busy day is no alarm and a strange one is."""

from datetime import timedelta

import pytest

from games.models import Game, Outage, Report, Seat
from games.moderation.game_actions import pause_game
from games.moderation.site import begin_maintenance
from games.moderation.staff_stats import staff_stats
from tests.games.play import DAY, SECOND, begin, table
from tests.staff_users import staffed

pytestmark = pytest.mark.django_db


def lost_on_time(ann, bob, at, count):
    """Let bob lose so many games on time at this moment, as rows."""
    for _ in range(count):
        game = table(ann, now=at)
        Seat.objects.filter(game=game, number=0).update(place=1)
        Seat.objects.filter(game=game, number=1).update(place=2, user=bob)
        Game.objects.filter(pk=game.pk).update(
            status="finished", ending="timeout", started_at=at, ended_at=at, expires_at=None
        )


def test_a_quiet_site_has_nothing_to_report(ann, bob, now):
    begin(ann, bob, now=now)
    found = staff_stats(now)
    assert (found.open_reports, found.oldest_report, found.held_games) == (0, None, 0)
    assert (found.long_stopped_games, found.late_games, found.outages) == (0, 0, ())
    assert (found.timeouts, found.usual_timeouts, found.out_of_time) == (0, 0, ())
    assert not found.is_unusual


def test_open_reports_are_counted_with_the_oldest(ann, bob, now):
    game = begin(ann, bob, now=now)
    for days, state, reporter in ((9, "upheld", ann), (3, "taken", bob), (1, "open", ann)):
        made = now - days * DAY
        Report.objects.create(
            game=game, reporter=reporter, reason="spam", text="x", made_at=made, state=state
        )
    found = staff_stats(now)
    assert (found.open_reports, found.oldest_report) == (2, now - 3 * DAY)


def test_games_held_stopped_long_and_forgotten_by_the_clock(ann, bob, now):
    held, late = begin(ann, bob, now=now), begin(ann, bob, now=now)
    pause_game(game_id=held.pk, by=staffed("moderator"), why="x", now=now)
    assert (staff_stats(now).held_games, staff_stats(now).long_stopped_games) == (1, 0)
    assert staff_stats(now + 14 * DAY).long_stopped_games == 0
    assert staff_stats(now + 14 * DAY + SECOND).long_stopped_games == 1
    assert staff_stats(late.deadline + DAY).late_games == 0
    assert staff_stats(late.deadline + DAY + SECOND).late_games == 1
    begin_maintenance(note="", by=staffed("host"), why="x", now=now)
    assert staff_stats(late.deadline + 9 * DAY).late_games == 0


@pytest.mark.parametrize(("count", "unusual"), [(9, False), (10, True)])
def test_fewer_than_ten_time_outs_a_day_are_nothing(ann, bob, now, count, unusual):
    lost_on_time(ann, bob, now - SECOND, count)
    assert staff_stats(now).is_unusual == unusual


@pytest.mark.parametrize(("count", "unusual"), [(12, False), (13, True)])
def test_more_than_three_times_the_mean_of_thirty_days_is_unusual(
    ann, bob, now, count, unusual, settings
):
    """120 in the thirty days before the last: four a day."""
    settings.TABLES_A_DAY = 200
    lost_on_time(ann, bob, now - 2 * DAY, 119)
    lost_on_time(ann, bob, now - 31 * DAY + SECOND, 1)
    lost_on_time(ann, bob, now - 31 * DAY, 50)
    lost_on_time(ann, bob, now, count)
    assert staff_stats(now).usual_timeouts == 4
    assert staff_stats(now).is_unusual == unusual


def test_somebody_who_runs_out_of_time_often_is_named(ann, bob, cat, now):
    lost_on_time(ann, bob, now - DAY + SECOND, 4)
    lost_on_time(ann, bob, now - DAY, 1)
    lost_on_time(bob, cat, now, 5)
    assert staff_stats(now).out_of_time == (("cat", 5),)
    lost_on_time(ann, bob, now, 2)
    assert staff_stats(now).out_of_time == (("bob", 6), ("cat", 5))


def test_who_left_a_game_of_several_out_of_time_counts_too(ann, bob, now):
    for at in (now - timedelta(hours=1),) * 5 + (now - DAY,):
        game = begin(ann, bob, now=now - 3 * DAY)
        Seat.objects.filter(game=game, number=0).update(left_at=at, left_because="timeout")
    assert staff_stats(now).out_of_time == (("ann", 5),)
    assert staff_stats(now).timeouts == 5


def test_outages_of_the_last_day_and_those_that_last(now):
    for kind, began, ended in (
        ("gap", 5 * DAY, 4 * DAY),
        ("gap", 2 * DAY, DAY - SECOND),
        ("maintenance", 30 * DAY, None),
    ):
        Outage.objects.create(
            kind=kind,
            began_at=now - began,
            ended_at=None if ended is None else now - ended,
            noted_at=now - began,
        )
    kinds = [(one.kind, one.ended_at is None) for one in staff_stats(now).outages]
    assert kinds == [("maintenance", True), ("gap", False)]
