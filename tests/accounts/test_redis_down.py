"""Sign-in, sign-up and password resets work while Redis is dead or does not answer."""

import runpy
import time

import pytest
from django.urls import reverse

from accounts.models import User
from config.settings import base
from games import wakeups
from tests.accounts.account_mails import code_to, letters_to
from tests.servers import BlackHole, free_port

pytestmark = pytest.mark.django_db(transaction=True)

LIMIT = 20 * wakeups.BROKER_TIMEOUT
"""Seconds for one request on a busy machine. Without a time-out it would wait for ever."""


@pytest.fixture(params=["dead", "hanging"])
def redis_down(request, settings, monkeypatch):
    """The settings of a host with a Redis that is down, for everything that may name one."""
    with BlackHole() as hanging:
        dead = f"redis://127.0.0.1:{free_port()}/0"
        address = dead if request.param == "dead" else hanging.address
        monkeypatch.setenv("CELERY_BROKER_URL", address)
        monkeypatch.setenv("CACHE_URL", address)  # what older versions asked for
        settings.CELERY_BROKER_URL = address
        settings.CACHES = runpy.run_path(base.__file__)["CACHES"]
        wakeups.reset()
        yield
    wakeups.reset()


@pytest.fixture
def post(client, redis_down):
    """Return a function that posts a form and fails if the answer took too long."""

    def answer(name, **fields):
        began = time.monotonic()
        response = client.post(reverse(name), fields)
        assert time.monotonic() - began < LIMIT
        return response

    return answer


def test_a_player_signs_in(post, client, ann):
    assert post("account_login", login="ann", password="secret").status_code == 302
    assert client.session["_auth_user_id"] == str(ann.pk)


def test_a_newcomer_signs_up(post, client):
    fields = {"username": "dora", "email": "dora@example.org", "password1": "a long walk home"}
    assert post("account_signup", **fields).status_code == 302
    code = code_to("dora@example.org")
    assert post("account_email_verification_sent", code=code).status_code == 302
    assert client.session["_auth_user_id"] == str(User.objects.get(username="dora").pk)


def test_a_forgotten_password_is_reset(post, ann):
    assert post("account_reset_password", email=ann.email).status_code == 302
    assert "/accounts/password/reset/key/" in letters_to(ann.email)[-1]


def test_the_limits_hold(post, ann):
    answers = [post("account_login", login="ann", password="wrong") for _ in range(31)]
    assert "Too many failed" in answers[5].text
    assert answers[-1].status_code == 429
