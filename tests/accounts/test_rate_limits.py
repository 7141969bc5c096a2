import subprocess
import sys
import textwrap

import pytest
from allauth.account import app_settings
from allauth.core.internal.ratelimit import parse_rates
from django.conf import settings
from django.core.cache import cache
from django.urls import reverse

pytestmark = pytest.mark.django_db


def fail_once(client, **extra):
    answers = {"login": "ann", "password": "wrong"}
    return client.post(reverse("account_login"), answers, **extra).content.decode()


def test_guessing_a_password_is_stopped_even_for_who_guesses_right(client, ann):
    pages = [fail_once(client) for _ in range(6)]
    assert "Too many failed" not in pages[4]
    assert "Too many failed" in pages[5]
    answer = client.post(reverse("account_login"), {"login": "ann", "password": "secret"})
    assert answer.status_code == 200
    assert "_auth_user_id" not in client.session


def test_a_forged_forwarding_header_gives_no_new_tries(client, ann):
    for number in range(30):
        page = client.post(
            reverse("account_login"),
            {"login": f"name{number}", "password": "wrong"},
            headers={"x-forwarded-for": f"203.0.113.{number}"},
        )
        assert page.status_code == 200
    assert (
        client.post(
            reverse("account_login"),
            {"login": "name", "password": "wrong"},
            headers={"x-forwarded-for": "203.0.113.99"},
        ).status_code
        == 429
    )


def test_behind_one_proxy_each_visitor_has_tries_of_their_own(client, ann, settings):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    for number in range(31):
        page = client.post(
            reverse("account_login"),
            {"login": f"name{number}", "password": "wrong"},
            headers={"x-forwarded-for": f"spoofed, 203.0.113.{number}"},
        )
        assert page.status_code == 200


def test_too_many_requests_get_a_page_of_ours(client):
    answers = {"login": "x", "password": "y"}
    for _ in range(31):
        page = client.post(reverse("account_login"), answers)
    assert page.status_code == 429
    assert "Too many attempts" in page.content.decode()


@pytest.mark.parametrize("action", ["login", "signup", "reset_password", "request_login_code"])
def test_every_form_counts_by_address_of_the_caller(action):
    assert any(rate.per == "ip" for rate in parse_rates(app_settings.RATE_LIMITS[action]))


def test_the_counts_are_in_a_table_that_all_processes_share():
    backend = settings.CACHES["default"]["BACKEND"]
    assert backend == "django.core.cache.backends.db.DatabaseCache"


@pytest.mark.django_db(transaction=True)
def test_another_process_sees_what_this_one_counted():
    cache.set("counted-here", 3)
    reader = textwrap.dedent("""
        import django
        from django.conf import settings
        from django.db import connections

        django.setup()
        connections["default"].settings_dict["NAME"] = NAME
        from django.core.cache import cache

        print(cache.get("counted-here"), cache.incr("counted-here"))
    """)
    from django.db import connection

    name = f"NAME = {connection.settings_dict['NAME']!r}\n"
    command = [sys.executable, "-c", name + reader]
    said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert said.stdout.split() == ["3", "4"]
    assert cache.get("counted-here") == 4
