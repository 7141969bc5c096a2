import time

import pytest
from allauth.usersessions.models import UserSession
from django.db import connection
from django.http import HttpResponse
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone, translation

from accounts.middleware import UserLocaleMiddleware, UserSessionMiddleware

pytestmark = pytest.mark.django_db


def seen_by(person, rf):
    """Return language and zone as a view would find them, and the answer."""
    found = {}

    def view(request):
        found.update(language=translation.get_language(), zone=timezone.get_current_timezone_name())
        return HttpResponse()

    request = rf.get("/")
    request.user = person
    answer = UserLocaleMiddleware(view)(request)
    return found, answer


def test_somebody_signed_in_reads_in_their_language_and_zone(rf, ann, bob):
    for person, language, zone in ((ann, "en", "Europe/London"), (bob, "fr", "Europe/Paris")):
        found, answer = seen_by(person, rf)
        assert found == {"language": language, "zone": zone}
        assert answer.headers["Content-Language"] == language


def test_nothing_of_one_reader_is_left_for_the_next(rf, bob, client):
    seen_by(bob, rf)
    assert translation.get_language() == "en"
    assert timezone.get_current_timezone_name() == "UTC"
    client.force_login(bob)
    client.get(reverse("profile_edit"))
    client.logout()
    page = client.get(reverse("account_login"))
    assert page.headers["Content-Language"] == "en"
    assert '<html lang="en">' in page.content.decode()


def test_the_profile_wins_over_the_browser(client, bob):
    client.force_login(bob)
    page = client.get(reverse("profile_edit"), headers={"accept-language": "en"})
    assert page.headers["Content-Language"] == "fr"
    assert '<html lang="fr">' in page.content.decode()


def test_a_stranger_reads_in_the_browsers_language(client):
    page = client.get(reverse("account_login"), headers={"accept-language": "fr-CH, en;q=0.5"})
    assert page.headers["Content-Language"] == "fr"


def test_a_page_that_is_not_there_speaks_the_readers_language_too(client, bob):
    client.force_login(bob)
    page = client.get("/people/nobody-here/")
    assert (page.status_code, page.headers["Content-Language"]) == (404, "fr")


def test_the_language_switch_changes_a_strangers_pages(client):
    answer = client.post(reverse("choose_language"), {"language": "fr", "next": "/accounts/login/"})
    assert answer.url == "/accounts/login/"
    assert client.get("/accounts/login/").headers["Content-Language"] == "fr"


def test_the_language_switch_changes_the_profile_of_the_user_who_is_signed_in(client, ann, bob):
    client.force_login(ann)
    client.post(reverse("choose_language"), {"language": "fr"})
    ann.refresh_from_db()
    assert ann.language == "fr"


@pytest.mark.parametrize("language", ["tlh", "", "de", "en\x00", "x" * 5000])
def test_the_language_switch_ignores_what_we_do_not_speak(client, ann, language):
    client.force_login(ann)
    answer = client.post(reverse("choose_language"), {"language": language, "next": "/settings/"})
    assert answer.status_code == 302
    ann.refresh_from_db()
    assert ann.language == "en"


def test_the_language_switch_leads_to_no_other_site_and_wants_a_post(client):
    answer = client.post(
        reverse("choose_language"), {"language": "fr", "next": "https://elsewhere.example/"}
    )
    assert answer.url == "/"
    assert client.get(reverse("choose_language")).status_code == 405


def queries_of(client, **headers):
    with CaptureQueriesContext(connection) as queries:
        client.get(reverse("profile_edit"), headers=headers)
    return [query["sql"] for query in queries if "usersessions_usersession" in query["sql"]]


def test_where_somebody_is_signed_in_is_noted_once_in_a_while(client, ann, monkeypatch):
    client.force_login(ann)
    assert queries_of(client)
    session = UserSession.objects.get(user=ann)
    assert queries_of(client) == []
    later = time.time() + UserSessionMiddleware.OFTEN
    monkeypatch.setattr("accounts.middleware.time.time", lambda: later - 2)
    assert queries_of(client) == []
    monkeypatch.setattr("accounts.middleware.time.time", lambda: later + 1)
    assert queries_of(client)
    assert UserSession.objects.get(user=ann).last_seen_at > session.last_seen_at


def test_another_browser_is_noted_at_once(client, ann):
    client.force_login(ann)
    queries_of(client)
    assert queries_of(client, **{"User-Agent": "Lynx"})
    assert UserSession.objects.get(user=ann).user_agent == "Lynx"
