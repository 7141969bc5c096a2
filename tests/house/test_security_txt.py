"""Where strangers learn how to report a weakness: /.well-known/security.txt (RFC 9116)."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine

ADDRESS = "/.well-known/security.txt"

pytestmark = pytest.mark.django_db


def fields(response):
    return dict(line.split(": ", 1) for line in response.content.decode().splitlines())


def test_without_a_contact_there_is_none(client, settings):
    settings.SECURITY_CONTACT = ""
    assert client.get(ADDRESS).status_code == 404


@pytest.mark.parametrize("contact", ["mailto:security@example.org", "https://example.org/report"])
def test_it_names_the_contact_its_own_address_and_the_languages(client, settings, contact):
    settings.SECURITY_CONTACT, settings.SITE_URL = contact, "https://pli.example.org"
    response = client.get(ADDRESS)
    assert response.status_code == 200
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    found = fields(response)
    assert set(found) == {"Contact", "Expires", "Canonical", "Preferred-Languages"}
    assert found["Contact"] == contact
    assert found["Canonical"] == "https://pli.example.org/.well-known/security.txt"
    assert found["Preferred-Languages"] == "en, fr"


@pytest.mark.parametrize("day", ["2026-03-10", "2027-12-31", "2028-02-29"])
def test_it_is_always_valid_for_months_and_less_than_a_year(client, settings, day):
    settings.SECURITY_CONTACT = "mailto:security@example.org"
    now = datetime.fromisoformat(f"{day}T12:34:56+00:00")
    with time_machine.travel(now, tick=False):
        expires = fields(client.get(ADDRESS))["Expires"]
    until = datetime.strptime(expires, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    assert timedelta(days=90) < until - now < timedelta(days=365)


def test_nobody_can_post_to_it(client, settings):
    settings.SECURITY_CONTACT = "mailto:security@example.org"
    assert client.post(ADDRESS).status_code == 405
