"""The clock of a turn as a value: no test here needs a database."""

from dataclasses import fields, replace
from datetime import UTC, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.clock.clock import Availability, Clock, ReminderSettings, StopReason
from games.clock.spans import NOTHING, Span
from games.clock.time_control import PaceKind, TimeControl, per_turn
from games.clock.weekly_schedule import WeeklySchedule
from games.models import Game
from games.models.game import CLOCK_COLUMNS
from games.models.undo import UNDO_COLUMNS

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
SECOND = timedelta(seconds=1)
BEGAN = datetime(2026, 3, 10, 12, tzinfo=UTC)
FREE = Availability()
QUARTER = Availability(reminders=ReminderSettings(("quarter",)))

hours = st.integers(0, 100).map(lambda number: number * HOUR)
schedules = st.builds(
    WeeklySchedule,
    st.sampled_from(["UTC", "Europe/Paris", "Asia/Kathmandu", "America/New_York"]),
    st.frozensets(st.integers(0, 6), max_size=3),
)


@st.composite
def absences(draw):
    """A player's vacations and the outages, with a reminder at a quarter of the time."""
    found = []
    for _ in range(2):
        starts = sorted(draw(st.lists(st.integers(0, 300), max_size=3, unique=True)))
        found.append(
            tuple(Span(BEGAN + at * HOUR, BEGAN + at * HOUR + draw(hours)) for at in starts)
        )
    return Availability(*found, QUARTER.reminders)


def turn(time=2 * DAY, schedule=WeeklySchedule(), availability=FREE):  # noqa: B008
    return Clock.for_turn(0, time, schedule, availability, now=BEGAN)


# The turn ----------------------------------------------------------------------------------------


def test_a_turn_begins_with_all_of_its_time_and_a_reminder():
    clock = turn(availability=QUARTER)
    assert (clock.deadline, clock.reminder_at) == (BEGAN + 2 * DAY, BEGAN + 1.5 * DAY)
    assert (clock.started_at, clock.turn_began_at) == (BEGAN, BEGAN)
    assert clock.remaining(QUARTER, now=BEGAN + DAY) == DAY


def test_the_deadline_itself_is_in_time():
    clock = turn()
    assert not clock.is_late(BEGAN + 2 * DAY)
    assert clock.is_late(BEGAN + 2 * DAY + timedelta.resolution)


def test_a_stopped_clock_is_never_late():
    clock = turn().stopped(StopReason.PAUSED, wait=DAY, availability=FREE, now=BEGAN)
    assert not clock.is_late(BEGAN + 100 * DAY)


def test_a_bot_and_an_empty_seat_get_no_reminder():
    assert turn(availability=FREE).reminder_at is None


@pytest.mark.parametrize(
    ("pace", "has_then"),
    [
        (per_turn(2 * DAY), 2 * DAY),
        (TimeControl(PaceKind.FISCHER, HOUR, 2 * DAY, 3 * DAY), DAY + HOUR),
        (TimeControl(PaceKind.TOTAL, bank=2 * DAY), DAY),
    ],
)
def test_the_pace_says_what_the_seat_has_for_its_next_turn(pace, has_then):
    assert turn().time_after_turn(pace, FREE, now=BEGAN + DAY) == has_then


def test_a_change_leaves_the_earlier_clock_as_it_was():
    clock = turn()
    copy = replace(clock)
    clock.stopped(StopReason.PAUSED, wait=DAY, availability=FREE, now=BEGAN + DAY)
    assert clock == copy
    with pytest.raises(AttributeError):
        clock.deadline = None


@given(schedules, absences(), hours)
def test_time_runs_only_outside_of_time_off(schedule, away, later):
    clock = turn(schedule=schedule, availability=away)
    left = clock.remaining(away, now=BEGAN + later)
    assert max(NOTHING, 2 * DAY - later) <= left <= 2 * DAY
    if clock.grace(away) is None and not schedule.days_off:
        just_before = clock.deadline - timedelta.resolution
        assert clock.remaining(away, now=clock.deadline) == NOTHING
        assert clock.remaining(away, now=just_before) <= timedelta.resolution


@given(schedules, absences(), hours)
def test_recomputing_changes_nothing_unless_time_off_has_changed(schedule, away, later):
    clock = turn(schedule=schedule, availability=away)
    now = min(BEGAN + later, clock.deadline)
    assert clock.recomputed(away, now=now) == clock


def test_recomputing_leaves_a_stopped_clock_alone():
    clock = turn().stopped(StopReason.PAUSED, wait=DAY, availability=FREE, now=BEGAN)
    away = Availability(vacations=(Span(BEGAN, BEGAN + DAY),))
    assert clock.recomputed(away, now=BEGAN + HOUR) is clock


# Time that is given, and outages -----------------------------------------------------------------


@given(hours, hours)
def test_added_time_moves_the_deadline_of_a_clock_that_runs(later, more):
    now = BEGAN + min(later, 2 * DAY)
    clock = turn().with_more_time(more, FREE, now=now)
    assert clock.deadline == BEGAN + 2 * DAY + more
    assert clock.remaining(FREE, now=now) == turn().remaining(FREE, now=now) + more


def test_added_time_leaves_a_stopped_clock_stopped():
    stopped = turn().stopped(StopReason.PAUSED, wait=DAY, availability=FREE, now=BEGAN)
    clock = stopped.with_more_time(HOUR, FREE, now=BEGAN + HOUR)
    assert clock == replace(stopped, time_left=2 * DAY + HOUR)


@given(st.integers(0, 47), st.integers(1, 100))
def test_an_outage_moves_the_deadline_by_its_length_and_leaves_twelve_hours(starts, length):
    outage = Span(BEGAN + starts * HOUR, BEGAN + (starts + length) * HOUR)
    away = Availability(outages=(outage,))
    clock = turn().after_outage(outage.start, away, now=outage.end)
    by_its_length = turn().deadline + length * HOUR
    assert clock.deadline == max(by_its_length, outage.end + 12 * HOUR)


def test_an_outage_that_falls_into_a_vacation_moves_nothing():
    vacation = Span(BEGAN + HOUR, BEGAN + 5 * DAY)
    outage = Span(BEGAN + DAY, BEGAN + 2 * DAY)
    away = Availability(vacations=(vacation,))
    clock = turn(availability=away)
    after = clock.after_outage(outage.start, replace(away, outages=(outage,)), now=outage.end)
    assert after == clock


def test_a_reminder_that_was_due_before_an_outage_is_still_due_after_it():
    clock = turn(availability=QUARTER)
    outage = Span(BEGAN + 1.6 * DAY, BEGAN + 1.8 * DAY)
    away = replace(QUARTER, outages=(outage,))
    assert clock.after_outage(outage.start, away, now=outage.end).reminder_at == clock.reminder_at


def test_a_reminder_that_an_outage_has_delayed_comes_when_a_quarter_is_left():
    clock = turn(availability=QUARTER)
    outage = Span(BEGAN + DAY, BEGAN + 1.2 * DAY)
    away = replace(QUARTER, outages=(outage,))
    after = clock.after_outage(outage.start, away, now=outage.end)
    assert after.reminder_at == BEGAN + 1.7 * DAY


# Reminders ---------------------------------------------------------------------------------------


def test_after_the_last_reminder_there_is_none():
    clock = turn(availability=QUARTER)
    due = clock.next_reminder(QUARTER, now=clock.reminder_at)
    assert due.at == clock.reminder_at
    after = clock.after_reminder(due, QUARTER, now=due.at)
    assert (after.reminder_at, after.deadline) == (None, clock.deadline)


def test_a_snoozed_reminder_comes_once_when_it_was_asked_for():
    until = BEGAN + 1.9 * DAY
    clock = turn(availability=QUARTER).snoozed(until, QUARTER, now=BEGAN)
    assert clock.reminder_at == until
    due = clock.next_reminder(QUARTER, now=until)
    assert clock.after_reminder(due, QUARTER, now=until).reminder_at is None


def test_a_reminder_does_not_come_in_the_night_of_its_reader():
    night = WeeklySchedule("UTC", frozenset(), time(22), time(8))
    asleep = Availability(reminders=ReminderSettings(("3h",), night))
    clock = Clock.for_turn(0, 2 * DAY, WeeklySchedule(), asleep, now=BEGAN.replace(hour=3))
    assert clock.reminder_at == BEGAN.replace(day=11, hour=21, minute=45)


# Stops -------------------------------------------------------------------------------------------


@given(schedules, absences(), hours, hours, st.sampled_from(StopReason))
def test_a_clock_that_was_stopped_resumes_with_what_was_left(schedule, away, ran, stood, why):
    running = turn(schedule=schedule, availability=away)
    at, back = BEGAN + ran, BEGAN + ran + stood
    left = running.remaining(away, now=at)
    stopped = running.stopped(why, wait=30 * DAY, availability=away, now=at)
    assert (stopped.deadline, stopped.reminder_at, stopped.started_at) == (None, None, None)
    if not schedule.days_off:
        assert stopped.time_left == left
    assert stopped.time_left <= left
    left = stopped.time_left
    assert stopped.remaining(away, now=back) == left
    resumed = stopped.resumed(away, now=back)
    assert resumed.remaining(away, now=back) == left
    assert resumed.deadline >= back + left
    assert (resumed.stop_reason, resumed.stopped_at, resumed.stopped_until) == ("", None, None)


@given(absences(), hours)
def test_a_stop_of_no_length_moves_no_deadline(away, ran):
    running = turn(availability=away)
    now = min(BEGAN + ran, running.instant_with(NOTHING, away))
    stopped = running.stopped(StopReason.MODERATOR, wait=None, availability=away, now=now)
    assert stopped.resumed(away, now=now).deadline == running.deadline


def test_a_clock_can_resume_with_another_time():
    stopped = turn().stopped(StopReason.PAUSED, wait=DAY, availability=FREE, now=BEGAN + DAY)
    assert stopped.resumed(FREE, now=BEGAN + 2 * DAY, time=5 * DAY).deadline == BEGAN + 7 * DAY


def test_a_stop_says_until_when():
    stopped = turn().stopped(StopReason.UNDELIVERED, wait=3 * DAY, availability=FREE, now=BEGAN)
    assert (stopped.stopped_until, stopped.wait_remaining) == (BEGAN + 3 * DAY, 3 * DAY)
    assert stopped.wait_left((), now=BEGAN + DAY) == 2 * DAY
    assert stopped.wait_left((), now=BEGAN + 9 * DAY) == NOTHING


def test_a_clock_that_runs_waits_for_nothing():
    assert turn().wait_left((), now=BEGAN) is None
    assert turn().with_wait_recomputed(()) == turn()


@pytest.mark.parametrize("why", [StopReason.UNDELIVERED, StopReason.SUBSTITUTE])
def test_an_outage_lengthens_a_wait(why):
    stopped = turn().stopped(why, wait=3 * DAY, availability=FREE, now=BEGAN)
    outages = (Span(BEGAN + DAY, BEGAN + 2 * DAY),)
    assert stopped.with_wait_recomputed(outages).stopped_until == BEGAN + 4 * DAY
    assert stopped.wait_left(outages, now=BEGAN + 3 * DAY) == DAY


def test_no_outage_lengthens_a_pause():
    stopped = turn().stopped(StopReason.PAUSED, wait=3 * DAY, availability=FREE, now=BEGAN)
    outages = (Span(BEGAN + DAY, BEGAN + 2 * DAY),)
    assert stopped.wait_left(outages, now=BEGAN + 2 * DAY) == DAY


@given(hours, hours, hours, st.sampled_from([StopReason.PAUSED, StopReason.UNDELIVERED]))
def test_a_stop_that_a_moderator_interrupts_goes_on_for_as_long_as_was_left(ran, stood, held, why):
    stopped = turn().stopped(why, wait=100 * HOUR, availability=FREE, now=BEGAN + ran)
    on_hold = stopped.held(FREE, now=BEGAN + ran + stood)
    assert (on_hold.stop_reason, on_hold.stopped_before_hold) == (StopReason.MODERATOR, why)
    assert on_hold.stopped_until is None
    back = BEGAN + ran + stood + held
    released = on_hold.released(now=back)
    assert (released.stop_reason, released.stopped_before_hold) == (why, "")
    assert released.stopped_until == back + 100 * HOUR - stood
    assert released.time_left == stopped.time_left


def test_a_hold_of_a_clock_that_ran_keeps_no_stop():
    held = turn().held(FREE, now=BEGAN + DAY)
    assert (held.stopped_before_hold, held.wait_remaining, held.time_left) == ("", None, DAY)
    assert held.resumed(FREE, now=BEGAN + 5 * DAY).deadline == BEGAN + 6 * DAY


# The game's row ----------------------------------------------------------------------------------


def test_the_row_of_a_game_keeps_every_field_of_its_clock():
    at = iter(range(1, 100))
    values = {
        "seat_to_move": 3,
        "time_left": DAY,
        "weekly_schedule": WeeklySchedule("Europe/Paris", frozenset({5, 6}), time(22), time(7)),
        "reminded": HOUR,
        "stop_reason": "moderator",
        "wait_remaining": 5 * HOUR,
        "stopped_before_hold": "paused",
    }
    moments = {f.name: BEGAN + next(at) * HOUR for f in fields(Clock) if f.name not in values}
    clock = Clock(**values, **moments)
    game = Game()
    game.set_clock(clock)
    assert game.clock == clock
    written = {name for name in game.__dict__ if game.__dict__[name] != Game().__dict__[name]}
    assert written - {"_state"} == set(CLOCK_COLUMNS) - {"bot_due_at", *UNDO_COLUMNS}


def test_a_game_that_is_over_has_no_clock():
    game = Game(pk=1)
    game.set_clock(turn())
    game.clear_clock()
    with pytest.raises(ValueError, match="game 1 is not running"):
        game.clock  # noqa: B018
