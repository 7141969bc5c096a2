"""A browser with which somebody signed in is known as theirs: a cookie outlives the session."""

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from accounts.models import SecurityEvent
from accounts.security_log import signed_in_on_new_device
from tests.accounts.account_mails import code_to
from tests.accounts.test_sign_in import sign_in
from tests.factories import PersonFactory

pytestmark = pytest.mark.django_db

YEAR = 365 * 24 * 3600


@pytest.fixture
def heard():
    """Whose sign-ins on a new device other apps heard of."""
    people = []

    def hear(user, **rest):
        people.append(user.username)

    signed_in_on_new_device.connect(hear)
    yield people
    signed_in_on_new_device.disconnect(hear)


@pytest.fixture
def known_ann(ann):
    """Ann, who has signed in before."""
    ann.last_login = ann.date_joined
    ann.save()
    return ann


def sign_in_and_out(client, login="ann"):
    sign_in(client, login)
    client.post(reverse("account_logout"))


def is_new():
    return SecurityEvent.objects.filter(kind="sign-in").latest("pk").details["new_device"]


def cookie_of(client):
    return client.cookies[settings.DEVICE_COOKIE_NAME]


def test_the_first_sign_in_with_a_browser_is_new_and_the_next_is_not(client, known_ann, heard):
    sign_in_and_out(client)
    assert is_new()
    sign_in_and_out(client)
    assert not is_new()
    assert heard == ["ann"]


def test_another_browser_that_calls_itself_the_same_is_new(client, another_browser, known_ann):
    for browser in (client, another_browser):
        browser.post(
            reverse("account_login"),
            {"login": "ann", "password": "secret"},
            headers={"user-agent": "Firefox"},
        )
        assert is_new()


def test_a_browser_that_calls_itself_something_else_is_known(client, known_ann, heard):
    sign_in_and_out(client)
    answers = {"login": "ann", "password": "secret"}
    client.post(reverse("account_login"), answers, headers={"user-agent": "Firefox 200"})
    assert not is_new()


def test_nobody_is_told_of_the_very_first_sign_in(client, heard):
    answers = {"username": "dora", "email": "dora@example.net", "password1": "a long walk home"}
    client.post(reverse("account_signup"), answers)
    client.post(reverse("account_email_verification_sent"), {"code": code_to("dora@example.net")})
    assert is_new()
    assert heard == []
    client.post(reverse("account_logout"))
    client.post(reverse("account_login"), {"login": "dora", "password": "a long walk home"})
    assert not is_new()
    assert heard == []


def test_a_browser_of_one_person_is_new_for_another(client, known_ann, bob, heard):
    sign_in_and_out(client)
    sign_in_and_out(client, "bob")
    assert is_new()
    for name in ("ann", "bob"):
        sign_in_and_out(client, name)
        assert not is_new()


def test_a_browser_is_known_for_ten_people(client, db):
    people = [PersonFactory(username=f"person{number}") for number in range(11)]
    for person in people:
        sign_in_and_out(client, person.username)
    sign_in_and_out(client, people[1].username)
    assert not is_new()
    sign_in_and_out(client, people[0].username)
    assert is_new()
    assert len(cookie_of(client).value) < 400


def test_the_cookie_lasts_a_year_and_no_script_reads_it(client, known_ann):
    sign_in(client, "ann")
    cookie = cookie_of(client)
    assert (cookie["max-age"], cookie["httponly"], cookie["samesite"]) == (YEAR, True, "Lax")
    assert cookie["path"] == "/"


def test_the_cookie_is_sent_through_tls_alone_where_the_sessions_is(client, known_ann, settings):
    settings.SESSION_COOKIE_SECURE = True
    sign_in(client, "ann")
    assert cookie_of(client)["secure"] is True


def test_signing_out_leaves_the_cookie(client, known_ann):
    sign_in(client, "ann")
    client.post(reverse("account_logout"))
    assert cookie_of(client).value


@pytest.mark.parametrize("forge", [lambda key, _: key, lambda key, said: f"{key}{said[1:]}"])
def test_a_cookie_that_was_not_made_here_is_not_believed(client, bob, known_ann, heard, forge):
    sign_in_and_out(client, "bob")
    attacker = Client()
    forged = forge(str(known_ann.pk), cookie_of(client).value)
    attacker.cookies[settings.DEVICE_COOKIE_NAME] = forged
    sign_in(attacker, "ann")
    assert is_new()
    assert heard == ["ann"]


def test_a_wrong_password_makes_no_browser_known(client, known_ann):
    sign_in(client, "ann", "wrong")
    assert settings.DEVICE_COOKIE_NAME not in client.cookies
