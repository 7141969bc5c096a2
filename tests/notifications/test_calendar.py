"""The calendar of one's deadlines and vacations: a secret address that can be taken back."""

from datetime import UTC, date, datetime, timedelta
from urllib.parse import urlsplit

import pytest
from django.urls import reverse
from icalendar import Calendar

from games.services.clock.added_time import grant_time
from games.services.clock.availability import announce_vacation, end_vacation_early
from games.services.clock.undelivered_turns import freeze_undelivered, record_contact
from notifications.models import CalendarFeed
from notifications.services.calendar import calendar_of
from notifications.services.feeds import feed_url, reader_of, renew, revoke
from tests.notifications.outgoing_mail import play

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def entries(user, now):
    return Calendar.from_ical(calendar_of(user, now=now)).walk("VEVENT")


def turn_of(user, now):
    (entry,) = entries(user, now)
    return entry


def test_it_has_only_ones_own_turns(game, ann, bob, now):
    entry = turn_of(ann, now)
    assert entry["dtstart"].dt == game.deadline
    assert str(entry["summary"]) == "Your turn ends: Morpion with bob"
    assert str(entry["url"]).endswith(game.get_absolute_url())
    assert entries(bob, now) == []
    play(game, ann, "5", now)
    assert entries(ann, now) == []


def test_a_deadline_that_moves_keeps_its_entry_with_a_higher_sequence(game, ann, bob, now):
    before = turn_of(ann, now)
    grant_time(game_id=game.pk, user=bob, now=now + DAY)
    moved = turn_of(ann, now)
    assert freeze_undelivered(game_id=game.pk, turn_number=0, user=ann, now=now + 2 * DAY)
    assert entries(ann, now) == []
    ann.refresh_from_db()
    record_contact(ann, now=now + 3 * DAY)
    again = turn_of(ann, now)
    assert before["uid"] == moved["uid"] == again["uid"]
    assert before["sequence"] < moved["sequence"] < again["sequence"]
    assert before["dtstart"].dt < moved["dtstart"].dt < again["dtstart"].dt


def test_a_vacation_of_whole_days_fills_them_and_another_its_hours(ann, now):
    begins_at = datetime(2026, 5, 1, tzinfo=UTC) - timedelta(hours=1)  # midnight in London
    announce_vacation(user=ann, begins_at=begins_at, ends_at=begins_at + 2 * DAY, now=now)
    vacation = announce_vacation(user=ann, begins_at=now, ends_at=now + 3 * DAY, now=now)
    end_vacation_early(user=ann, vacation_id=vacation.pk, now=now + DAY)
    spans = [(entry["dtstart"].dt, entry["dtend"].dt) for entry in entries(ann, now)]
    assert spans == [(now, now + DAY), (date(2026, 5, 1), date(2026, 5, 3))]


def test_whole_days_are_those_of_the_zone_that_ones_page_shows(ann, now):
    begins_at = datetime(2026, 5, 1, tzinfo=UTC) - timedelta(hours=1)  # midnight in London
    announce_vacation(user=ann, begins_at=begins_at, ends_at=begins_at + 2 * DAY, now=now)
    ann.time_zone = "America/New_York"
    ann.save()
    (entry,) = entries(ann, now)
    assert (entry["dtstart"].dt, entry["dtend"].dt) == (begins_at, begins_at + 2 * DAY)


def path_of(user):
    return urlsplit(feed_url(user)).path


def test_the_address_alone_opens_it_and_unchanged_it_is_not_sent_again(client, game, ann, now):
    renew(user=ann, now=now)
    answer = client.get(path_of(ann))
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    assert b"BEGIN:VEVENT" in answer.content
    again = client.get(path_of(ann), headers={"If-None-Match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_it_is_made_made_anew_and_switched_off_on_ones_page(client, ann):
    page = reverse("calendar_feed")
    assert client.post(page)["Location"].startswith("/accounts/login/")
    client.force_login(ann)
    client.post(page)
    first = path_of(ann)
    assert first in client.get(reverse("your_time")).text
    client.post(page, {"do": "renew"})
    assert (client.get(first).status_code, client.get(path_of(ann)).status_code) == (404, 200)
    last = path_of(ann)
    client.post(page, {"do": "revoke"})
    assert (client.get(last).status_code, feed_url(ann)) == (404, "")


def test_an_address_that_was_guessed_or_changed_opens_nothing(ann, now):
    renew(user=ann, now=now)
    key = path_of(ann).removesuffix(".ics").rsplit("/", 1)[1]
    assert reader_of(key) == ann
    for wrong in (
        "",
        "x",
        key[:-1],
        key[:32],
        key[:-1] + ("0" if key[-1] != "0" else "1"),
        key + "0",
    ):
        assert reader_of(wrong) is None
    ann.is_active = False
    ann.save()
    assert reader_of(key) is None
    revoke(user=ann)
    assert not CalendarFeed.objects.exists()
