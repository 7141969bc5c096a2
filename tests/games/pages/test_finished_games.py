"""The search over finished games: what it finds, page by page, and what it costs."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import Game, Seat
from games.moderation.game_actions import reopen_game
from games.queries import finished_games
from games.queries.home import home_page
from games.services.deadlines import time_out_due
from games.services.endings import abort, resign
from tests.bench.reads import rows_read
from tests.games.browsing import html_of
from tests.games.moderating import WHY, a_moderator
from tests.games.play import DAY, SECOND, begin, fresh, play_all

pytestmark = pytest.mark.django_db

DRAW = ["1", "2", "3", "5", "4", "6", "8", "7", "9"]
"""A game of Morpion that nobody wins."""


@pytest.fixture
def over(ann, bob, cat):
    """Games of ann that are over: won, lost, drawn, aborted, and won against cat, by their end."""
    now = datetime(2024, 5, 1, 12, tzinfo=UTC)
    games = [begin(ann, bob, now=now) for _ in range(4)]
    games.append(begin(ann, cat, now=now, slug="taquet"))
    resign(game_id=games[0].pk, user=bob, now=now)
    resign(game_id=games[1].pk, user=ann, now=now + DAY)
    play_all(games[2], DRAW, now=now + DAY + SECOND)
    abort(game_id=games[3].pk, user=ann, now=now + DAY + 2 * SECOND)
    resign(game_id=games[4].pk, user=cat, now=now + 2 * DAY)
    begin(ann, bob, now=now)
    resign(game_id=begin(bob, cat, now=now).pk, user=bob, now=now)
    return games


def found(client, query=""):
    html = html_of(client, f"/finished/?{query}")
    rows = r'<h3 class="game-row-title">\s*<a href="/games/(\d+)/'
    return [int(pk) for pk in re.findall(rows, html)]


@pytest.mark.parametrize(
    ("query", "places"),
    [
        ("", (4, 3, 2, 1, 0)),
        ("result=won", (4, 0)),
        ("result=lost", (1,)),
        ("result=drawn", (2,)),
        ("result=aborted", (3,)),
        ("game=taquet", (4,)),
        ("name=Bo", (3, 2, 1, 0)),
        ("name=ob", ()),
        ("name=ann", ()),
        ("name=cat&result=won&game=taquet&year=2024", (4,)),
        ("year=2024", (4, 3, 2, 1, 0)),
        ("year=2023", ()),
        ("year=99999&result=x&game=y&before=z", (4, 3, 2, 1, 0)),
    ],
)
def test_finished_games_are_found(as_ann, over, query, places):
    assert found(as_ann, query) == [over[place].pk for place in places]


def test_a_year_is_that_of_the_players_time_zone(as_ann, ann, over):
    ann.time_zone = "Asia/Tokyo"
    ann.save()
    moment = datetime(2024, 12, 31, 15, tzinfo=UTC)  # midnight in Tokyo
    Seat.objects.filter(game=over[0]).update(ended_at=moment)
    Seat.objects.filter(game=over[1]).update(ended_at=moment - SECOND)
    assert found(as_ann, "year=2025") == [over[0].pk]
    assert found(as_ann, "year=2024")[0] == over[1].pk
    assert re.findall(r'<option value="(20\d\d)"', html_of(as_ann, "/finished/")) == [
        "2025",
        "2024",
    ]


def test_a_bot_is_found_by_its_name_in_the_readers_language(as_ann, client, ann, bob, partner):
    now = timezone.now()
    for player, language, name in ((ann, "en", "practice"), (bob, "fr", "entra")):
        game = begin(player, partner, now=now)
        resign(game_id=game.pk, user=player, now=now)
        client.force_login(player)
        assert found(client, f"name={name}") == [game.pk], language
        assert found(client, "name=zzz") == []


def test_pages_follow_each_other(as_ann, over, monkeypatch):
    monkeypatch.setattr(finished_games, "ON_A_PAGE", 2)
    Seat.objects.filter(game__in=over[1:4]).update(ended_at=timezone.now())  # at the same moment
    path, seen = "/finished/?result=", []
    while path:
        html = html_of(as_ann, path)
        seen += re.findall(r'<h3 class="game-row-title">\s*<a href="/games/(\d+)/', html)
        older = re.search(r'rel="next" href="([^"]+)"', html)
        path = older and f"/finished/{older[1]}"
    assert [int(pk) for pk in seen] == [over[place].pk for place in (3, 2, 1, 4, 0)]
    assert "Newest" in html


def test_every_end_is_noted_and_a_reopened_game_is_not_over(ann, bob, over):
    ended = dict(Game.objects.filter(ended_at__isnull=False).values_list("pk", "ended_at"))
    noted = Seat.objects.filter(ended_at__isnull=False).values_list("game", "ended_at")
    assert dict(noted) == ended
    assert len(noted) == 2 * len(ended)
    now = timezone.now()
    late = play_all(begin(ann, bob, now=now), ["5", "1"], now=now)
    time_out_due(now=fresh(late).deadline + SECOND)
    assert late.seats.exclude(ended_at=fresh(late).ended_at).count() == 0
    assert late.pk in [game.pk for game in home_page(ann).finished]
    later = fresh(late).ended_at + DAY
    reopen_game(game_id=late.pk, by=a_moderator("zoe"), why=WHY, now=later)
    assert not late.seats.filter(ended_at__isnull=False).exists()
    assert late.pk not in [game.pk for game in home_page(ann).finished]


MANY = 10_000
MOST_QUERIES = 7


@pytest.fixture
def many(ann, bob, cat):
    """Ten thousand finished games of ann, a minute apart: some lost, and a hundred against cat."""
    now = timezone.now()
    what = {"creator": ann, "allowance": DAY, "created_at": now - 9 * DAY, "started_at": now}
    over = {"status": "finished", "ending": "resigned", "rules_slug": "morpion"}
    games = [
        Game(**what, **over, ended_at=now - timedelta(minutes=number)) for number in range(MANY)
    ]
    Game.objects.bulk_create(games, batch_size=1000)
    seats = []
    for number, game in enumerate(games):
        loses = number % 50 == 0
        other = cat if number % 100 == 99 else bob
        for player, place in ((ann, 1 + loses), (other, 2 - loses)):
            seat = {"number": len(seats) % 2, "user": player, "place": place}
            seats.append(Seat(game=game, ended_at=game.ended_at, **seat))
    Seat.objects.bulk_create(seats, batch_size=1000)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return games


SEARCHES = {
    "": 200,
    "year={year}": 200,
    "result=won": 200,
    "game=morpion": 200,
    "before={middle}": 200,
    "result=lost": 4000,
    "name=cat&before={middle}": 6000,
}
"""How many rows of a table each search reads at most. What is rare among the newest is looked for
in more of them, but never beyond the player's own games."""


@pytest.mark.postgresql
@pytest.mark.timeout(300)
def test_a_search_reads_by_index(as_ann, many):
    html_of(as_ann, "/rules/")
    middle = many[MANY // 2]
    for query, most in SEARCHES.items():
        path = f"/finished/?{query}".format(year=middle.ended_at.year, middle=middle.pk)
        with CaptureQueriesContext(connection) as asked:
            assert html_of(as_ann, path).count('class="game-row-title"') == 30
        made = [one["sql"] for one in asked if "SAVEPOINT" not in one["sql"]]
        # One more than the list of running games, which knows how many wait.
        assert len(made) <= MOST_QUERIES + 1, made
        read = {sql: rows_read(sql) for sql in made if sql.lstrip().startswith("SELECT")}
        much = {sql: rows for sql, rows in read.items() if max(rows.values(), default=0) > most}
        assert not much, query


@pytest.mark.postgresql
@pytest.mark.timeout(300)
def test_many_finished_games_cost_my_games_nothing(as_ann, many, ann, bob):
    begin(ann, bob, now=timezone.now())
    html_of(as_ann, "/rules/")
    with CaptureQueriesContext(connection) as asked:
        assert html_of(as_ann, "/").count('class="game-row-title"') == 21
    made = [one["sql"] for one in asked if one["sql"].lstrip().startswith("SELECT")]
    assert len(made) <= MOST_QUERIES, made
    assert {sql for sql in made if max(rows_read(sql).values(), default=0) > 200} == set()
