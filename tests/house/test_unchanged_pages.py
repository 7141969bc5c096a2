"""Pages that are the same for everybody are sent again only when they have changed."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.core.cache import caches
from django.urls import reverse
from django.utils import timezone

from games.models import Announcement

pytestmark = pytest.mark.django_db

PAGES = ["/rules/", "/rules/morpion/", "/help/time/", "/outages/", "/about/", "/privacy/"]


def again(client, path, answer, **headers):
    """Return the answer to a browser that has an answer already."""
    return client.get(path, headers={"If-None-Match": answer["ETag"], **headers})


@pytest.mark.parametrize("path", PAGES)
def test_an_unchanged_page_is_not_sent_again(client, path):
    first = client.get(path)
    answer = again(client, path, first)
    assert (answer.status_code, answer.content) == (304, b"")
    assert answer["ETag"] == first["ETag"]
    assert "default-src" in answer["Content-Security-Policy"]


def test_a_packed_page_is_not_sent_again_either(client):
    first = client.get("/rules/", headers={"Accept-Encoding": "gzip"})
    assert first["Content-Encoding"] == "gzip"
    answer = again(client, "/rules/", first, **{"Accept-Encoding": "gzip"})
    assert answer.status_code == 304


def test_another_language_is_another_page(client):
    first = client.get("/rules/")
    assert again(client, "/rules/", first, **{"Accept-Language": "fr"}).status_code == 200


def test_an_announcement_makes_it_another_page(client, ann):
    first = client.get("/rules/")
    began, ends = ann.date_joined, timezone.now() + timedelta(days=1)
    words = {"english": "News.", "french": "Nouvelles."}
    Announcement.objects.create(**words, from_at=began, until=ends, by=ann)
    caches["near"].clear()
    assert again(client, "/rules/", first).status_code == 200


def test_a_page_whose_forms_would_be_refused_is_sent_again(client):
    first = client.get("/rules/")
    assert settings.CSRF_COOKIE_NAME in client.cookies
    client.cookies.clear()
    answer = again(client, "/rules/", first)
    assert answer.status_code == 200
    assert answer.cookies[settings.CSRF_COOKIE_NAME].value


def test_nothing_of_somebody_signed_in_is_kept(client, ann):
    client.force_login(ann)
    for path in PAGES:
        answer = client.get(path)
        assert "ETag" not in answer
        assert "no-store" in answer["Cache-Control"]


def test_other_pages_are_left_as_they_are(client):
    for path in [reverse("account_login"), "/", "/no-such-page/"]:
        assert "ETag" not in client.get(path)
