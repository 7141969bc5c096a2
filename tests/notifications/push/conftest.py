"""Bob's browser, and a push service of our own to which its messages go."""

import pytest
from django.test import Client

from notifications.models import PushSubscription
from notifications.push.subscriptions import subscribe
from tests import push_service


@pytest.fixture
def service(settings):
    """The push service; only this one may be on this machine."""
    with push_service.running() as service:
        settings.PUBLIC_HTTP_TEST_SERVER = service.origin
        yield service


@pytest.fixture
def session_of(db):
    """Return how somebody signs in; the value is the client, whose session the site knows."""

    def sign_in(user):
        client = Client(headers={"User-Agent": "Mozilla/5.0 (Android 16) Firefox/152.0"})
        client.force_login(user)
        client.get("/settings/profile/")
        return client

    return sign_in


@pytest.fixture
def switch_on(session_of, now):
    """Return how somebody switches notifications on in a browser with a session of its own."""

    def switch(user, browser, client=None):
        client = client or session_of(user)
        key = client.session.session_key
        return subscribe(user=user, session_key=key, now=now, **browser.subscription)

    return switch


@pytest.fixture
def bobs_browser(service, bob, switch_on):
    """Bob's browser, in which notifications are on."""
    browser = push_service.Browser(service.origin)
    switch_on(bob, browser)
    return browser


@pytest.fixture
def row(bobs_browser):
    """What the site keeps of bob's browser."""
    return PushSubscription.objects.get(endpoint=bobs_browser.endpoint)
