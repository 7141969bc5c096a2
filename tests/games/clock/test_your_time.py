"""The page "Your time": what is filled in is kept, or shown again with the reason."""

from datetime import time, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import Vacation
from tests.games.play import DAY, unchanged
from tests.games.vacations import go_away

pytestmark = pytest.mark.django_db

PAGE = reverse("your_time")

SAVED = {
    "time_week": (
        {"days_off": ["5", "6"], "quiet_from": "22:00", "quiet_until": "07:30"},
        {"days_off": [5, 6], "quiet_from": time(22), "quiet_until": time(7, 30)},
    ),
    "time_reminders": (
        {"marks": ["3h", "quarter"], "at_night": ""},
        {"reminders": ["quarter", "3h"], "reminders_at_night": False},
    ),
    "time_automatic": ({"automatic": "on"}, {"automatic_vacation": True}),
}


@pytest.mark.parametrize("name", SAVED)
def test_what_is_chosen_is_kept_and_shown_again(as_ann, ann, name):
    sent, kept = SAVED[name]
    answer = as_ann.post(reverse(name), sent, follow=True)
    assert answer.redirect_chain == [(PAGE, 302)]
    ann.refresh_from_db()
    assert {field: getattr(ann, field) for field in kept} == kept
    assert "saved." in answer.text


def day(ahead, user):
    """Return a day of the user's calendar as a browser sends it."""
    return (timezone.now().astimezone(user.zone) + timedelta(days=ahead)).date().isoformat()


REFUSED = {
    "four days off": ("time_week", {"days_off": ["1", "2", "3", "4"]}, "at most 3 days"),
    "an eighth day": ("time_week", {"days_off": ["7"]}, "not one of the available choices"),
    "no hour": ("time_week", {"quiet_from": "25:00", "quiet_until": "7"}, "valid time"),
    "half of a night": (
        "time_week",
        {"quiet_from": "22:00"},
        "Fill in both the start and the end of your",
    ),
    "six reminders": (
        "time_reminders",
        {"marks": ["1h", "3h", "6h", "12h", "24h", "48h"]},
        "at most 5",
    ),
    "no such reminder": ("time_reminders", {"marks": ["2h"]}, "not one of the available choices"),
    "no last day": ("vacation_announce", {"first": ""}, "required"),
    "no such day": ("vacation_announce", {"last": "2027-02-30"}, "valid date"),
    "the first of all days": (
        "vacation_announce",
        {"first": "0001-01-01", "last": "0001-01-02"},
        "past",
    ),
    "the last of all days": ("vacation_announce", {"last": "9999-12-31"}, "within a year"),
    "backwards": (
        "vacation_announce",
        {"first": 9, "last": 7},
        "A vacation must be at least one day long",
    ),
    "only the rest of today": (
        "vacation_announce",
        {"first": "", "last": 0},
        "A vacation must be at least one day long",
    ),
    "more days than there are": ("vacation_announce", {"first": 1, "last": 70}, "of 30 days"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_is_shown_again_with_the_reason(as_ann, ann, what):
    name, sent, said = REFUSED[what]
    sent = {
        key: day(value, ann) if isinstance(value, int) else value for key, value in sent.items()
    }
    with unchanged():
        answer = as_ann.post(reverse(name), sent)
    assert answer.status_code == 422
    assert said in answer.text


def test_a_vacation_is_whole_days_of_ones_own_calendar(as_ann, ann):
    answer = as_ann.post(
        reverse("vacation_announce"), {"first": day(2, ann), "last": day(3, ann)}, follow=True
    )
    vacation = Vacation.objects.get()
    shown = [when.astimezone(ann.zone) for when in (vacation.begins_at, vacation.ends_at)]
    assert [(when.date().isoformat(), when.time()) for when in shown] == [
        (day(2, ann), time.min),
        (day(4, ann), time.min),
    ]
    assert "Your vacation is announced." in answer.text
    assert reverse("vacation_cancel", args=[vacation.pk]) in answer.text


def test_a_vacation_without_a_first_day_begins_at_once(as_ann, ann):
    before = timezone.now()
    as_ann.post(reverse("vacation_announce"), {"first": "", "last": day(2, ann)})
    assert before <= Vacation.objects.get().begins_at <= timezone.now()


def test_the_days_that_are_taken_stand_there(as_ann, ann):
    answer = as_ann.get(PAGE)
    year = timezone.now().astimezone(ann.zone).year
    assert f"0 of 30 days taken of {year}" in answer.text


def test_where_the_host_gives_no_days_the_page_says_so_and_offers_none(as_ann, ann, settings):
    settings.VACATION_DAYS_A_YEAR = 0
    page = as_ann.get(PAGE).text
    assert "Vacations are not available here." in page
    assert "days taken" not in page
    assert reverse("vacation_announce") not in page
    with unchanged():
        answer = as_ann.post(reverse("vacation_announce"), {"first": "", "last": day(2, ann)})
    assert answer.status_code == 422
    assert "Vacations are not available here." in answer.text


def test_a_vacation_is_ended_or_taken_back(as_ann, ann, client):
    now = timezone.now()
    begun, coming = go_away(ann, now, days=2, now=now), go_away(ann, now + 5 * DAY, now=now)
    assert as_ann.get(reverse("vacation_end", args=[begun.pk])).status_code == 405
    as_ann.post(reverse("vacation_end", args=[begun.pk]))
    as_ann.post(reverse("vacation_cancel", args=[coming.pk]))
    assert Vacation.objects.get().ended_early_at is not None


@pytest.mark.parametrize("name", ["your_time", "time_week", "time_reminders", "time_automatic"])
def test_who_is_not_signed_in_is_asked_to(client, name):
    ask = client.get if name == "your_time" else client.post
    assert ask(reverse(name))["Location"].startswith("/accounts/login/")
