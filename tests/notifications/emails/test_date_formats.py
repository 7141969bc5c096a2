"""Times in words."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone, translation

from notifications.emails.formatting import format_moment, format_time_left

EVENING = datetime(2026, 11, 29, 17, 40, tzinfo=UTC)


def test_a_moment_has_weekday_date_time_and_zone():
    with translation.override("en"), timezone.override(ZoneInfo("Europe/Paris")):
        assert format_moment(EVENING) == "Sunday 29 November 2026, 18:40 (Europe/Paris)"


def test_the_same_moment_is_another_day_elsewhere_and_in_another_language():
    with translation.override("fr"), timezone.override(ZoneInfo("Asia/Tokyo")):
        words = format_moment(EVENING)
    assert "lundi 30 novembre 2026" in words
    assert "02:40 (Asia/Tokyo)" in words


@pytest.mark.parametrize(
    ("left", "words"),
    [
        (timedelta(days=3), "in 3 days"),
        (timedelta(days=3, seconds=-2), "in 3 days"),
        (timedelta(days=2), "in 2 days"),
        (timedelta(hours=47), "in 47 hours"),
        (timedelta(hours=25), "in 25 hours"),
        (timedelta(days=1), "in 1 day"),
        (timedelta(hours=1), "in 1 hour"),
        (timedelta(minutes=59), "in 59 minutes"),
        (timedelta(seconds=60), "in 1 minute"),
        (timedelta(seconds=59), "now"),
        (timedelta(hours=-5), "now"),
    ],
)
def test_the_time_left_is_rounded_to_one_unit(left, words):
    with translation.override("en"):
        assert format_time_left(left) == words
