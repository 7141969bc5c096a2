"""Announcements: administrators write them in both languages, every page shows them."""

from datetime import timedelta

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games import errors
from games.models import Announcement, ModerationLogEntry
from games.moderation.site import change_announcement, publish_announcement, withdraw_announcement
from games.services.site_status import site_status
from tests.games.play import DAY, SECOND, database, refused, unchanged
from tests.staff_users import WHO, signed_in, staffed

pytestmark = pytest.mark.django_db

LIST = reverse("admin:games_announcement_changelist")
ADD = reverse("admin:games_announcement_add")


@pytest.fixture
def host():
    return staffed("host")


def words(**other):
    said = {"english": "New boards on Sunday.", "french": "De nouveaux plateaux dimanche."}
    return said | {"why": "they are ready"} | other


@pytest.fixture
def said(host):
    """An announcement that is valid for a day, by the clock on the wall."""
    now = timezone.now()
    return publish_announcement(**words(), from_at=now - SECOND, until=now + DAY, by=host, now=now)


def sent(**other):
    now = timezone.now()
    times = {
        "from_at_0": now.strftime("%Y-%m-%d"),
        "from_at_1": "00:00:00",
        "until_0": (now + 2 * DAY).strftime("%Y-%m-%d"),
        "until_1": "00:00:00",
    }
    return words() | times | other


# On the pages ------------------------------------------------------------------------------------


def test_everybody_reads_it_in_their_language(client, said, ann, bob):
    assert said.english in client.get("/").text
    assert said.french in client.get("/", headers={"accept-language": "fr"}).text
    for person, text in ((ann, said.english), (bob, said.french)):
        client.force_login(person)
        for page in ("/", reverse("lobby"), reverse("outages"), reverse("profile_edit")):
            assert text in client.get(page).text


def test_it_is_shown_from_its_first_second_to_its_last(host, now):
    said = publish_announcement(**words(), from_at=now + DAY, until=now + 2 * DAY, by=host, now=now)
    for at, told in (
        (now + DAY - SECOND, []),
        (now + DAY, [said]),
        (now + 2 * DAY - SECOND, [said]),
        (now + 2 * DAY, []),
    ):
        assert site_status(at).announcements == told


def test_a_new_changed_or_withdrawn_announcement_is_shown_at_once(client, said, host):
    now = timezone.now()
    assert said.english in client.get("/").text
    times = {"from_at": said.from_at, "until": said.until, "by": host, "now": now}
    change_announcement(announcement_id=said.pk, **words(english="On Monday."), **times)
    assert "On Monday." in client.get("/").text
    withdraw_announcement(announcement_id=said.pk, by=host, why="cancelled", now=now)
    assert "On Monday." not in client.get("/").text


def test_what_another_process_changed_is_seen_within_a_minute(settings, said, now, monkeypatch):
    clock = [1000.0]
    monkeypatch.setattr("django.core.cache.backends.locmem.time.time", lambda: clock[0])
    monkeypatch.setattr("django.core.cache.backends.base.time.time", lambda: clock[0])
    caches["near"].clear()
    at = timezone.now()
    assert site_status(at).announcements == [said]
    Announcement.objects.all().delete()
    assert site_status(at).announcements == [said]
    clock[0] += 60
    assert site_status(at).announcements == []


def test_it_costs_a_page_no_question(client, said):
    client.get("/rules/")
    with CaptureQueriesContext(connection) as asked:
        assert said.english in client.get("/rules/").text
    assert not [query for query in asked if "announcement" in query["sql"]]


def test_its_text_is_escaped(client, host):
    now = timezone.now()
    bold = words(english="<b>New</b>")
    publish_announcement(**bold, from_at=now - SECOND, until=now + DAY, by=host, now=now)
    assert "&lt;b&gt;New" in client.get("/").text


# Dismissing --------------------------------------------------------------------------------------


def dismissal(page):
    """Return where the form of the announcement on a page sends to."""
    _, found, after = page.partition('action="/announcements/')
    assert found
    return "/announcements/" + after.partition('"')[0]


def test_a_click_without_javascript_dismisses_it_for_this_browser(said, ann):
    browser, other = Client(enforce_csrf_checks=True), Client()
    page = browser.get("/tables/").text
    token = page.partition('name="csrfmiddlewaretoken" value="')[2].partition('"')[0]
    sent_to = {"next": "/tables/", "csrfmiddlewaretoken": token}
    answer = browser.post(dismissal(page), sent_to)
    assert (answer.status_code, answer.url) == (302, "/tables/")
    assert said.english not in browser.get("/tables/").text
    assert said.english not in browser.get("/").text
    assert said.english in other.get("/tables/").text


def test_the_browser_forgets_it_when_it_is_closed(client, said):
    client.post(dismissal(client.get("/").text), {"next": "/"})
    cookie = client.cookies["dismissed"]
    assert (cookie["expires"], cookie["max-age"]) == ("", "")


def test_a_dismissed_announcement_is_shown_again_when_its_text_changes(client, said, host):
    client.post(dismissal(client.get("/").text))
    times = {"from_at": said.from_at, "until": said.until, "by": host, "now": timezone.now()}
    change_announcement(announcement_id=said.pk, **words(english="On Monday."), **times)
    assert "On Monday." in client.get("/").text


@pytest.mark.parametrize("page", ["https://elsewhere.example/", "//elsewhere.example", "", "x:y"])
def test_it_leads_nowhere_else(client, said, page):
    assert client.post(dismissal(client.get("/").text), {"next": page}).url == "/"


def test_dismissing_is_no_get_and_odd_marks_do_no_harm(client, said):
    assert client.get(dismissal(client.get("/").text)).status_code == 405
    client.cookies["dismissed"] = "." * 50 + "x" * 3000
    assert client.post("/announcements/nothing-known/dismiss/").status_code == 302
    assert said.english in client.get("/").text


# By hosts ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("who", WHO)
def test_only_hosts_announce_change_and_withdraw(client, said, who):
    who == "host" or signed_in(client, who)
    if who == "host":
        client.force_login(said.by)
    page = reverse("admin:games_announcement_change", args=[said.pk])
    forms = (
        (ADD, sent()),
        (page, sent(english="On Monday.")),
        (LIST, {"action": "withdraw", "_selected_action": [said.pk], "confirmed": 1, "why": "x"}),
    )
    for path, form in forms:
        before = database()
        client.post(path, form)
        assert (database() != before) == (who == "host"), path
    assert client.get(LIST).status_code == {"player": 302}.get(who, 200)


def test_moderators_read_them(client, said):
    signed_in(client, "moderator")
    page = client.get(reverse("admin:games_announcement_change", args=[said.pk])).text
    assert said.french in page
    assert 'name="_save"' not in page
    assert 'name="why"' not in page


def test_an_administrator_announces_in_the_admin(client, host):
    client.force_login(host)
    assert client.post(ADD, sent(), follow=True).status_code == 200
    said = Announcement.objects.get()
    assert (said.french, said.by) == ("De nouveaux plateaux dimanche.", host)
    act = ModerationLogEntry.objects.get()
    assert (act.what, act.why, act.details["english"]) == (
        "announce",
        "they are ready",
        said.english,
    )
    assert (
        "announcement published"
        in client.get(reverse("admin:games_moderationlogentry_changelist")).text
    )
    assert said.english in client.get("/").text


@pytest.mark.parametrize(
    "wrong",
    [{"why": ""}, {"french": " "}, {"until_0": "2020-01-01"}, {"english": "x" * 401}],
    ids=str,
)
def test_an_announcement_that_nobody_could_read_is_refused(client, host, wrong):
    client.force_login(host)
    before = database()
    assert client.post(ADD, sent(**wrong)).status_code == 200
    assert database() == before


def test_withdrawing_asks_for_a_reason_first(client, said):
    client.force_login(said.by)
    chosen = {"action": "withdraw", "_selected_action": [said.pk]}
    assert 'name="why"' in client.post(LIST, chosen).text
    assert "Check the fields marked below" in client.post(LIST, chosen | {"confirmed": 1}).text
    assert Announcement.objects.exists()
    client.post(LIST, chosen | {"confirmed": 1, "why": "cancelled"})
    assert not Announcement.objects.exists()
    act = ModerationLogEntry.objects.order_by("-number").first()
    assert (act.why, act.details["french"]) == ("cancelled", said.french)


def test_the_services_refuse_by_name(host, ann, now):
    times = {"from_at": now, "until": now + DAY, "now": now}
    with refused(errors.NotAnAdministrator, "Only an administrator can do that", status=403):
        publish_announcement(**words(), **times, by=ann)
    with refused(errors.NoReason, "It appears in the log", status=422):
        publish_announcement(**words(why=" "), **times, by=host)
    with refused(errors.BadAnnouncement, "both languages", status=422):
        publish_announcement(**words(), **times | {"until": now}, by=host)
    with refused(errors.BadAnnouncement, "both languages", status=422):
        publish_announcement(**words(english="x" * 401), **times, by=host)
    with (
        refused(errors.NoSuchAnnouncement, "This announcement no longer exists", status=404),
        unchanged(),
    ):
        withdraw_announcement(announcement_id=99, by=host, why="x", now=now + timedelta(hours=1))
