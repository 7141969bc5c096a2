"""Administrators declare outages and maintenance in the admin; moderators can read them."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games.models import ModerationLogEntry, Outage
from games.moderation.site import begin_maintenance
from tests.games.moderating import lose_on_time
from tests.games.play import DAY, begin, database, fresh
from tests.staff_users import WHO, signed_in, staffed

pytestmark = pytest.mark.django_db

LEDGER = reverse("admin:games_outage_changelist")
HOUR = timedelta(hours=1)


def door(name):
    return reverse(f"admin:games_outage_{name}")


def filled(name):
    ended = timezone.now() - HOUR
    began = ended - 5 * HOUR
    times = {
        "began_at_0": began.strftime("%Y-%m-%d"),
        "began_at_1": began.strftime("%H:%M:%S"),
        "ended_at_0": ended.strftime("%Y-%m-%d"),
        "ended_at_1": ended.strftime("%H:%M:%S"),
    }
    said = {"declare": {"note": "no mail", **times}, "close": {"note": "a new disk"}, "open": {}}
    return {"why": "the disk was full", "confirmed": "yes", **said[name]}


@pytest.fixture
def host(client):
    return signed_in(client, "host")


@pytest.fixture
def closed(host):
    return begin_maintenance(
        note="a new disk", by=host, why="so", now=timezone.now() - timedelta(minutes=1)
    )


# Who may -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("name", ["declare", "close", "open"])
def test_only_hosts_declare_close_and_open(client, who, name):
    if name == "open":
        begin_maintenance(note="", by=staffed("host"), why="so", now=timezone.now() - HOUR)
    signed_in(client, who)
    before, status = database(), {"player": 302, "moderator": 403, "host": 200}[who]
    assert client.get(door(name)).status_code == status
    assert database() == before
    client.post(door(name), filled(name))
    assert (database() != before) == (who == "host")


@pytest.mark.parametrize(("who", "status"), [("player", 302), ("moderator", 200), ("host", 200)])
def test_moderators_and_hosts_see_the_ledger(client, who, status):
    signed_in(client, who)
    page = client.get(LEDGER)
    assert page.status_code == status
    assert (door("close") in page.text) == (who == "host")
    assert (door("close") in client.get(reverse("admin:index")).text) == (who == "host")


@pytest.mark.parametrize("who", ["moderator", "host"])
def test_an_entry_is_neither_changed_nor_deleted_nor_added(client, closed, who):
    signed_in(client, who)
    before = database()
    change = reverse("admin:games_outage_change", args=[closed.pk])
    assert 'name="_save"' not in client.get(change).text
    assert client.post(change, {"note": "x"}).status_code == 403
    delete = reverse("admin:games_outage_delete", args=[closed.pk])
    assert client.post(delete, {"post": "yes"}).status_code == 403
    assert client.get(reverse("admin:games_outage_add")).status_code == 403
    client.post(LEDGER, {"action": "delete_selected", "_selected_action": [closed.pk]})
    assert database() == before


# What becomes of it ------------------------------------------------------------------------------


def test_a_declared_outage_is_in_the_ledger_and_the_log(client, host):
    assert client.post(door("declare"), filled("declare"), follow=True).status_code == 200
    outage = Outage.objects.get()
    assert (outage.kind, outage.note, outage.by) == ("declared", "no mail", host)
    assert outage.ended_at - outage.began_at == 5 * HOUR
    act = ModerationLogEntry.objects.get()
    assert (act.what, act.by, act.why) == ("declare-outage", host, "the disk was full")
    assert act.details["note"] == "no mail"
    assert "no mail" in client.get(reverse("outages")).text


@pytest.mark.parametrize("name", ["declare", "close", "open"])
def test_without_a_reason_nothing_is_done(client, host, name):
    if name == "open":
        begin_maintenance(note="", by=host, why="so", now=timezone.now() - HOUR)
    before = database()
    page = client.post(door(name), filled(name) | {"why": " "})
    assert "Check the fields marked below" in page.text
    assert database() == before


def test_an_outage_that_cannot_have_been_is_refused_and_the_form_is_kept(client, host):
    future = {"ended_at_0": (timezone.now() + DAY).strftime("%Y-%m-%d")}
    page = client.post(door("declare"), filled("declare") | future)
    assert "must start before it ends" in page.text
    assert 'value="no mail"' in page.text
    assert not Outage.objects.exists()
    assert not ModerationLogEntry.objects.exists()


def test_two_administrators_do_not_close_the_site_twice(client, closed):
    page = client.post(door("close"), filled("close"))
    assert "Maintenance has already started" in page.text
    assert Outage.objects.count() == ModerationLogEntry.objects.count() == 1


def test_the_index_says_that_it_is_closed_and_leads_to_opening_it(client, closed):
    page = client.get(reverse("admin:index")).text
    assert "All clocks are stopped" in page
    assert door("open") in page
    client.post(door("open"), filled("open"))
    assert "All clocks are stopped" not in client.get(reverse("admin:index")).text
    assert [act.what for act in ModerationLogEntry.objects.all()] == ["open-house", "close-house"]


# Games that were lost because of it ---------------------------------------------------------------


@pytest.fixture
def lost(ann, bob):
    """Two games whose last turn ended during the outage that `filled` declares."""
    ended = timezone.now() - 3 * HOUR
    games = [begin(ann, bob, now=ended - 2 * DAY) for _ in range(2)]
    for game in games:
        lose_on_time(game, now=ended)
    return games


def test_after_declaring_the_lost_games_are_shown_and_reopened_by_one_button(client, host, lost):
    answer = client.post(door("declare"), filled("declare"))
    page = reverse("admin:games_outage_lost", args=[Outage.objects.get().pk])
    assert answer["Location"] == page
    shown = client.get(page).text
    for game in lost:
        assert re.search(rf'name="games" value="{game.pk}"[^>]* checked', shown)
    assert "ann, bob" in shown
    before = database()
    assert "Nothing was done yet" in client.post(page, {"games": [], "why": "so"}).text
    assert "Nothing was done yet" in client.post(page, {"games": [lost[0].pk]}).text
    assert "Nothing was done yet" in client.post(page, {"games": [10**9], "why": "so"}).text
    assert database() == before
    chosen = {"games": [lost[0].pk], "why": "the disk was full", "confirmed": "yes"}
    done = client.post(page, chosen, follow=True)
    assert "1 game is open again." in done.text
    assert [fresh(game).status for game in lost] == ["active", "aborted"]
    assert "Lost games" in client.get(LEDGER).text
    client.post(page, chosen | {"games": [lost[1].pk]})
    assert "No game was lost because of this outage." in client.get(page, follow=True).text
    assert ModerationLogEntry.objects.filter(what="reopen", by=host).count() == 2


@pytest.mark.parametrize(("who", "status"), [("player", 302), ("moderator", 403)])
def test_only_administrators_see_what_was_lost(client, who, status):
    outage = Outage.objects.create(
        kind="gap",
        began_at=timezone.now() - DAY,
        ended_at=timezone.now() - HOUR,
        noted_at=timezone.now(),
    )
    signed_in(client, who)
    page = reverse("admin:games_outage_lost", args=[outage.pk])
    assert client.get(page).status_code == status
    if who == "moderator":
        assert page not in client.get(LEDGER).text


# For players -------------------------------------------------------------------------------------


def test_closing_and_opening_by_the_pages_gives_the_time_back(client, host, game, ann, now):
    client.post(door("close"), filled("close"))
    client.force_login(ann)
    path = game.get_absolute_url()
    for page in ("/", path, reverse("lobby"), reverse("rules_index"), reverse("profile_edit")):
        shown = client.get(page)
        assert shown.status_code == 200
        assert "Closed for maintenance." in shown.text
        assert "a new disk" in shown.text
    before = database()
    refused = client.post(reverse("game_play", args=[game.pk]), {"text": "5", "expected_turn": "0"})
    assert refused.status_code == 503
    assert "You can read everything, but nothing can be" in refused.text
    assert database() == before
    client.force_login(host)
    client.post(door("open"), filled("open"))
    client.force_login(ann)
    assert "Closed for maintenance." not in client.get(path).text
    assert fresh(game).turn_number == 0


def test_the_banner_costs_a_page_no_query(client, host, ann, closed):
    client.force_login(ann)
    client.get(reverse("rules_index"))
    with CaptureQueriesContext(connection) as asked:
        assert "Closed for maintenance." in client.get(reverse("rules_index")).text
    assert not [query for query in asked if "outage" in query["sql"] or "announc" in query["sql"]]


def test_the_list_of_outages_needs_at_most_twelve_queries(client, host, closed):
    client.get(LEDGER)
    with CaptureQueriesContext(connection) as asked:
        client.get(LEDGER)
    assert len(asked) <= 12
