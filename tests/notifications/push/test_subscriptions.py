"""In which browsers somebody has notifications, and when that ends."""

import re

import pytest
from allauth.usersessions.models import UserSession
from cryptography.hazmat.primitives.asymmetric import ec
from django.contrib.auth import get_user_model
from django.urls import reverse

from accounts.sessions import delete_expired_sessions
from games.errors import Refusal
from notifications import errors
from notifications.models import Push, PushSubscription
from notifications.push.subscriptions import (
    MOST_BROWSERS,
    browser_label,
    send_test,
    subscribe,
    unsubscribe,
)
from tests.push_service import Browser, decoded

pytestmark = pytest.mark.django_db

PAGE = reverse("notifications")


@pytest.fixture
def client(session_of, bob):
    """Bob, signed in."""
    return session_of(bob)


def switch(client, which, **given):
    return client.post(reverse(f"notifications_{which}"), given, follow=True)


def told(response):
    return [str(message) for message in response.context["messages"]]


def test_notifications_are_switched_on_and_off_in_a_browser(client, bob):
    given = Browser().subscription
    assert told(switch(client, "on", **given)) == [
        "Les notifications sont activées dans ce navigateur."
    ]
    row = PushSubscription.objects.get()
    kept = {name: getattr(row, name) for name in given}
    assert (row.user, row.label, kept) == (bob, "Firefox, Android", given)
    assert row.session.session_key == client.session.session_key
    assert f'data-endpoint="{row.endpoint}"' in client.get(PAGE).content.decode()
    switch(client, "off", browser=row.pk)
    assert not PushSubscription.objects.exists()
    assert switch(client, "off", browser=row.pk).status_code == 404


BAD = [
    {"endpoint": ""},
    {"endpoint": "http://push.example.org/1"},
    {"endpoint": "https://push.example.org/" + "x" * 1000},
    {"endpoint": "https://127.0.0.1/1"},
    {"p256dh": ""},
    {"p256dh": "BA" + "A" * 85},
    {"p256dh": "é"},
    {"auth": ""},
    {"auth": "A" * 20},
    {"auth": "\0"},
]


@pytest.mark.parametrize("bad", BAD)
def test_what_is_no_subscription_is_refused_and_leaves_everything(client, bad):
    response = switch(client, "on", **(Browser().subscription | bad))
    assert response.status_code == 422
    assert not PushSubscription.objects.exists()


def test_the_same_browser_again_is_one_row_with_its_new_keys(client):
    browser, other = Browser(), Browser()
    switch(client, "on", **browser.subscription)
    again = other.subscription | {"endpoint": browser.endpoint}
    switch(client, "on", **again)
    assert PushSubscription.objects.get().p256dh == again["p256dh"]


def test_the_next_user_of_a_browser_takes_it_over(switch_on, ann, bob):
    browser = Browser()
    switch_on(bob, browser)
    switch_on(ann, browser)
    assert PushSubscription.objects.get().user == ann


def test_there_is_a_limit_and_it_refuses_only_one_more(switch_on, bob, client):
    for _ in range(MOST_BROWSERS):
        last = switch_on(bob, Browser(), client)
    with pytest.raises(errors.TooManyBrowsers) as refused:
        switch_on(bob, Browser(), client)
    assert str(MOST_BROWSERS) in refused.value.sentence
    assert PushSubscription.objects.count() == MOST_BROWSERS
    unsubscribe(user=bob, subscription_id=last.pk)
    switch_on(bob, Browser(), client)
    # Nor does the limit keep a browser from being switched on anew.
    again = Browser()
    again.endpoint = PushSubscription.objects.first().endpoint
    switch_on(bob, again, client)
    assert PushSubscription.objects.count() == MOST_BROWSERS


def test_nobody_switches_off_what_is_somebody_elses(switch_on, ann, bob):
    row = switch_on(ann, Browser())
    with pytest.raises(errors.NoBrowser):
        unsubscribe(user=bob, subscription_id=row.pk)
    assert PushSubscription.objects.get() == row


# When it ends ------------------------------------------------------------------------------------


def test_signing_out_ends_the_notifications_of_this_browser_alone(switch_on, session_of, bob):
    here, there = session_of(bob), session_of(bob)
    switch_on(bob, Browser(), here)
    other = switch_on(bob, Browser(), there)
    response = here.post(reverse("account_logout"))
    assert "storage" in response["Clear-Site-Data"]  # the browser's half, and its worker
    assert PushSubscription.objects.get() == other


def test_ending_the_other_sessions_ends_their_notifications(switch_on, session_of, bob):
    here, there = session_of(bob), session_of(bob)
    mine = switch_on(bob, Browser(), here)
    switch_on(bob, Browser(), there)
    here.post(reverse("usersessions_list"))
    assert PushSubscription.objects.get() == mine


def test_a_session_that_expires_ends_its_notifications(switch_on, session_of, bob, now):
    client = session_of(bob)
    switch_on(bob, Browser(), client)
    expires = client.session.get_expiry_date()
    assert delete_expired_sessions(now=expires.replace(year=expires.year + 1)) == 1
    assert not PushSubscription.objects.exists()


def test_a_session_that_has_ended_can_switch_nothing_on(bob, session_of, now):
    client = session_of(bob)
    key = client.session.session_key
    UserSession.objects.all().delete()
    for session_key in (key, "", None):
        with pytest.raises(errors.BadSubscription):
            subscribe(user=bob, session_key=session_key, now=now, **Browser().subscription)


def test_an_account_takes_its_browsers_with_it(switch_on, bob):
    switch_on(bob, Browser())
    get_user_model().objects.filter(pk=bob.pk).delete()
    assert not PushSubscription.objects.exists()


# The page ----------------------------------------------------------------------------------------


def test_the_page_gives_browsers_the_key_of_the_site(client):
    page = client.get(PAGE).content.decode()
    key = decoded(re.search(r'id="this-browser"[^>]*data-key="([\w-]+)"', page)[1])
    ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), key)
    assert PAGE in client.get(reverse("mail_preferences")).content.decode()


def test_without_a_key_nothing_is_offered_and_nothing_done(client, settings, bob, switch_on, now):
    switch_on(bob, Browser(), client)
    settings.PUSH_KEY = ""
    assert client.get(PAGE).status_code == 404
    assert PAGE not in client.get(reverse("mail_preferences")).content.decode()
    for which in ("on", "test"):
        assert switch(client, which, **Browser().subscription).status_code == 404
    assert PushSubscription.objects.count() == 1
    assert not Push.objects.exists()


def test_a_test_goes_to_every_browser_and_not_without_end(client, bob, ann, switch_on, settings):
    settings.ACCOUNT_RATE_LIMITS = {"send_test": "1/m/user"}
    for person in (bob, bob, ann):
        switch_on(person, Browser())
    assert switch(client, "test").status_code == 200
    assert Push.objects.filter(subscription__user=bob, event=None).count() == 2
    assert switch(client, "test").status_code == 429
    assert Push.objects.count() == 2


def test_a_test_needs_a_browser(bob, now):
    with pytest.raises(Refusal):
        send_test(user=bob, now=now)


@pytest.mark.parametrize(
    ("user_agent", "label"),
    [
        ("Mozilla/5.0 (X11; Linux x86_64) Chrome/150.0 Safari/537.36", "Chrome, Linux"),
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/150.0 Safari/537.36 Edg/150.0", "Edge, Windows"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) Safari/604.1", "Safari, iPhone"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 15) Firefox/152.0", "Firefox, macOS"),
        ("curl/8.0", "curl/8.0"),
        ("", "?"),
    ],
)
def test_a_browser_is_named_as_people_know_it(user_agent, label):
    assert browser_label(user_agent) == label
