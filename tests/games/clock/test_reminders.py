"""Reminders: when they come, in the arithmetic and through the services."""

from datetime import UTC, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import errors
from games.clock.clock import StopReason
from games.clock.reminders import HOURS, Countdown, next_reminder
from games.clock.spans import instant_after, merge_spans
from games.clock.weekly_schedule import WeeklySchedule
from games.models import Event
from games.models.game import CLOCK_COLUMNS
from games.services.clock.availability import MARKS, end_vacation_early, set_reminders
from games.services.clock.game_clock import add_time, stop_clock
from games.services.clock.recalculation import recount_due
from games.services.reminders import remind_due, snooze
from tests.games.play import DAY, SECOND, begin, fresh, refused, unchanged
from tests.games.vacations import go_away

HOUR = timedelta(hours=1)
ZONES = ["UTC", "Europe/Paris", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe"]
BEGAN = datetime(2026, 3, 20, tzinfo=UTC)


@pytest.fixture
def remind(ann, now):
    """Lets ann choose her reminders."""

    def choose(*marks, at_night=True, when=now):
        set_reminders(user=ann, marks=marks, at_night=at_night, now=when)
        recount_due(now=when)
        ann.refresh_from_db()

    return choose


def reminded(game, moments):
    """Let a round come at each moment; return those at which a reminder was written."""
    return [moment for moment in moments if remind_due(now=moment)]


def hourly(start, days):
    return [start + number * HOUR for number in range(days * 24 + 1)]


# The arithmetic ------------------------------------------------------------------------------


@st.composite
def turns(draw):
    """A turn's allowance, the week of its player, what else takes time away, and their marks."""
    allowance = timedelta(minutes=draw(st.integers(10, 20 * 24 * 60)))
    began = BEGAN + timedelta(minutes=draw(st.integers(0, 60 * 24 * 60)))
    quiet = draw(st.integers(0, 23)), draw(st.integers(1, 12))
    zone = draw(st.sampled_from(ZONES))
    night = WeeklySchedule(zone, frozenset(), time(quiet[0]), time(sum(quiet) % 24))
    days_off = frozenset(draw(st.sets(st.integers(0, 6), max_size=3)))
    week = WeeklySchedule(zone, days_off, night.quiet_from, night.quiet_until)
    marks = draw(st.sets(st.sampled_from(MARKS), max_size=5))
    return began, allowance, night, draw(st.sampled_from([week, WeeklySchedule(zone)])), marks


def all_reminders(began, allowance, night, week, marks, delays):
    """Return the moments at which reminders are sent by rounds that come after these delays."""
    deadline = instant_after(began, allowance, merge_spans(week.spans(began)))

    def next_from(now, unsent, done):
        countdown = Countdown(
            allowance,
            done,
            now,
            unsent,
            deadline,
            lambda left: instant_after(began, allowance - left, merge_spans(week.spans(began))),
        )
        return next_reminder(countdown, marks, night.spans(began))

    sent, done = [], allowance
    coming = next_from(began, began, done)
    for delay in delays:
        if coming is None:
            break
        now = coming.at + delay
        coming = next_from(now, coming.at, done)
        if coming is not None and coming.at <= now:
            sent.append(now)
            done = coming.left
            coming = next_from(now, now, done)
    return sent, deadline


@given(turns(), st.lists(st.integers(0, 40), min_size=30, max_size=30))
def test_no_reminder_is_sent_in_a_night(turn, delays):
    sent, _ = all_reminders(*turn, [timedelta(minutes=late) for late in delays])
    night = turn[2]
    for moment in sent:
        span = next(night.spans(moment))
        assert not span.start <= moment < span.end


@given(turns())
def test_none_comes_at_the_deadline_or_later_and_each_comes_once(turn):
    sent, deadline = all_reminders(*turn, [timedelta(0)] * 30)
    assert all(turn[0] <= moment < deadline for moment in sent)
    assert len(sent) == len(set(sent)) <= len(turn[4])


@given(turns())
def test_who_wants_reminders_at_night_gets_one_at_each_mark(turn):
    began, allowance, _, _, marks = turn
    sent, deadline = all_reminders(
        began, allowance, WeeklySchedule(), WeeklySchedule(), marks, [timedelta(0)] * 30
    )
    wanted = {allowance / 4 if mark == "quarter" else int(mark[:-1]) * HOUR for mark in marks}
    assert {deadline - moment for moment in sent} == {left for left in wanted if left < allowance}


# The services --------------------------------------------------------------------------------


@pytest.mark.django_db
def test_each_mark_is_reminded_of_once(game, ann, now, remind):
    remind("quarter", "24h", "3h")
    sent = reminded(game, hourly(now, 2))
    assert sent == [now + DAY, now + 1.5 * DAY, now + 45 * HOUR]


@pytest.mark.django_db
def test_a_second_before_its_mark_nothing_is_sent(game, now, remind):
    remind("3h")
    with unchanged():
        assert remind_due(now=now + 45 * HOUR - SECOND) == 0
    assert remind_due(now=now + 45 * HOUR) == 1
    with unchanged():
        assert remind_due(now=now + 45 * HOUR + SECOND) == 0


@pytest.mark.django_db
def test_marks_longer_than_the_turns_time_are_no_reminders(game, now, remind):
    remind("72h", "48h")
    assert fresh(game).reminder_at is None


@pytest.mark.django_db
def test_none_chosen_none_sent(game, now, remind):
    remind()
    assert reminded(game, hourly(now, 2)) == []


@pytest.mark.django_db
def test_when_the_deadline_moves_the_reminder_is_armed_again(game, ann, now, remind):
    remind("24h")
    assert remind_due(now=now + DAY) == 1
    go_away(ann, now + 1.5 * DAY, days=2, now=now + DAY)
    # 24 hours were left and were told; back from the vacation, she has a day and is told so.
    assert reminded(game, hourly(now + DAY, 3)) == [now + 3.5 * DAY + HOUR]
    game.refresh_from_db()
    assert (game.deadline, game.reminder_at) == (now + 4.5 * DAY, None)


@pytest.mark.django_db
def test_a_vacation_moves_the_reminder_that_is_to_come(game, ann, now, remind):
    remind("24h")
    go_away(ann, now + HOUR, days=2, now=now)
    assert reminded(game, hourly(now, 4)) == [now + 3 * DAY]


@pytest.mark.django_db
def test_a_reminder_that_is_due_survives_being_counted_anew(ann, bob, now, remind):
    begin(ann, bob, now=now, days=5)
    remind("48h")
    go_away(ann, now + 3.5 * DAY, days=2, now=now + 3 * DAY + SECOND)
    remind("48h", when=now + 3 * DAY + 2 * SECOND)
    assert remind_due(now=now + 3 * DAY + 3 * SECOND) == 1
    assert remind_due(now=now + 3 * DAY + 4 * SECOND) == 0


@pytest.mark.django_db
def test_a_mark_that_is_past_when_it_is_chosen_is_not_made_up_for(game, now, remind):
    remind("24h", when=now + 1.9 * DAY)
    assert remind_due(now=now + 1.9 * DAY) == 0


@pytest.mark.django_db
def test_who_sleeps_is_reminded_shortly_before_their_night(ann, bob, now):
    """Three hours are left at 3 o'clock: whoever has no quiet hours sleeps from 22 to 8."""
    midnight = now.replace(hour=0)
    game = begin(ann, bob, now=midnight - 45 * HOUR + 3 * HOUR)
    set_reminders(user=ann, marks=["3h"], at_night=False, now=game.started_at)
    recount_due(now=game.started_at)
    evening = midnight - 2 * HOUR - timedelta(minutes=15)
    assert fresh(game).reminder_at == evening
    assert remind_due(now=evening - SECOND) == 0
    assert remind_due(now=evening + 10 * SECOND) == 1
    assert fresh(game).reminder_at is None


@pytest.fixture
def waits(ann, bob, now):
    """At midnight: 24 hours were left at 21:00 already, but the round came late, and Ann sleeps."""
    midnight = now.replace(hour=0)
    game = begin(ann, bob, now=midnight - 27 * HOUR)
    set_reminders(user=ann, marks=["24h"], at_night=False, now=game.started_at)
    recount_due(now=game.started_at)
    assert remind_due(now=midnight - 2 * HOUR + SECOND) == 0
    return fresh(game)


@pytest.mark.django_db
def test_a_reminder_that_comes_late_waits_until_the_night_is_over(waits, now):
    morning = now.replace(hour=8)
    assert waits.reminder_at == morning
    assert remind_due(now=morning - SECOND) == 0
    assert remind_due(now=morning) == 1


@pytest.mark.django_db
def test_what_waits_for_the_end_of_a_night_is_not_lost_when_the_deadline_moves(waits, ann, now):
    midnight = now.replace(hour=0)
    add_time(waits, 2 * HOUR, now=midnight)
    assert waits.deadline == midnight + 23 * HOUR
    assert waits.reminder_at == now.replace(hour=8)


@pytest.mark.django_db
def test_who_put_a_reminder_off_beyond_a_deadline_that_came_nearer_is_reminded_as_ever(
    game, ann, now, remind
):
    remind("24h")
    away = go_away(ann, now, days=9, now=now)
    snooze(game_id=game.pk, user=ann, delay=10 * DAY, now=now)
    assert fresh(game).reminder_at == now + 10 * DAY
    end_vacation_early(user=ann, vacation_id=away.pk, now=now)
    recount_due(now=now)
    assert (fresh(game).deadline, fresh(game).reminder_at) == (now + 2 * DAY, now + DAY)


@pytest.mark.django_db
def test_no_reminder_can_be_put_off_while_the_clock_is_stopped(game, ann, now):
    stop_clock(game, StopReason.PAUSED, wait=3 * DAY, now=now)
    game.save(update_fields=CLOCK_COLUMNS)
    with refused(errors.ClockStands, "The clock of this game is already stopped", status=409):
        snooze(game_id=game.pk, user=ann, delay=HOUR, now=now)


@pytest.mark.django_db
def test_a_reminder_is_never_put_off_to_the_deadline(game, ann, now):
    with refused(errors.SnoozedTooLong, "before your time for this turn runs out", status=422):
        snooze(game_id=game.pk, user=ann, delay=2 * DAY, now=now)


@pytest.mark.django_db
def test_more_than_five_or_unknown_marks_are_refused(ann, now):
    with refused(errors.TooManyReminders, "at most 5", status=422):
        set_reminders(user=ann, marks=MARKS[:6], at_night=True, now=now)
    for wrong in ("2h", "h", "24", "-3h", "quarter "):
        with refused(errors.NoSuchReminder, "no such reminder", status=422):
            set_reminders(user=ann, marks=[wrong], at_night=True, now=now)
    assert len(MARKS) == len(HOURS) + 1


@pytest.mark.django_db
def test_the_event_is_written_at_the_moment_of_the_round(game, now, remind):
    remind("24h")
    remind_due(now=now + DAY + SECOND)
    assert game.events.get(kind=Event.Kind.REMINDER_DUE).at == now + DAY + SECOND


@pytest.mark.django_db
def test_who_is_given_more_time_is_reminded_again(game, ann, now, remind):
    remind("24h")
    assert remind_due(now=now + DAY) == 1
    game = fresh(game)
    add_time(game, DAY, now=now + DAY)
    game.save(update_fields=CLOCK_COLUMNS)
    assert reminded(game, hourly(now + DAY, 3)) == [now + 2 * DAY]
