"""A session ends for good a fixed time after the sign-in, however busy it was."""

import time
from datetime import timedelta
from importlib import import_module

import pytest
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts import sessions, tasks
from accounts.models import User
from tests.accounts.test_sign_in import is_signed_in, sign_in

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

PAGE = reverse("profile_edit")
DAYS = 24 * 3600
HOURS = 3600


@pytest.fixture
def clock(monkeypatch):
    """The time of the service: `clock(seconds)` lets so much of it pass."""
    now = [time.time()]
    monkeypatch.setattr(sessions.time, "time", lambda: now[0])

    def wait(seconds):
        now[0] += seconds

    return wait


def opens(client, page=PAGE):
    return client.get(page).status_code == 200


@pytest.fixture
def keeper(db):
    """A moderator with a second factor."""
    from tests.factories import StaffFactory

    return StaffFactory(username="keeper", role="Moderators")


def test_a_session_in_daily_use_ends_after_thirty_days(client, ann, clock):
    sign_in(client, "ann")
    key = client.session.session_key
    for _ in range(29):
        clock(1 * DAYS)
        assert opens(client)
    clock(1 * DAYS - 60)
    assert opens(client)
    clock(61)
    assert not opens(client)
    assert not Session.objects.filter(session_key=key).exists()


def test_a_kept_cookie_opens_nothing_after_that(client, another_browser, ann, clock):
    sign_in(client, "ann")
    name = settings.SESSION_COOKIE_NAME
    another_browser.cookies[name] = client.cookies[name].value
    clock(30 * DAYS + 1)
    assert not opens(another_browser)
    assert not opens(client)


def test_a_moderators_session_ends_after_twelve_hours(client, keeper, clock):
    client.force_login(keeper)
    for _ in range(11):
        clock(1 * HOURS)
        assert opens(client, reverse("admin:index"))
    clock(1 * HOURS + 1)
    assert not opens(client, reverse("admin:index"))
    assert not opens(client)


def test_who_becomes_a_moderator_is_subject_to_twelve_hours_at_once(client, ann, clock):
    client.force_login(ann)
    clock(13 * HOURS)
    assert opens(client)
    User.objects.filter(pk=ann.pk).update(is_staff=True)
    assert not opens(client)


def test_who_is_no_moderator_any_more_has_thirty_days(client, keeper, clock):
    client.force_login(keeper)
    User.objects.filter(pk=keeper.pk).update(is_staff=False)
    clock(13 * HOURS)
    assert opens(client)


@pytest.mark.parametrize(("is_staff", "said"), [(False, "30 days after"), (True, "12 hours after")])
def test_the_sign_in_page_says_why_and_leads_back(client, ann, clock, is_staff, said):
    User.objects.filter(pk=ann.pk).update(is_staff=is_staff)
    sign_in(client, "ann")
    clock(30 * DAYS + 1)
    answer = client.get("/tables/?x=1", follow=True)
    assert answer.redirect_chain == [(f"{reverse('account_login')}?next=/tables/%3Fx%3D1", 302)]
    assert "You were signed out" in answer.text
    assert said in answer.text
    assert "You were signed out" in client.get(reverse("account_login")).text
    assert sign_in(client, "ann", next="/tables/?x=1").url == "/tables/?x=1"
    assert opens(client)
    client.post(reverse("account_logout"))
    assert "You were signed out" not in client.get(reverse("account_login")).text


@pytest.mark.parametrize("headers", [{"hx-request": "true"}, {"sec-fetch-dest": "image"}])
def test_a_part_of_a_page_is_answered_as_for_a_stranger_and_the_sign_in_page_says_why(
    client, ann, clock, headers
):
    sign_in(client, "ann")
    clock(30 * DAYS + 1)
    assert client.get("/rules/", headers=headers).status_code == 200
    assert not is_signed_in(client, ann)
    assert "You were signed out" in client.get(PAGE, follow=True).text


def test_what_is_sent_after_that_changes_nothing(client, ann, clock):
    sign_in(client, "ann")
    clock(30 * DAYS + 1)
    answers = {"display_name": "Mallory", "language": "en", "time_zone": "UTC"}
    answer = client.post(PAGE, answers, follow=True)
    assert "You were signed out" in answer.text
    ann.refresh_from_db()
    assert ann.display_name == ""


# When it begins ---------------------------------------------------------------------------------


def forget_start(client):
    """Make a session as it was before its beginning was kept."""
    session = client.session
    del session["signed_in_at"]
    session.save()


def test_an_older_session_begins_with_its_first_authentication(client, ann, clock):
    sign_in(client, "ann")
    forget_start(client)
    clock(30 * DAYS + 1)
    assert not opens(client)


def test_an_older_session_of_which_nothing_is_known_begins_now(client, ann, clock):
    client.force_login(ann)
    forget_start(client)
    clock(100 * DAYS)
    assert opens(client)
    clock(30 * DAYS + 1)
    assert not opens(client)


def test_confirming_who_one_is_does_not_make_the_session_longer(client, ann, clock):
    sign_in(client, "ann")
    clock(20 * DAYS)
    client.post(reverse("account_reauthenticate"), {"password": "secret", "next": PAGE})
    clock(10 * DAYS + 1)
    assert not opens(client)


def test_another_password_does_not_make_the_session_longer(client, ann, clock):
    sign_in(client, "ann")
    clock(20 * DAYS)
    new = {"password1": "another long walk", "password2": "another long walk"}
    client.post(reverse("account_change_password"), {"oldpassword": "secret", **new})
    assert opens(client)
    clock(10 * DAYS + 1)
    assert not opens(client)


def test_each_sign_in_begins_thirty_days_of_its_own(client, ann, clock):
    sign_in(client, "ann")
    clock(20 * DAYS)
    client.post(reverse("account_logout"))
    sign_in(client, "ann")
    clock(20 * DAYS)
    assert opens(client)


def test_a_page_costs_no_query_and_no_write_for_it(client, ann):
    client.force_login(ann)
    client.get(PAGE)
    with CaptureQueriesContext(connection) as queries:
        client.get(PAGE)
    sessions = [query["sql"] for query in queries if "django_session" in query["sql"]]
    assert [sql.split()[0] for sql in sessions] == ["SELECT"]
    assert len([query for query in queries if "accounts_user" in query["sql"]]) == 2  # and the form


# What is left of them ---------------------------------------------------------------------------


def end_by_age(client):
    Session.objects.filter(session_key=client.session.session_key).update(
        expire_date=timezone.now() - timedelta(seconds=1)
    )


def test_expired_sessions_are_deleted_with_where_they_were(client, another_browser, ann):
    for browser in (client, another_browser):
        sign_in(browser, "ann")
        browser.get(PAGE)
    end_by_age(client)
    store = import_module(settings.SESSION_ENGINE).SessionStore()
    store["nobody"] = 1
    store.set_expiry(-1)
    store.save()
    assert tasks.delete_expired_sessions() == 2
    assert tasks.delete_expired_sessions() == 0
    kept = another_browser.session.session_key
    assert list(Session.objects.values_list("session_key", flat=True)) == [kept]
    assert list(UserSession.objects.values_list("session_key", flat=True)) == [kept]


def test_signing_out_deletes_where_somebody_was(client, another_browser, ann):
    for browser in (client, another_browser):
        sign_in(browser, "ann")
        browser.get(PAGE)
    client.post(reverse("account_logout"))
    assert [one.session_key for one in UserSession.objects.all()] == [
        another_browser.session.session_key
    ]


def test_another_password_deletes_where_the_ended_sessions_were(client, another_browser, ann):
    for browser in (client, another_browser):
        sign_in(browser, "ann")
        browser.get(PAGE)
    new = {"password1": "another long walk", "password2": "another long walk"}
    client.post(reverse("account_change_password"), {"oldpassword": "secret", **new})
    assert [one.session_key for one in UserSession.objects.all()] == [client.session.session_key]
