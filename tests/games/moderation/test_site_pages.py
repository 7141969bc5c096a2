"""About, Privacy and Contact: Pli's own texts, and those that administrators write instead."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games import errors
from games.models import ModerationLogEntry, SitePage
from games.moderation.site_pages import LONGEST_PAGE, remove_page, write_page
from games.queries.site_pages import page_text
from tests.games.play import database, refused, unchanged
from tests.house.test_french_form_of_address import FAMILIAR
from tests.staff_users import WHO, signed_in, staffed

pytestmark = pytest.mark.django_db

LIST = reverse("admin:games_sitepage_changelist")
ADD = reverse("admin:games_sitepage_add")
PAGES = ["about", "privacy", "contact"]
LANGUAGES = pytest.mark.parametrize("language", ["en", "fr"])


@pytest.fixture
def host():
    return staffed("host")


def sent(**other):
    given = {"name": "about", "language": "en", "text": "Our *club*.", "why": "it is new"}
    return given | other


def show(client, name, language="en"):
    answer = client.get(f"/{name}/", headers={"Accept-Language": language})
    assert answer.status_code == 200
    return answer.text


# Pli's own texts ---------------------------------------------------------------------------------


@LANGUAGES
@pytest.mark.parametrize("name", PAGES)
def test_every_page_has_a_text_in_each_language(client, name, language):
    html = show(client, name, language)
    (text,) = re.findall(r'<div class="prose">(.*?)</div>', html, re.DOTALL)
    assert len(text) > 100
    assert "{{" not in text
    assert "{%" not in text
    assert html.count("<h1>") == 1


def show_as(language, name):
    """Return the text of a page without the page around it."""
    return page_text(name, language).html


@pytest.mark.parametrize("name", PAGES)
def test_the_french_keeps_its_spaces_and_says_vous(name):
    html = show_as("fr", name)
    text = re.sub(r"<[^>]+>", "", html)
    assert re.findall(r" [:;?!»]|« |\w[:;?!]", text) == []
    assert not FAMILIAR.search(html)


@LANGUAGES
def test_privacy_tells_the_times_that_this_service_keeps(settings, language):
    settings.SECURITY_EVENTS_KEPT = timedelta(days=41)
    settings.KEEP_RAW_MAIL = timedelta(days=42)
    settings.SESSION_LIFETIME = timedelta(days=43)
    html = show_as(language, "privacy")
    for days in ("41", "42", "43"):
        assert days in html


def test_privacy_names_every_cookie(client, ann):
    """All that a visit, a sign-in, and the choices of the foot leave in a browser."""
    client.post(reverse("account_login"), {"login": "ann", "password": "secret"})
    client.post(reverse("choose_language"), {"language": "fr"})
    client.get("/rules/")
    html = show_as("en", "privacy")
    assert {"sessionid", "csrftoken", "known_devices", "django_language"} <= set(client.cookies)
    for name in client.cookies:
        assert f"<code>{name}</code>" in html, name
    assert "<code>pli-theme</code>" in html


@LANGUAGES
def test_privacy_tells_of_reports_of_errors_only_where_there_are_any(settings, language):
    without = show_as(language, "privacy")
    settings.SENTRY_DSN = "https://key@sentry.example.org/1"
    assert len(show_as(language, "privacy")) > len(without)


@LANGUAGES
def test_contact_shows_the_public_address_of_the_settings_alone(settings, language):
    settings.HOST_ADDRESS, settings.SECURITY_CONTACT = "host@example.org", ""
    assert "host@example.org" not in show_as(language, "contact")
    settings.SECURITY_CONTACT = "mailto:safe@example.org"
    assert 'href="mailto:safe@example.org"' in show_as(language, "contact")


# The foot ----------------------------------------------------------------------------------------


def test_the_foot_leads_to_them_and_asks_the_database_nothing(client):
    client.get("/rules/")
    with CaptureQueriesContext(connection) as asked:
        html = client.get("/rules/").text
    foot = html[html.index("<footer") :]
    for name in PAGES:
        assert f'href="/{name}/"' in foot
    assert len(asked) == 0


# The host's texts --------------------------------------------------------------------------------


def test_a_text_of_the_host_takes_the_place_of_ours(client, host, now):
    write_page(**sent(), by=host, now=now)
    html = show(client, "about")
    assert "Our <em>club</em>." in html
    assert "folded letter" not in html
    assert "Last changed on 10 March 2026." in html


def test_each_language_has_its_own_and_another_is_better_than_ours(client, host, now):
    write_page(**sent(), by=host, now=now)
    assert '<div class="prose" lang="en"><p>Our' in show(client, "about", "fr")
    write_page(**sent(language="fr", text="Notre club."), by=host, now=now)
    assert '<div class="prose"><p>Notre club.' in show(client, "about", "fr")
    assert "Our <em>club</em>." in show(client, "about")


def test_html_is_shown_as_text_and_unsafe_links_stay_words(client, host, now):
    text = "<script>x</script> [click](javascript:alert(1)) [here](https://example.org/)"
    write_page(**sent(text=text), by=host, now=now)
    html = show(client, "about")
    assert "&lt;script&gt;x" in html
    assert 'href="javascript' not in html
    assert '<a href="https://example.org/">here</a>' in html


def test_the_services_refuse_by_name(host, ann, now):
    with refused(errors.NotAnAdministrator, "Only an administrator", status=403):
        write_page(**sent(), by=ann, now=now)
    with refused(errors.NoReason, "It appears in the log", status=422):
        write_page(**sent(why=" "), by=host, now=now)
    for wrong in (
        {"text": " \n"},
        {"text": "x" * (LONGEST_PAGE + 1)},
        {"text": "a\0b"},
        {"name": "other"},
        {"language": "de"},
    ):
        with refused(errors.BadSitePage, "at most 20000 characters", status=422):
            write_page(**sent(**wrong), by=host, now=now)
    with refused(errors.NoSuchSitePage, "no longer exists", status=404), unchanged():
        remove_page(page_id=99, by=host, why="x", now=now)


# In the admin ------------------------------------------------------------------------------------


def test_an_administrator_writes_changes_and_removes_a_text(client, host):
    client.force_login(host)
    assert client.post(ADD, sent(), follow=True).status_code == 200
    page = SitePage.objects.get()
    change = reverse("admin:games_sitepage_change", args=[page.pk])
    client.post(change, {"text": "Our library.", "why": "we are more"})
    assert "Our library." in show(client, "about")
    chosen = {"action": "remove", "_selected_action": [page.pk]}
    assert 'name="why"' in client.post(LIST, chosen).text
    assert SitePage.objects.exists()
    client.post(LIST, chosen | {"confirmed": 1, "why": "closing"})
    assert not SitePage.objects.exists()
    logged = ModerationLogEntry.objects.order_by("number")
    assert [(one.what, one.why, one.details["text"]) for one in logged] == [
        ("write-page", "it is new", "Our *club*."),
        ("write-page", "we are more", "Our library."),
        ("remove-page", "closing", "Our library."),
    ]


@pytest.mark.parametrize(
    "wrong",
    [{"why": ""}, {"text": " "}, {"name": "x"}, {"language": "de"}, {"text": "x" * 20_001}],
    ids=lambda wrong: str(wrong)[:30],
)
def test_a_text_that_cannot_be_is_refused(client, host, wrong):
    client.force_login(host)
    before = database()
    assert client.post(ADD, sent(**wrong)).status_code == 200
    assert database() == before


def test_a_page_has_one_text_in_a_language(client, host, now):
    write_page(**sent(), by=host, now=now)
    client.force_login(host)
    answer = client.post(ADD, sent(text="Another."))
    assert "This page already has a text in this language." in answer.text
    assert SitePage.objects.get().text == "Our *club*."


@pytest.mark.parametrize("who", WHO)
def test_only_administrators_write(client, host, now, who):
    page = write_page(**sent(), by=host, now=now)
    client.force_login(host) if who == "host" else signed_in(client, who)
    change = reverse("admin:games_sitepage_change", args=[page.pk])
    forms = (
        (ADD, sent(language="fr")),
        (change, {"text": "Other.", "why": "x"}),
        (LIST, {"action": "remove", "_selected_action": [page.pk], "confirmed": 1, "why": "x"}),
    )
    for path, form in forms:
        before = database()
        client.post(path, form)
        assert (database() != before) == (who == "host"), path


def test_moderators_read_them(client, host, now):
    page = write_page(**sent(), by=host, now=now)
    signed_in(client, "moderator")
    html = client.get(reverse("admin:games_sitepage_change", args=[page.pk])).text
    assert "Our *club*." in html
    assert 'name="_save"' not in html
    assert 'name="why"' not in html
