"""The page on which people see who signed in to their account, and from where."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import SecurityEvent
from accounts.security_log import record
from tests.accounts.test_pages import assert_ours
from tests.accounts.test_sign_in import sign_in

pytestmark = pytest.mark.django_db

PAGE = reverse("sign_ins")
Kind = SecurityEvent.Kind


def note(person, kind=Kind.SIGN_IN, ago=timedelta(), **details):
    return record(kind, user=person, request=None, now=timezone.now() - ago, **details)


def text_of(answer):
    """Return the page without its runs of blanks."""
    return " ".join(answer.text.split())


def test_a_sign_in_is_shown_with_way_place_and_browser(client, ann):
    answers = {"login": "ann", "password": "secret"}
    headers = {"user-agent": "Lynx <script>alert(1)</script>"}
    client.post(reverse("account_login"), answers, headers=headers, REMOTE_ADDR="203.0.113.9")
    page = client.get(PAGE)
    assert_ours(page)
    for said in ("Signed in", "on a new device", "with the password", "203.0.113.9", "Lynx &lt;"):
        assert said in page.text


def test_others_see_nothing_of_it(client, ann, bob):
    note(bob, email="bob-only@example.com")
    note(None, email="nobody-only@example.com")
    client.force_login(ann)
    page = client.get(PAGE)
    assert "bob-only" not in page.text
    assert "nobody-only" not in page.text
    assert "Nothing" in page.text


def test_strangers_are_sent_to_the_sign_in(client, db):
    assert client.get(PAGE)["Location"].startswith(reverse("account_login"))


def test_it_is_only_to_be_looked_at(client, ann):
    client.force_login(ann)
    assert client.post(PAGE).status_code == 405


def test_twenty_are_on_a_page_the_newest_first(client, ann):
    for number in range(45):
        note(ann, Kind.ADDRESS_ADDED, timedelta(hours=number), email=f"number-{number}-@x.example")
    client.force_login(ann)
    seen = [client.get(PAGE, {"page": number}).text for number in (1, 2, 3)]
    for number in range(45):
        shown = [f"number-{number}-@" in page for page in seen]
        assert shown == [number < 20, 20 <= number < 40, number >= 40]
    assert seen[0].index("number-0-") < seen[0].index("number-1-")
    assert 'rel="next" href="?page=2"' in seen[0]
    assert 'rel="prev" href="?page=2"' in seen[2]
    for wrong in ("0", "x", "999", "-1", "%00"):
        assert client.get(f"{PAGE}?page={wrong}").status_code == 200


def test_repeated_failures_are_one_entry_that_counts_them(client, ann):
    for _ in range(4):
        sign_in(client, "ann", "wrong")
    sign_in(client, "ann")
    page = text_of(client.get(PAGE))
    assert page.count("Attempt failed") == 1
    assert "4 times" in page


def test_repeated_failures_say_from_where_they_came(client, ann):
    for place in ("203.0.113.1", "203.0.113.2", "203.0.113.1"):
        answers = {"login": "ann", "password": "wrong"}
        client.post(reverse("account_login"), answers, REMOTE_ADDR=place)
    sign_in(client, "ann")
    assert "from 203.0.113.1, 203.0.113.2" in text_of(client.get(PAGE))


def test_a_page_asks_as_much_for_many_as_for_one(client, ann, django_assert_num_queries):
    client.force_login(ann)
    note(ann)
    client.get(PAGE)
    with django_assert_num_queries(5):  # session, person, how many, which, games that wait
        client.get(PAGE)
    for number in range(30):
        note(ann, ago=timedelta(hours=number))
    with django_assert_num_queries(5):
        client.get(PAGE)


def test_it_is_found_from_the_sessions_and_leads_back(client, ann):
    sign_in(client, "ann")
    assert f'href="{PAGE}"' in client.get(reverse("usersessions_list")).text
    page = client.get(PAGE).text
    for name in ("usersessions_list", "account_change_password"):
        assert f'href="{reverse(name)}"' in page


def test_it_says_for_how_long_events_are_kept(client, ann, settings):
    settings.SECURITY_EVENTS_KEPT = timedelta(days=45)
    client.force_login(ann)
    assert "45 days" in client.get(PAGE).text
