"""On PostgreSQL the lists of the admin are read through indexes, however many games there are."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from games.models import Game
from tests.bench.admin import LISTS
from tests.bench.house import fill

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]

BIG = ("games_game", "games_seat", "games_event", "accounts_user")


@pytest.fixture
def crowd(moderator):
    """Twenty thousand games of as many people, as rows."""
    fill(games=20_000, people=20_000)
    assert (Game.objects.count(), User.objects.count() > 20_000) == (20_000, True)


def plan(sql):
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {sql}")
        return "\n".join(line for (line,) in cursor.fetchall())


def read_through(sql):
    """Return the big tables that a question reads from end to end."""
    lines = plan(sql)
    return [name for name in BIG if f"Seq Scan on {name}" in lines]


def test_no_list_filter_or_search_reads_through_all_games_or_people(client, moderator, crowd):
    client.force_login(moderator)
    client.get(reverse("admin:index"))
    found = {}
    for name, path in LISTS.items():
        with CaptureQueriesContext(connection) as queries:
            assert client.get(path).status_code == 200
        asked = [query["sql"] for query in queries if query["sql"].startswith("SELECT")]
        assert any(table in sql for sql in asked for table in BIG)
        found |= {f"{name}: {sql}": read_through(sql) for sql in asked if read_through(sql)}
    assert found == {}


def test_the_look_at_plans_sees_a_question_without_an_index(crowd):
    assert read_through(str(Game.objects.filter(turn_number=3).query)) == ["games_game"]
