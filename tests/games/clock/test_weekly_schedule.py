"""Weeks with days off and quiet hours, where clocks change: exact to a microsecond."""

from datetime import UTC, datetime, time, timedelta
from itertools import takewhile
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.clock.spans import NOTHING, Span, instant_after, merge_spans, running_time
from games.clock.weekly_schedule import WeeklySchedule

TINY = timedelta(microseconds=1)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
START = datetime(2026, 3, 10, 12, tzinfo=UTC)

ZONES = ["UTC", "Europe/Paris", "America/Sao_Paulo", "Asia/Kathmandu", "Pacific/Apia"]


@st.composite
def schedules(draw, zones=ZONES):
    """Draw a week with some days off, quiet hours, both or neither, somewhere on earth."""
    days = draw(st.frozensets(st.integers(0, 6), max_size=3))
    zone = draw(st.sampled_from(zones))
    if draw(st.booleans()):
        return WeeklySchedule(zone, days)
    start = draw(st.times().map(lambda at: at.replace(second=0, microsecond=0)))
    minutes = draw(st.integers(1, 12 * 60))
    end = (datetime.combine(START, start) + timedelta(minutes=minutes)).time()
    return WeeklySchedule(zone, days, start, end)


def in_any(moment, away):
    return any(span.start <= moment < span.end for span in away)


def off_of(schedule, since, days):
    end = since + days * DAY
    return list(merge_spans(takewhile(lambda span: span.start < end, schedule.spans(since))))


@given(schedules(), st.datetimes(datetime(2007, 1, 1), datetime(2027, 12, 31)), st.integers(1, 20))
def test_a_deadline_in_a_week_with_days_off_is_exact_in_every_zone(schedule, since, hours):
    since, time = since.replace(tzinfo=UTC), hours * HOUR
    deadline = instant_after(since, time, merge_spans(schedule.spans(since)))
    assert deadline - since >= time
    assert running_time(since, deadline, merge_spans(schedule.spans(since))) == time
    assert running_time(since, deadline + TINY, merge_spans(schedule.spans(since))) == time + TINY


@given(
    schedules(),
    st.datetimes(datetime(2007, 1, 1), datetime(2027, 12, 31)),
    st.timedeltas(TINY, 20 * DAY),
)
def test_a_week_read_from_later_on_says_the_same(schedule, since, later):
    since = since.replace(tzinfo=UTC)
    now = since + later
    assert in_any(now, off_of(schedule, since, 21)) == in_any(now, off_of(schedule, now, 1))


@given(
    st.integers(0, 6),
    st.sampled_from(ZONES),
    st.sampled_from(ZONES),
    st.datetimes(datetime(2007, 1, 1), datetime(2027, 12, 31)),
    st.integers(1, 5),
)
def test_no_zone_has_more_of_a_week_than_another(day, here, there, since, weeks):
    """A day off is 24 hours wherever it is, but for the hour of a change, or Samoa's lost day."""
    since = since.replace(tzinfo=UTC)
    ran = [
        running_time(
            since, since + weeks * 7 * DAY, off_of(WeeklySchedule(zone, {day}), since, weeks * 7)
        )
        for zone in (here, there)
    ]
    assert all(weeks * 6 * DAY - 2 * HOUR <= time <= weeks * 6 * DAY + DAY for time in ran)


def test_a_zone_that_changes_during_a_turn_creates_no_time():
    """The week is that of when the turn began: the deadline depends on nothing that may change."""
    away = [off_of(WeeklySchedule(zone, {5, 6}), START, 30) for zone in ZONES]
    snapshot = WeeklySchedule("Europe/Paris", {5, 6}).as_data()
    deadlines = {instant_after(START, 3 * DAY, spans) for spans in away}
    assert len(deadlines) > 1
    again = instant_after(
        START, 3 * DAY, merge_spans(WeeklySchedule.from_data(snapshot).spans(START))
    )
    assert again == instant_after(START, 3 * DAY, away[ZONES.index("Europe/Paris")])


def local(zone, *when):
    return datetime(*when, tzinfo=ZoneInfo(zone)).astimezone(UTC)


@pytest.mark.parametrize(
    ("zone", "day", "hours"),
    [
        ("Europe/Paris", (2026, 3, 29), 23),
        ("Europe/Paris", (2026, 10, 25), 25),
        ("Europe/Paris", (2026, 11, 1), 24),
        ("America/Sao_Paulo", (2017, 10, 15), 23),  # midnight itself did not exist
        ("America/Sao_Paulo", (2018, 2, 17), 25),
        ("America/Sao_Paulo", (2026, 3, 29), 24),
        ("Asia/Kathmandu", (2026, 3, 29), 24),
        ("Pacific/Apia", (2012, 4, 1), 25),
    ],
)
def test_a_day_off_is_as_long_as_that_day_is_there(zone, day, hours):
    weekday = datetime(*day).weekday()
    noon_before = local(zone, *day, 12) - DAY - timedelta(hours=4)
    off = next(WeeklySchedule(zone, {weekday}).spans(noon_before))
    assert (off.end - off.start) == hours * HOUR
    assert off.end == local(zone, *day) + hours * HOUR or zone == "America/Sao_Paulo"


def test_the_friday_that_samoa_never_had_stops_no_clock():
    """On 30 December 2011 Apia jumped over the date line: that Friday has no hour at all."""
    since = local("Pacific/Apia", 2011, 12, 29, 12)
    off = next(WeeklySchedule("Pacific/Apia", {4}).spans(since))
    assert off == Span(local("Pacific/Apia", 2012, 1, 6), local("Pacific/Apia", 2012, 1, 7))


def test_quiet_hours_over_the_change_to_summer_time_are_an_hour_shorter():
    night = WeeklySchedule("Europe/Paris", quiet_from=time(22), quiet_until=time(8))
    off = next(night.spans(local("Europe/Paris", 2026, 3, 28, 12)))
    assert off == Span(
        local("Europe/Paris", 2026, 3, 28, 22), local("Europe/Paris", 2026, 3, 29, 8)
    )
    assert off.end - off.start == 9 * HOUR


def test_quiet_hours_over_the_change_to_winter_time_are_an_hour_longer():
    night = WeeklySchedule("Europe/Paris", quiet_from=time(22), quiet_until=time(8))
    off = next(night.spans(local("Europe/Paris", 2026, 10, 24, 12)))
    assert off.end - off.start == 11 * HOUR


def test_quiet_hours_that_a_night_skips_stop_no_clock_in_it():
    early = WeeklySchedule("Europe/Paris", quiet_from=time(2, 15), quiet_until=time(2, 45))
    off = list(takewhile(lambda s: s.start < local("Europe/Paris", 2026, 4, 1),
                         early.spans(local("Europe/Paris", 2026, 3, 28, 12))))  # fmt: skip
    assert all(HOUR / 2 >= span.end - span.start > NOTHING for span in off)


@pytest.mark.parametrize("moved", [-TINY, NOTHING, TINY])
def test_a_turn_that_runs_out_at_the_edge_of_a_day_off(moved):
    """Friday's last instant, midnight itself, and the first instant after the weekend."""
    weekend = WeeklySchedule("Asia/Kathmandu", {5, 6})
    friday = local("Asia/Kathmandu", 2026, 3, 13, 12)
    saturday = local("Asia/Kathmandu", 2026, 3, 14)
    monday = local("Asia/Kathmandu", 2026, 3, 16)
    deadline = instant_after(friday, 12 * HOUR + moved, merge_spans(weekend.spans(friday)))
    assert deadline == {-TINY: saturday - TINY, NOTHING: monday, TINY: monday + TINY}[moved]
