"""Once a day at an hour of the reader's clock, whatever clocks and calendars do."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notifications.services.preferences import next_after_hours, next_daily

PARIS = ZoneInfo("Europe/Paris")
SECOND = timedelta(seconds=1)


def at(text):
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ("2026-03-10 06:59:59", "2026-03-10 07:00"),
        ("2026-03-10 07:00:00", "2026-03-11 07:00"),
        ("2026-03-10 07:00:01", "2026-03-11 07:00"),
        ("2026-03-28 07:00", "2026-03-29 06:00"),  # clocks are put forward that night
        ("2026-10-24 06:00", "2026-10-25 07:00"),  # and back
        ("2026-10-25 07:00", "2026-10-26 07:00"),
    ],
)
def test_eight_oclock_in_paris(after, expected):
    assert next_daily(8, PARIS, at(after)) == at(expected)


def test_an_hour_that_is_left_out_counts_when_the_clocks_have_been_put_forward():
    due = next_daily(2, PARIS, at("2026-03-28 12:00"))
    assert due == at("2026-03-29 01:00")
    assert due.astimezone(PARIS).hour == 3
    assert next_daily(2, PARIS, due) == at("2026-03-30 00:00")


def test_an_hour_that_comes_twice_counts_once():
    first = next_daily(2, PARIS, at("2026-10-24 12:00"))
    assert first == at("2026-10-25 00:00")
    for later in (first, first + SECOND, first + timedelta(minutes=90)):
        assert next_daily(2, PARIS, later) == at("2026-10-26 01:00")


ZONES = ["Europe/Paris", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "UTC"]
ZONES += ["Pacific/Kiritimati", "America/Santiago", "Africa/Casablanca"]


@given(
    hour=st.integers(0, 23),
    name=st.sampled_from(ZONES),
    start=st.datetimes(datetime(2026, 1, 1), datetime(2027, 12, 31)),
)
def test_every_day_has_one_and_each_is_at_its_hour(hour, name, start):
    zone = ZoneInfo(name)
    due = start.replace(tzinfo=UTC)
    days = []
    for _ in range(10):
        before, due = due, next_daily(hour, zone, due)
        assert due > before
        local = due.astimezone(zone)
        days.append(local.date())
        midnight_apart = timedelta(hours=local.hour, minutes=local.minute) - timedelta(hours=hour)
        assert timedelta(0) <= midnight_apart <= timedelta(hours=1)
    assert days == [days[0] + timedelta(days=n) for n in range(10)]


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        ("2026-03-10 08:00:00", "2026-03-10 12:00"),
        ("2026-03-10 11:59:59", "2026-03-10 12:00"),
        ("2026-03-10 12:00:00", "2026-03-10 16:00"),
        ("2026-03-11 05:00:00", "2026-03-11 08:00"),
    ],
)
def test_every_four_hours_keeps_its_beat(now, expected):
    assert next_after_hours(4, at("2026-03-10 08:00"), at(now)) == at(expected)
