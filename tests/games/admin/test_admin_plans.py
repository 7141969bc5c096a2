"""On PostgreSQL no page of the admin, and no list of players, reads through a table.

However many games there are.
"""

from itertools import chain

import pytest
from django.contrib import admin
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.backend import Backend
from accounts.models import User
from accounts.roles import ADMINISTRATORS
from games.models import Game, Invitation, Seat
from games.moderation.admin import large_tables
from games.moderation.staff_stats import staff_stats
from games.queries import fair_play
from games.queries.home import home_page
from games.queries.lists import awaiting, games_of, lobby, vacant_seats
from notifications.outbox.staff_digests import write_staff_digest
from tests.bench.bulk_rows import WHO, fill
from tests.bench.pages import pages
from tests.bench.reads import rows_read
from tests.factories import ModeratorFactory, StaffFactory
from tests.games.play import DAY, table

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]

MANY = 10_000
MOST_READ = 2_500
"""Rows of one table for one question, where a list goes on for `LISTED`: a little over a page."""
LISTED = 60
MOST_LISTED = 500
"""The same for a list of players that goes on for `LISTED`."""
MOST_QUERIES = 12
COMPETITION = (
    *("/wishes/", "/ladders/", "/ladders/morpion/", f"/ladders/morpion/?page={MANY // 100}"),
    *("/leagues/", "/leagues/morpion/", "/ratings/morpion/"),
)
"""Lists of wishes, ladders, leagues and ratings. The list of tournaments is not among them: it
shows all that are not over and counts their players, which are more rows than `MOST_LISTED`."""


def plan_as_for_millions():
    """Let PostgreSQL plan as it would for a million rows: of these few it may well read all."""
    with connection.cursor() as cursor:
        for way in ("seqscan", "hashjoin", "mergejoin"):
            cursor.execute(f"SET LOCAL enable_{way} = off")
        cursor.execute("SET LOCAL random_page_cost = 1.1")


class Asked:
    """Gets pages, and keeps what each asked the database."""

    def __init__(self, client):
        self.client, self.questions = client, {}

    def __call__(self, path):
        with CaptureQueriesContext(connection) as queries:
            answer = self.client.get(path)
        self.questions[path] = [query["sql"] for query in queries]
        return answer


def read_through(questions, most=MOST_READ):
    """Return the questions that read too many rows of a table."""
    read = {sql: rows_read(sql) for sql in set(questions) if sql.startswith("SELECT")}
    return {sql: rows for sql, rows in read.items() if max(rows.values(), default=0) > most}


def invite_everywhere():
    """Let every table wait for somebody, and every game have had an invitation."""
    Seat.objects.filter(game__status="open", number=1).update(user=None)
    games = Game.objects.values_list("pk", "creator", "status")
    asked = [
        Invitation(
            game_id=pk,
            by_id=creator,
            email=f"{pk}@example.org",
            state="open" if pk // 10 % 2 and status == "open" else "declined",
            created_at=timezone.now(),
        )
        for pk, creator, status in games
    ]
    Invitation.objects.bulk_create(asked, batch_size=1000)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE games_seat, games_invitation")


def lists_of_players(client):
    """Return what is asked for the lists that players, and strangers, see."""
    client.force_login(User.objects.get(username="p177x"))
    get = Asked(client)
    for path in COMPETITION:
        assert get(path).status_code == 200
    now, player = timezone.now(), User.objects.get(username="rare59")
    with CaptureQueriesContext(connection) as asked:
        for viewer in (player, AnonymousUser()):
            assert len(lobby(viewer)[:LISTED]) == LISTED
            assert vacant_seats(viewer, now=now)[:LISTED]
            assert games_of(player, viewer)
        home_page(player)
        awaiting(player)
        Backend().get_user(player.pk)
    return [*chain(*get.questions.values()), *(query["sql"] for query in asked)]


@pytest.fixture
def host(client):
    """An administrator of a site with ten thousand games of as many people, as rows."""
    client.force_login(StaffFactory(username=WHO, role=ADMINISTRATORS))
    fill(games=MANY, people=MANY)
    client.get(reverse("admin:index"))  # that they are here is noted once in a while
    return client


def seen(get, but=()):
    """Return the questions of each page that can be got, by the page's name."""
    # What fifty people did is so large a part of small tables that to read all of them is right.
    found = pages(get, most_choices=2, but=but)
    paths = {name: path for name, path in found if not name.endswith(": rare")}
    for path in set(paths.values()) - set(get.questions):
        assert get(path).status_code == 200
    return {name: get.questions[path] for name, path in paths.items()}


@pytest.mark.timeout(300)  # filling the site is most of it
def test_no_page_and_no_digest_reads_through_a_table(host, monkeypatch):
    monkeypatch.setattr(large_tables, "MOST_LISTED", LISTED)
    # The page of hints reads so many of the newest games and sessions; here there are fewer.
    monkeypatch.setattr(fair_play, "LOOKED_AT", MOST_READ // 4)
    asked = seen(Asked(host))
    host.force_login(ModeratorFactory(username="root"))
    host.get(reverse("admin:index"))
    asked |= seen(Asked(host), but=asked)
    assert {name: len(sql) for name, sql in asked.items() if len(sql) > MOST_QUERIES} == {}
    assert {model._meta.label for model in admin.site._registry} <= set(asked)
    with CaptureQueriesContext(connection) as digest:
        write_staff_digest(now=timezone.now() + DAY)
        staff_stats(timezone.now() + DAY)
    invite_everywhere()
    listed = lists_of_players(host)
    plan_as_for_millions()
    assert read_through(listed, MOST_LISTED) == {}
    told = [query["sql"] for query in digest]
    assert read_through([*chain(*asked.values()), *told]) == {}


def test_the_look_at_plans_counts_the_rows_that_are_read(ann, now):
    for _ in range(3):
        table(ann, now=now)
    assert rows_read(str(Game.objects.filter(turn_number=3).query)) == {"games_game": 3}
