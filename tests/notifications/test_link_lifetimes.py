"""How long the links work that are proof by themselves: of calendars, and of switching mail off."""

from datetime import timedelta
from urllib.parse import urlsplit

import pytest
from allauth.account.forms import EmailAwarePasswordResetTokenGenerator
from allauth.account.utils import user_pk_to_url_str
from django.contrib.auth.hashers import make_password
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from notifications.models import CalendarFeed
from notifications.services import feeds
from notifications.services.preferences import cadence_of
from notifications.services.unsubscribe import unsubscribe_url
from tests.accounts.account_mails import code_to
from tests.factories import PersonFactory

pytestmark = pytest.mark.django_db

PASSWORD = "a long walk home"
TWICE = {"password1": PASSWORD, "password2": PASSWORD}


@pytest.fixture(autouse=True)
def _fresh_limits(db):
    cache.clear()


def calendar_path(person):
    return urlsplit(feeds.feed_url(person)).path


def status(path):
    return Client().get(path).status_code


# Calendars -----------------------------------------------------------------------------------


def changed(client, person, monkeypatch):
    client.force_login(person)
    new = {"oldpassword": "secret", **TWICE}
    client.post(reverse("account_change_password"), new)


def reset(client, person, monkeypatch):
    key = EmailAwarePasswordResetTokenGenerator().make_token(person)
    where = [user_pk_to_url_str(person), key]
    form = client.get(reverse("account_reset_password_from_key", args=where)).url
    client.post(form, TWICE)


def first_set(client, person, monkeypatch):
    person.set_unusable_password()
    person.save()
    client.post(reverse("account_request_login_code"), {"email": person.email})
    client.post(reverse("account_confirm_login_code"), {"code": code_to(person.email)})
    client.post(reverse("reauthenticate_by_code"), {"action": "send"})
    client.post(reverse("reauthenticate_by_code"), {"code": code_to(person.email)})
    client.post(reverse("account_set_password"), TWICE)


def set_by_the_host(client, person, monkeypatch):
    monkeypatch.setattr("getpass.getpass", lambda prompt: PASSWORD)
    call_command("changepassword", person.username, verbosity=0)


@pytest.mark.parametrize("change", [changed, reset, first_set, set_by_the_host])
def test_with_another_password_the_calendar_has_another_address(
    client, ann, bob, change, monkeypatch
):
    now = timezone.now()
    for person in (ann, bob):
        feeds.renew(user=person, now=now - timedelta(days=1))
    old, untouched = calendar_path(ann), calendar_path(bob)
    assert status(old) == 200
    change(client, ann, monkeypatch)
    ann.refresh_from_db()
    assert ann.check_password(PASSWORD)
    assert status(old) == 404
    assert calendar_path(ann) != old
    assert status(calendar_path(ann)) == 200
    assert CalendarFeed.objects.get(user=ann).made_at >= now
    assert status(untouched) == 200


def test_a_calendar_that_is_switched_off_stays_off_with_another_password(client, ann, monkeypatch):
    changed(client, ann, monkeypatch)
    assert feeds.feed_url(ann) == ""


def test_a_password_that_is_only_hashed_better_leaves_the_calendar_its_address(ann, settings):
    feeds.renew(user=ann, now=timezone.now())
    path = calendar_path(ann)
    settings.PASSWORD_HASHERS = [*settings.PASSWORD_HASHERS, "tests.accounts.hashers.OlderHasher"]
    ann.password = make_password("secret", hasher="older")
    ann.save()
    before = ann.password
    Client().post(reverse("account_login"), {"login": "ann", "password": "secret"})
    ann.refresh_from_db()
    assert ann.password != before
    assert status(path) == 200


def test_signing_out_elsewhere_leaves_the_calendar_its_address(client, ann):
    feeds.renew(user=ann, now=timezone.now())
    path = calendar_path(ann)
    client.post(reverse("account_login"), {"login": "ann", "password": "secret"})
    client.post(reverse("usersessions_list"))
    assert status(path) == 200


def test_the_page_says_when_the_address_ends(client, ann):
    feeds.renew(user=ann, now=timezone.now())
    client.force_login(ann)
    page = " ".join(client.get(reverse("your_time")).text.split())
    assert "When you change your password, the calendar gets a new address" in page


# Switching mail off --------------------------------------------------------------------------


def unsubscribe_path(person):
    return urlsplit(unsubscribe_url(person, "your-turn")).path


def test_a_link_that_switches_mail_off_works_with_another_password_too(client, ann, monkeypatch):
    path = unsubscribe_path(ann)
    changed(client, ann, monkeypatch)
    assert Client().post(path).status_code == 200
    assert cadence_of(ann, "your-turn") == "off"


def test_a_link_that_switches_mail_off_outlives_the_secret_key(ann, settings):
    path = unsubscribe_path(ann)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another-one-0123456789-0123456789-0123456789"
    assert Client().post(path).status_code == 200
    settings.SECRET_KEY_FALLBACKS = []
    assert Client().post(path).status_code == 404


def test_a_link_that_switches_mail_off_carries_no_date(ann, monkeypatch):
    from django.core import signing

    path = unsubscribe_path(ann)
    monkeypatch.setattr(signing.time, "time", lambda: timezone.now().timestamp() + 20 * 366 * 86400)
    assert Client().get(path).status_code == 200
    assert unsubscribe_path(ann) == path


def test_the_page_of_such_a_link_tells_nothing_of_its_person():
    person = PersonFactory(username="xanthippe", display_name="The wife of Socrates")
    page = Client().get(unsubscribe_path(person)).text
    assert "xanthippe" not in page.lower()
    assert "Socrates" not in page
