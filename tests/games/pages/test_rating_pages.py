"""Ratings on pages, in mails and in the API: who sees them, and what it costs."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Audience, User
from games.clock.time_control import per_turn
from games.models import Game, Rating, Terms
from games.queries.ratings import ON_A_PAGE, rating_list, table_kinds
from games.services.ratings import rate_due
from tests.factories import PersonFactory
from tests.games.play import DAY, begin, table
from tests.games.test_ratings import lost

pytestmark = pytest.mark.django_db

MOST_QUERIES = 7


@pytest.fixture
def rated(ann, bob, now):
    """Return two games that ann has won against bob, rated."""
    games = [lost(begin(ann, bob, now=now), bob, now=now) for _ in range(2)]
    rate_due(seconds=60)
    return games


def certain(player, number, slug="morpion"):
    return Rating(
        player=player,
        rules_slug=slug,
        table_kind="2",
        mu=number,
        sigma=50.0,
        games=40,
        of_program=player.is_bot,
        changed_at=player.date_joined,
    )


def test_the_profile_leads_to_the_history_with_every_game(client, rated):
    page = client.get("/people/ann/").content.decode()
    newest = Rating.objects.get(player__username="ann")
    assert f"{newest.number} ± {newest.range}?" in page
    address = "/people/ann/ratings/morpion/?table=2"
    assert address in page
    history = client.get(address).content.decode()
    assert "<polyline" in history
    for game in rated:
        assert f"/games/{game.pk}/" in history
    assert f"{newest.number} ± {newest.range}" in history


def test_who_hides_results_hides_the_rating(client, ann, bob, rated):
    User.objects.filter(pk=ann.pk).update(results_shown_to=Audience.MEMBERS)
    Rating.objects.all().delete()
    Rating.objects.bulk_create([certain(ann, 1700.0), certain(bob, 1600.0)])
    assert "±" not in client.get("/people/ann/").content.decode()
    assert client.get("/people/ann/ratings/morpion/").status_code == 404
    game = client.get(f"/games/{rated[0].pk}/").content.decode()
    assert game.count("→") == 1  # bob's alone
    listed = client.get("/ratings/morpion/").content.decode()
    assert "1600 ± 100" in listed
    assert "1700" not in listed
    client.force_login(bob)
    assert "1700 ± 100" in client.get("/ratings/morpion/").content.decode()


@pytest.mark.parametrize("change", [{"is_active": False}, {"barred_until": "2999-01-01T00:00Z"}])
def test_closed_and_suspended_accounts_are_not_listed(change, client, ann):
    Rating.objects.bulk_create([certain(ann, 1700.0)])
    assert "1700 ± 100" in client.get("/ratings/morpion/").content.decode()
    User.objects.filter(pk=ann.pk).update(**change)
    assert "1700" not in client.get("/ratings/morpion/").content.decode()


def test_programs_are_listed_apart_and_provisional_ratings_not_at_all(client, ann, bob, partner):
    wide = certain(bob, 1900.0)
    wide.sigma = 101.0
    Rating.objects.bulk_create([certain(ann, 1700.0), certain(partner, 1800.0), wide])
    people = client.get("/ratings/morpion/").content.decode()
    programs = client.get("/ratings/morpion/?of=programs").content.decode()
    assert ("1700" in people, "1800" in people, "1900" in people) == (True, False, False)
    assert ("1700" in programs, "1800" in programs) == (False, True)


def test_the_list_is_read_page_after_page_by_its_index(client, ann, now):
    people = PersonFactory.create_batch(ON_A_PAGE + 20)
    Rating.objects.bulk_create([certain(one, 1500.0 + at // 2) for at, one in enumerate(people)])
    seen, after = [], 0
    while True:
        found = rating_list("morpion", "2", ann, after=after, now=now)
        seen += [one.pk for one in found.rows]
        if not (after := found.following):
            break
    right = Rating.objects.order_by("-mu", "-pk").values_list("pk", flat=True)
    assert seen == list(right)
    assert len(seen) == ON_A_PAGE + 20
    with CaptureQueriesContext(
        connection,
    ) as made:
        page = client.get("/ratings/morpion/")
    assert len(made) <= MOST_QUERIES
    further = page.context["following"]
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL enable_seqscan = off")
            cursor.execute("SET LOCAL enable_bitmapscan = off")
            cursor.execute("SET LOCAL enable_sort = off")
        for cursor_key in (0, further):
            with CaptureQueriesContext(connection) as made:
                rating_list("morpion", "2", ann, after=cursor_key, now=now)
            explain = "EXPLAIN " if connection.vendor == "postgresql" else "EXPLAIN QUERY PLAN "
            cursor.execute(explain + made[-1]["sql"])
            plan = str(cursor.fetchall())
            assert "rating_list" in plan
            assert "Sort" not in plan  # SQLite sorts: it takes NOT of_program for no column


def test_the_kinds_of_table_are_those_of_the_options():
    assert list(table_kinds("morpion")) == ["2"]
    assert list(table_kinds("superpion")) == ["2", "3", "4", "4t"]


def test_the_page_of_a_finished_game_says_what_it_changed(client, ann, rated):
    first = ann.rating_changes.order_by("pk").first()
    page = client.get(f"/games/{first.game_id}/").content.decode()
    assert f"1500 → {first.number}, ± {first.range}" in page


def test_open_tables_show_how_strong_their_creator_is_and_what_is_not_rated(client, ann, bob, now):
    Rating.objects.bulk_create([certain(ann, 1700.0)])
    table(ann, now=now)
    unrated = table(bob, now=now, terms=Terms(per_turn(DAY), is_rated=False))
    page = client.get("/tables/").content.decode()
    assert "1700 ± 100" in page
    assert page.count("unrated") == 1
    facts = client.get(f"/games/{unrated.pk}/").content.decode()
    assert "<dt>Rated</dt><dd>no</dd>" in facts


@pytest.mark.parametrize(("sent", "is_rated"), [({"is_rated": "on"}, True), ({}, False)])
def test_the_form_says_whether_a_table_is_rated(sent, is_rated, client, ann):
    client.force_login(ann)
    assert 'name="is_rated"' in client.get("/tables/new/?game=morpion").content.decode()
    given = {"game": "morpion", "whom": "anybody", "pace": "turn", "days": "3", **sent}
    assert client.post("/tables/new/", given).status_code == 302
    assert Game.objects.get().is_rated is is_rated


def test_the_command_says_how_many_games_are_rated(ann, bob, now):
    lost(begin(ann, bob, now=now), bob, now=now)
    said = StringIO()
    call_command("ratings", "update", stdout=said)
    assert said.getvalue() == "1 games are rated.\n"
