"""Certificates of a season that is over: what they say, who has one, and how they are kept."""

import re
import struct
from datetime import timedelta

import pytest
from django.urls import reverse

from accounts.models import User
from accounts.server_time import server_now
from games.models import LeagueGame
from games.queries.certificates import certificate_of
from games.services.endings import resign
from games.services.leagues.entries import leave_season
from games.services.leagues.seasons import run_leagues
from notifications.deletion.deleting import delete_due_accounts
from tests.factories import PersonFactory
from tests.games.leagues.simulation import started

pytestmark = pytest.mark.django_db

SEASON = "/leagues/morpion/1/"


@pytest.fixture
def four(ann, bob, cat, dan):
    return [ann, bob, cat, dan]


@pytest.fixture
def running(four, now):
    """A season of ann, bob, cat and dan in which ann has won all of her games."""
    season, start = started(four, server_now() - timedelta(days=70))
    for row in LeagueGame.objects.select_related("first__user", "second__user"):
        players = [row.first.user, row.second.user]
        loser = max(players, key=lambda one: one.username)
        resign(game_id=row.game_id, user=loser, now=start)
    return season


@pytest.fixture
def over(running):
    run_leagues(now=running.final_at)
    running.refresh_from_db()
    assert running.ended_at is not None
    return running


def entry_of(season, person):
    return season.entries.get(user=person).pk


def test_it_says_name_season_division_place_points_and_the_postmark(client, over, ann):
    ann.display_name = "Ann <Otter>"
    ann.save()
    found = certificate_of(entry_of(over, ann))
    answer = client.get(found.svg_address)
    drawn = answer.content.decode()
    said = " ".join(re.findall(r">([^<]+)</text>", drawn))
    for words in (
        "Ann &lt;Otter&gt;",
        str(over),
        "Place 1 of 4 in division 1.",
        "6 points – 3 won, 0 drawn, 0 lost.",
        "localhost",
        str(over.final_at.year),
    ):
        assert words in said
    assert answer["Content-Type"] == "image/svg+xml"
    assert "immutable" in answer["Cache-Control"]
    assert "sandbox" in answer["Content-Security-Policy"]
    assert (
        client.get(found.svg_address, headers={"if-none-match": answer["ETag"]}).status_code == 304
    )


def test_the_picture_has_the_size_of_a_card(client, over, bob):
    answer = client.get(certificate_of(entry_of(over, bob)).png_address)
    assert answer["Content-Type"] == "image/png"
    assert answer.content[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", answer.content[16:24]) == (1200, 630)
    assert len(answer.content) < 60_000


def test_it_is_written_in_the_language_of_its_address(client, over, ann):
    address = certificate_of(entry_of(over, ann)).svg_address
    french = client.get(address.replace("-en-", "-fr-"), follow=True)
    assert "Place 1 sur 4 en division 1." in french.content.decode()
    assert client.get(address.replace("-en-", "-xx-")).status_code == 404
    assert client.get(address.replace(".svg", ".gif")).status_code == 404


def test_an_address_that_is_no_longer_right_leads_to_the_new_one(client, over, ann):
    before = certificate_of(entry_of(over, ann)).png_address
    ann.display_name = "Annabel"
    ann.save()
    answer = client.get(before)
    assert answer.status_code == 302
    assert answer["Location"] == certificate_of(entry_of(over, ann)).png_address != before


def test_there_is_none_while_the_season_is_played(client, running, ann, as_ann):
    entry = entry_of(running, ann)
    assert certificate_of(entry) is None
    args = [entry, "en", "0" * 20, "png"]
    assert client.get(reverse("certificate", args=args)).status_code == 404
    assert "certificate" not in as_ann.get(SEASON).content.decode().lower()


def test_who_left_or_did_not_take_part_has_none(client, four, ann, dan):
    season, start = started(four, server_now() - timedelta(days=70))
    leave_season(rules_slug="morpion", user=ann, now=start)
    run_leagues(now=season.final_at)
    (next_season,) = season.league.seasons.filter(number=2)
    assert certificate_of(entry_of(season, ann)) is None
    assert certificate_of(entry_of(season, dan)) is not None
    assert certificate_of(0) is None
    assert not next_season.entries.exclude(division=None).exists()


def test_the_season_s_page_links_them_and_shows_one_s_own(client, over, four, ann):
    addresses = {one: certificate_of(entry_of(over, one)).png_address for one in four}
    page = client.get(SEASON).content.decode()
    assert all(page.count(address) == 1 for address in addresses.values())
    assert "Your certificate" not in page
    client.force_login(ann)
    own = client.get(SEASON).content.decode()
    assert "Your certificate" in own
    assert own.count(addresses[ann]) == 4  # link and picture, two to take, one in the table
    assert certificate_of(entry_of(over, ann)).svg_address in own


def test_a_deleted_account_is_named_as_everywhere(client, over, bob):
    entry = entry_of(over, bob)
    bob.display_name = "Robert"
    bob.save()
    assert "Robert" in client.get(certificate_of(entry).svg_address).content.decode()
    now = server_now()
    User.objects.filter(pk=bob.pk).update(deletion_due_at=now)
    delete_due_accounts(now=now)
    bob.refresh_from_db()
    drawn = client.get(certificate_of(entry).svg_address).content.decode()
    assert "Robert" not in drawn
    assert "bob" not in drawn
    assert str(bob) in drawn


def test_a_page_asks_as_often_for_many_certificates_as_for_few(
    client, now, django_assert_max_num_queries
):
    season, _ = started([PersonFactory() for _ in range(13)], server_now() - timedelta(days=70))
    run_leagues(now=season.final_at)
    season.refresh_from_db()
    client.get(SEASON)
    with django_assert_max_num_queries(5):
        page = client.get(SEASON).content.decode()
    assert page.count("/boards/certificate-") == 13
