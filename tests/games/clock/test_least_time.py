"""Nobody runs out of time in the dark, and days off at most double a turn."""

from datetime import UTC, datetime, time, timedelta

import pytest

from accounts.roles import ADMINISTRATORS
from games import errors
from games.clock.clock import Availability, Clock, longest_turn
from games.clock.spans import Span, instant_after, merge_spans
from games.clock.weekly_schedule import WeeklySchedule
from games.models import Event, Game, Heartbeat, Terms
from games.moderation.game_actions import pause_game, resume_game
from games.moderation.site import begin_maintenance, end_maintenance
from games.services.clock.availability import announce_vacation
from games.services.clock.outages import record_heartbeat
from games.services.clock.stops import end_pause, end_stops
from games.services.deadlines import time_out_due
from games.services.offers import accept_offer, offer_pause
from games.services.reminders import remind_due
from tests.factories import ModeratorFactory, StaffFactory
from tests.games.play import DAY, SECOND, begin, fresh, refused
from tests.games.vacations import go_away, off_on

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)
WHY = "because of a test"


def beat(now):
    """Let the service have been up until now."""
    Heartbeat.objects.update_or_create(pk=1, defaults={"at": now})


# A pause, a moderator --------------------------------------------------------------------------


def paused(game, ann, bob, now, days=3):
    offer_pause(game_id=game.pk, user=ann, days=days, now=now)
    accept_offer(game_id=game.pk, user=bob, now=now)


def test_a_pause_that_the_opponent_ends_at_night_leaves_a_day(game, ann, bob, now):
    an_hour_before = now + 2 * DAY - HOUR
    paused(game, ann, bob, an_hour_before)
    at_two = (an_hour_before + DAY).replace(hour=2)
    end_pause(game_id=game.pk, user=bob, now=at_two)
    assert fresh(game).deadline == at_two + DAY
    assert time_out_due(now=at_two + DAY) == 0
    assert time_out_due(now=at_two + DAY + SECOND) == 1


def test_a_pause_that_is_over_by_itself_leaves_a_day(game, ann, bob, now):
    an_hour_before = now + 2 * DAY - HOUR
    paused(game, ann, bob, an_hour_before)
    assert end_stops(now=an_hour_before + 3 * DAY) == 1
    assert fresh(game).deadline == an_hour_before + 4 * DAY


def test_a_player_who_ends_the_pause_of_their_own_turn_has_what_was_left(game, ann, bob, now):
    an_hour_before = now + 2 * DAY - HOUR
    paused(game, ann, bob, an_hour_before)
    end_pause(game_id=game.pk, user=ann, now=an_hour_before + DAY)
    assert fresh(game).deadline == now + 3 * DAY


def test_a_moderator_who_lets_a_game_go_on_leaves_a_day(game, now):
    mo = ModeratorFactory()
    late = now + 2 * DAY - 6 * MINUTE
    pause_game(game_id=game.pk, by=mo, why=WHY, now=late)
    resume_game(game_id=game.pk, by=mo, why=WHY, now=late + HOUR)
    assert fresh(game).deadline == late + HOUR + DAY


# Maintenance and outages -----------------------------------------------------------------------


def test_after_maintenance_at_night_there_are_twelve_hours_of_the_next_day(ann, bob, now):
    """It ends at 3 in the night; five minutes were left: until 8 she sleeps, then she has 12."""
    at_one = (now + 3 * DAY).replace(hour=1)
    game = begin(ann, bob, now=at_one - 2 * DAY + 5 * MINUTE)
    host = StaffFactory(username="host", role=ADMINISTRATORS)
    begin_maintenance(by=host, why=WHY, note="", now=at_one)
    at_three = at_one + 2 * HOUR
    end_maintenance(by=host, why=WHY, now=at_three)
    beat(at_three + 6 * MINUTE)
    assert time_out_due(now=at_three + 6 * MINUTE) == 0
    assert fresh(game).deadline == at_three.replace(hour=20)


def test_after_an_outage_at_night_there_are_twelve_hours_of_the_next_day(ann, bob, now):
    at_two = (now + 3 * DAY).replace(hour=2)
    game = begin(ann, bob, now=at_two - 2 * DAY + 11 * MINUTE)
    record_heartbeat(now=at_two)
    at_three = at_two + HOUR
    assert time_out_due(now=at_three) == 0
    beat(at_three + 12 * MINUTE)
    assert time_out_due(now=at_three + 12 * MINUTE) == 0
    assert fresh(game).deadline == at_three.replace(hour=20)


def test_quiet_hours_are_the_night_of_a_player_who_has_some(ann, bob, now):
    off_on(ann, quiet_from=time(2), quiet_until=time(14), time_zone="UTC")
    terms = Terms(pace=begin(ann, bob, now=now).terms.pace, allows_days_off=False)
    at_two = (now + 3 * DAY).replace(hour=2)
    game = begin(ann, bob, now=at_two - 2 * DAY + 11 * MINUTE, terms=terms)
    record_heartbeat(now=at_two)
    assert time_out_due(now=at_two + HOUR) == 0
    beat(at_two + HOUR + 12 * MINUTE)
    assert time_out_due(now=at_two + HOUR + 12 * MINUTE) == 0
    # From 14 o'clock ten hours until midnight, and two more until the next night begins at 2.
    assert fresh(game).deadline in (at_two + DAY, (at_two + DAY).replace(hour=14))


def test_an_outage_long_before_the_deadline_gives_its_length_and_no_more(game, now):
    record_heartbeat(now=now + HOUR)
    assert time_out_due(now=now + 2 * HOUR) == 0
    beat(now + 3 * DAY)
    assert time_out_due(now=now + 2 * DAY + HOUR + SECOND) == 1
    assert Game.objects.get().ended_at == now + 2 * DAY + HOUR + SECOND


# The end of a vacation -------------------------------------------------------------------------


def test_back_from_a_vacation_there_is_a_day_and_a_reminder(game, ann, now):
    half_an_hour_before = now + 2 * DAY - HOUR / 2
    go_away(ann, half_an_hour_before, days=5, now=now)
    back = half_an_hour_before + 5 * DAY
    assert fresh(game).deadline == back + DAY
    beat(back)
    assert remind_due(now=back) == 0
    beat(back + MINUTE)
    assert remind_due(now=back + MINUTE) == 1
    assert game.events.filter(kind=Event.Kind.REMINDER_DUE).count() == 1


def test_vacations_less_than_a_week_apart_are_one_absence_of_thirty_days(ann, now, settings):
    settings.VACATION_DAYS_A_YEAR = 30
    new_year = datetime(2026, 12, 25, tzinfo=UTC)
    go_away(ann, new_year - 20 * DAY, days=20, now=now)
    with refused(errors.AbsenceTooLong, "at most 30 days", status=409):
        announce_vacation(
            user=ann, begins_at=new_year + 6 * DAY, ends_at=new_year + 12 * DAY, now=now
        )
    announce_vacation(user=ann, begins_at=new_year + 7 * DAY, ends_at=new_year + 12 * DAY, now=now)


def test_a_vacation_between_two_others_joins_them_to_one_absence(ann, now, settings):
    settings.VACATION_DAYS_A_YEAR = 30
    go_away(ann, now + 10 * DAY, days=8, now=now)
    go_away(ann, now + 33 * DAY, days=9, now=now)
    with refused(errors.AbsenceTooLong, "at most 30 days", status=409):
        announce_vacation(user=ann, begins_at=now + 20 * DAY, ends_at=now + 28 * DAY, now=now)


# Days off and quiet hours ----------------------------------------------------------------------

MOST_OFF = WeeklySchedule("UTC", frozenset({2, 3, 4}), time(20), time(8))
"""Three days of the week, and twelve hours of the others."""


@pytest.mark.parametrize("hour", range(0, 24 * 7, 5))
def test_days_off_and_quiet_hours_at_most_double_a_turn(hour):
    began = datetime(2026, 3, 9, tzinfo=UTC) + hour * HOUR
    clock = Clock.for_turn(0, 3 * DAY, MOST_OFF, Availability(), now=began)
    without = instant_after(began, 3 * DAY, merge_spans(MOST_OFF.spans(began)))
    assert without > began + 6 * DAY
    assert clock.deadline == began + 6 * DAY


def test_a_vacation_is_not_part_of_what_is_doubled():
    began = datetime(2026, 3, 9, tzinfo=UTC)
    away = Availability(vacations=(Span(began + DAY, began + 11 * DAY),))
    assert Clock.for_turn(0, 3 * DAY, MOST_OFF, away, now=began).deadline == began + 16 * DAY


def test_what_was_stretched_is_not_stretched_again_after_a_stop():
    began = datetime(2026, 3, 11, tzinfo=UTC)  # three days off begin
    clock = Clock.for_turn(0, 3 * DAY, MOST_OFF, Availability(), now=began)
    later = began + 3 * DAY
    stopped = clock.stopped("paused", wait=DAY, availability=Availability(), now=later)
    assert stopped.time_left == 1.5 * DAY
    assert stopped.resumed(Availability(), now=later).deadline == clock.deadline


@pytest.mark.parametrize(
    ("schedule", "time_of_turn", "longest"),
    [
        (WeeklySchedule(), 3 * DAY, 3 * DAY),
        (WeeklySchedule("UTC", frozenset({5, 6})), 3 * DAY, 5 * DAY),
        (WeeklySchedule("UTC", frozenset({5, 6})), 7 * DAY, 11 * DAY),
        (WeeklySchedule("UTC", frozenset({1, 4})), DAY, 2 * DAY),
        (MOST_OFF, 3 * DAY, 6 * DAY),
        (WeeklySchedule("Europe/Paris", frozenset({6})), DAY, 2 * DAY),
    ],
)
def test_the_longest_turn_is_computed_from_the_week(schedule, time_of_turn, longest):
    assert longest_turn(time_of_turn, schedule, 2026) == longest
