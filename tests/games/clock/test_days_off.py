"""Days off and quiet hours that players choose: what is refused, and from when they count."""

from datetime import UTC, datetime, time

import pytest

from games import errors
from games.clock.time_control import per_turn
from games.models import Terms
from games.services.clock.availability import set_schedule
from games.services.deadlines import time_out_due
from tests.games.play import DAY, SECOND, begin, fresh, play, refused

pytestmark = pytest.mark.django_db

FRIDAY = datetime(2026, 3, 13, 12, tzinfo=UTC)


def choose(user, now, *, days_off=(), quiet_from=None, quiet_until=None):
    set_schedule(
        user=user, days_off=days_off, quiet_from=quiet_from, quiet_until=quiet_until, now=now
    )


def test_three_days_off_are_kept_and_four_refused(ann, now):
    choose(ann, now, days_off=[6, 4, 5, 6])
    ann.refresh_from_db()
    assert ann.days_off == [4, 5, 6]
    with refused(errors.TooManyDaysOff, "at most 3 days", status=422):
        choose(ann, now, days_off=[3, 4, 5, 6])


@pytest.mark.parametrize("day", [-1, 7, 10**9])
def test_a_day_that_no_week_has_is_refused(ann, now, day):
    with refused(errors.NoSuchDay, "from Monday to Sunday", status=422):
        choose(ann, now, days_off=[day])


@pytest.mark.parametrize("half", ["quiet_from", "quiet_until"])
def test_half_of_the_quiet_hours_is_refused(ann, now, half):
    with refused(errors.QuietHoursHalf, "Fill in both the start and the end of your", status=422):
        choose(ann, now, **{half: time(22)})


@pytest.mark.parametrize(
    ("start", "end"), [(time(20), time(8, 1)), (time(8), time(8)), (time(7, 59), time(20))]
)
def test_more_than_half_of_a_day_in_quiet_is_refused(ann, now, start, end):
    with refused(errors.QuietHoursTooLong, "at most 12 hours", status=422):
        choose(ann, now, quiet_from=start, quiet_until=end)


@pytest.mark.parametrize(("start", "end"), [(time(20), time(8)), (time(8), time(20))])
def test_twelve_hours_are_allowed_over_midnight_too(ann, now, start, end):
    choose(ann, now, quiet_from=start, quiet_until=end)
    ann.refresh_from_db()
    assert (ann.quiet_from, ann.quiet_until) == (start, end)


def test_what_is_chosen_counts_from_the_next_turn_on(ann, bob):
    game = begin(ann, bob, now=FRIDAY)
    choose(bob, FRIDAY, days_off=[5, 6])
    choose(ann, FRIDAY, days_off=[5, 6])
    assert fresh(game).deadline == FRIDAY + 2 * DAY
    play(game, ann, "5", now=FRIDAY)
    assert fresh(game).deadline == FRIDAY + 4 * DAY
    assert time_out_due(now=FRIDAY + 4 * DAY) == 0
    assert time_out_due(now=FRIDAY + 4 * DAY + SECOND) == 1


def test_a_table_can_forbid_days_off(ann, bob):
    choose(ann, FRIDAY, days_off=[5, 6])
    game = begin(ann, bob, now=FRIDAY, terms=Terms(per_turn(2 * DAY), allows_days_off=False))
    assert fresh(game).deadline == FRIDAY + 2 * DAY
