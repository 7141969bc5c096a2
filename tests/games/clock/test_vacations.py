"""Vacations: what runs, what stands, what is refused."""

from datetime import UTC, datetime, timedelta

import pytest

from accounts.models import Vacation
from games import errors
from games.clock.time_control import per_turn
from games.models import Terms
from games.services.clock.availability import announce_vacation, cancel_vacation, end_vacation_early
from games.services.clock.game_clock import time_left, vacation_used
from games.services.clock.recalculation import recount_due
from games.services.deadlines import time_out_due
from tests.games.play import DAY, SECOND, begin, fresh, play, refused, table, unchanged
from tests.games.vacations import go_away

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
TINY = timedelta(microseconds=1)


# What runs and what stands -------------------------------------------------------------------


def test_a_vacation_moves_the_deadline_by_as_much_as_it_lasts(game, ann, now):
    go_away(ann, now + DAY, days=3, now=now)
    assert fresh(game).deadline == now + 5 * DAY


def test_at_once_the_time_stands_at_once(game, ann, now):
    go_away(ann, now + DAY, days=3, now=now + DAY)
    assert time_left(fresh(game), now + 3 * DAY) == DAY
    assert time_left(fresh(game), now + 4 * DAY + HOUR) == DAY - HOUR


def test_the_games_are_counted_as_soon_as_the_announcement_is_kept(
    game, ann, now, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        announce_vacation(user=ann, begins_at=now, ends_at=now + DAY, now=now)
    assert fresh(game).deadline == now + 3 * DAY
    ann.refresh_from_db()
    assert ann.clocks_changed_at is None


def test_one_second_after_the_moved_deadline_the_game_is_lost_and_not_before(game, ann, bob, now):
    play(game, ann, "5", now=now)
    go_away(bob, now + DAY, days=1, now=now)
    with unchanged():
        assert time_out_due(now=now + 3 * DAY) == 0
    assert time_out_due(now=now + 3 * DAY + SECOND) == 1


def test_a_vacation_announced_but_not_yet_counted_saves_the_game_all_the_same(game, ann, bob, now):
    play(game, ann, "5", now=now)
    announce_vacation(user=bob, begins_at=now + DAY, ends_at=now + 2 * DAY, now=now)
    assert fresh(game).deadline == now + 2 * DAY
    assert time_out_due(now=now + 2 * DAY + SECOND) == 0
    assert fresh(game).deadline == now + 3 * DAY
    play(game, bob, "1", now=now + 3 * DAY)


def test_a_turn_that_begins_during_a_vacation_has_all_of_its_time_after_it(game, ann, bob, now):
    go_away(bob, now, days=3, now=now)
    play(game, ann, "5", now=now + DAY)
    assert fresh(game).deadline == now + 5 * DAY


def test_who_is_away_may_play(game, ann, now):
    go_away(ann, now, days=3, now=now)
    play(game, ann, "5", now=now + DAY)
    assert fresh(game).turn_number == 1


def test_the_opponents_vacation_does_not_touch_my_time(game, bob, now):
    go_away(bob, now, days=3, now=now)
    assert fresh(game).deadline == now + 2 * DAY


def test_a_table_that_forbids_vacations_knows_none(ann, bob, now):
    strict = begin(ann, bob, now=now, terms=Terms(per_turn(2 * DAY), allows_vacations=False))
    go_away(ann, now, days=3, now=now)
    assert fresh(strict).deadline == now + 2 * DAY
    assert time_out_due(now=now + 2 * DAY + SECOND) == 1


def test_ending_early_moves_the_deadline_back_and_leaves_the_past_alone(game, ann, now):
    vacation = go_away(ann, now, days=5, now=now)
    ended = end_vacation_early(user=ann, vacation_id=vacation.pk, now=now + 2 * DAY)
    recount_due(now=now + 2 * DAY)
    assert (ended.begins_at, ended.ends_at) == (now, now + 2 * DAY)
    assert fresh(game).deadline == now + 4 * DAY


def test_a_vacation_taken_back_leaves_nothing(game, ann, now):
    vacation = go_away(ann, now + DAY, days=5, now=now)
    cancel_vacation(user=ann, vacation_id=vacation.pk, now=now + DAY - TINY)
    recount_due(now=now + DAY - TINY)
    assert fresh(game).deadline == now + 2 * DAY
    assert vacation_used(ann) == {}


# The year's days -----------------------------------------------------------------------------


def test_the_whole_budget_can_be_taken_and_not_a_second_more(ann, now):
    with refused(errors.VacationOverdrawn, "30 of 30 vacation days left in 2026", status=409):
        announce_vacation(user=ann, begins_at=now, ends_at=now + 30 * DAY + SECOND, now=now)
    # From March into summer time the clock on the wall gains an hour: 30 days by the calendar.
    announce_vacation(user=ann, begins_at=now, ends_at=now + 30 * DAY - HOUR, now=now)
    assert vacation_used(ann) == {2026: 30 * DAY}
    with refused(errors.VacationOverdrawn, "0 of 30", status=409):
        announce_vacation(user=ann, begins_at=now + 40 * DAY, ends_at=now + 41 * DAY, now=now)


def test_the_host_decides_how_many_days_there_are(ann, now, settings):
    settings.VACATION_DAYS_A_YEAR = 2
    with refused(errors.VacationOverdrawn, "2 of 2", status=409):
        announce_vacation(user=ann, begins_at=now, ends_at=now + 3 * DAY, now=now)
    announce_vacation(user=ann, begins_at=now, ends_at=now + 2 * DAY, now=now)


def test_a_host_may_give_no_days_at_all(ann, now, settings):
    settings.VACATION_DAYS_A_YEAR = 0
    with refused(errors.NoVacations, "Vacations are not available here.", status=403):
        announce_vacation(user=ann, begins_at=now, ends_at=now + DAY, now=now)


def test_over_new_year_each_year_pays_its_own_days_by_the_players_calendar(cat, now):
    cat.time_zone = "Pacific/Auckland"
    cat.save()
    # In Auckland it is 29 December, 13:00.
    begins_at = datetime(2026, 12, 29, 0, tzinfo=UTC)
    announce_vacation(user=cat, begins_at=begins_at, ends_at=begins_at + 5 * DAY, now=now)
    assert vacation_used(cat) == {2026: 2 * DAY + 11 * HOUR, 2027: 2 * DAY + 13 * HOUR}


def test_a_year_that_is_full_does_not_hinder_the_next(ann, now):
    year_end = datetime(2027, 1, 1, tzinfo=UTC)
    announce_vacation(user=ann, begins_at=year_end - 30 * DAY, ends_at=year_end, now=now)
    later = year_end + 7 * DAY  # sooner, it would be one absence
    announce_vacation(user=ann, begins_at=later, ends_at=later + 30 * DAY, now=now)
    assert vacation_used(ann) == {2026: 30 * DAY, 2027: 30 * DAY}


def test_moving_to_another_zone_gives_no_day_back(ann, now):
    begins_at = datetime(2026, 12, 1, tzinfo=UTC)
    announce_vacation(user=ann, begins_at=begins_at, ends_at=begins_at + 30 * DAY, now=now)
    for zone in ("Pacific/Kiritimati", "Pacific/Pago_Pago", "Europe/London"):
        ann.time_zone = zone
        ann.save()
        assert vacation_used(ann) == {2026: 30 * DAY}


@pytest.mark.parametrize(("lasted", "counted"), [(TINY, DAY), (DAY, DAY), (DAY + HOUR, DAY + HOUR)])
def test_one_that_is_ended_early_counts_as_a_day_at_least(ann, now, lasted, counted):
    vacation = go_away(ann, now, days=5, now=now)
    end_vacation_early(user=ann, vacation_id=vacation.pk, now=now + lasted)
    assert vacation_used(ann) == {2026: counted}


# What is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize("lasts", [DAY - TINY, timedelta(0), -DAY])
def test_less_than_a_day_is_refused(ann, now, lasts):
    with refused(errors.VacationTooShort, "A vacation must be at least one day long", status=422):
        announce_vacation(user=ann, begins_at=now, ends_at=now + lasts, now=now)


def test_a_day_is_enough_also_where_the_clocks_go_forward(ann, now):
    announce_vacation(user=ann, begins_at=now, ends_at=now + DAY, now=now)
    # London, 29 March: from midnight to midnight are 23 hours.
    short = datetime(2026, 3, 29, tzinfo=UTC)
    announce_vacation(user=ann, begins_at=short, ends_at=short + 23 * HOUR, now=now)


def test_the_past_is_refused(ann, now):
    with refused(errors.VacationTooLate, "A vacation cannot start in the past", status=422):
        announce_vacation(user=ann, begins_at=now - TINY, ends_at=now + 3 * DAY, now=now)


def test_a_deadline_that_has_passed_cannot_be_saved(game, ann, now):
    late = now + 2 * DAY + TINY
    with refused(errors.DeadlinePassed, f"Your time in game {game.pk} has run out", status=409):
        announce_vacation(user=ann, begins_at=late, ends_at=late + DAY, now=late)
    at_it = now + 2 * DAY
    go_away(ann, at_it, days=1, now=at_it)
    assert fresh(game).deadline == now + 4 * DAY  # the vacation, and a day after it


@pytest.mark.parametrize(
    ("begins", "lasts"), [(366 * DAY + TINY, DAY), (DAY, 800 * DAY), (100_000 * DAY, DAY)]
)
def test_too_far_ahead_is_refused(ann, now, begins, lasts):
    with refused(errors.VacationTooFar, "within a year", status=422):
        announce_vacation(user=ann, begins_at=now + begins, ends_at=now + begins + lasts, now=now)


@pytest.mark.parametrize(("begins", "lasts"), [(4, 3), (6, 1), (8, 5), (4, 10), (5, 5)])
def test_overlapping_vacations_are_refused(ann, now, begins, lasts):
    go_away(ann, now + 5 * DAY, days=5, now=now)
    with refused(errors.VacationOverlaps, "already", status=409):
        announce_vacation(
            user=ann, begins_at=now + begins * DAY, ends_at=now + (begins + lasts) * DAY, now=now
        )


def test_one_vacation_may_follow_another_without_a_gap(game, ann, now):
    go_away(ann, now + 3 * DAY, days=2, now=now)
    go_away(ann, now + DAY, days=2, now=now)
    assert fresh(game).deadline == now + 6 * DAY


def test_only_ones_own_vacation_can_be_ended_or_taken_back(ann, bob, now):
    begun, coming = go_away(ann, now, days=2, now=now), go_away(ann, now + 5 * DAY, now=now)
    with refused(errors.NoSuchVacation, "no such vacation", status=404):
        end_vacation_early(user=bob, vacation_id=begun.pk, now=now)
    with refused(errors.NoSuchVacation, "no such vacation", status=404):
        cancel_vacation(user=bob, vacation_id=coming.pk, now=now)


def test_what_has_begun_is_ended_and_what_has_not_is_taken_back(ann, now):
    vacation = go_away(ann, now + DAY, days=2, now=now)
    with refused(errors.VacationNotBegun, "This vacation has not started yet", status=409):
        end_vacation_early(user=ann, vacation_id=vacation.pk, now=now + DAY - TINY)
    with refused(errors.VacationBegun, "This vacation has already started", status=409):
        cancel_vacation(user=ann, vacation_id=vacation.pk, now=now + DAY)
    with refused(errors.NoSuchVacation, "no such vacation", status=404):
        end_vacation_early(user=ann, vacation_id=vacation.pk, now=now + 3 * DAY)
    assert Vacation.objects.count() == 1


def test_tables_that_wait_for_players_are_left_alone(ann, now):
    waiting = table(ann, now=now)
    go_away(ann, now, now=now)
    assert fresh(waiting).deadline is None
