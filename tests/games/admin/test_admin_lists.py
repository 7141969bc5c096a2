"""The lists of the admin find games, and ask few questions."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Group
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games.clock.clock import StopReason
from games.models import Game, Report
from games.moderation.admin import large_tables
from games.moderation.admin.games import GameAdmin
from games.moderation.game_actions import pause_game
from games.services.clock.game_clock import stop_clock
from tests.games.moderating import WHY
from tests.games.play import DAY, SECOND, begin, table

pytestmark = pytest.mark.django_db

MOST_QUERIES = 12
LIST = "admin:games_game_changelist"


@pytest.fixture
def judge(client, mo):
    """A moderator who has the permissions from a group."""
    group = Group.objects.create(name="moderators")
    group.permissions.set(mo.user_permissions.all())
    mo.user_permissions.clear()
    mo.groups.add(group)
    client.force_login(mo)
    session = client.session
    # As allauth leaves it behind when somebody has come in by a second factor.
    session["account_authentication_methods"] = [{"method": "mfa", "at": 0, "type": "totp"}]
    session["account_authentication_methods_user"] = str(mo.pk)
    session.save()
    client.get(reverse("admin:index"))  # that they are here is noted once in a while
    return client


def listed(judge, **query):
    answer = judge.get(reverse(LIST), query)
    assert answer.status_code == 200
    return list(answer.context["cl"].result_list)


def test_games_whose_deadline_passed_long_ago_are_stalled(judge, ann, bob):
    now = timezone.now()
    late = begin(ann, bob, now=now, days=2)
    begin(ann, bob, now=now, days=2)
    for past, found in ((DAY - timedelta(minutes=1), []), (DAY + SECOND, [late])):
        Game.objects.filter(pk=late.pk).update(deadline=timezone.now() - past)
        assert listed(judge, stalled="late") == found


def test_games_whose_clock_is_stopped_for_long_are_stalled(judge, ann, bob, mo):
    now = timezone.now()
    stands = begin(ann, bob, now=now)
    pause_game(game_id=stands.pk, by=mo, why=WHY, now=now)
    for past, found in ((14 * DAY - timedelta(minutes=1), []), (14 * DAY + SECOND, [stands])):
        Game.objects.filter(pk=stands.pk).update(stopped_at=timezone.now() - past)
        assert listed(judge, stalled="stands") == found


def test_games_are_found_by_why_their_clock_is_stopped(judge, ann, bob, mo):
    now = timezone.now()
    running, held, paused = (begin(ann, bob, now=now) for _ in range(3))
    pause_game(game_id=held.pk, by=mo, why=WHY, now=now)
    stop_clock(paused, StopReason.PAUSED, wait=DAY, now=now)
    paused.save()
    assert listed(judge, frozen="moderator") == [held]
    assert listed(judge, frozen="paused") == [paused]
    assert listed(judge, frozen="any") == [paused, held]
    assert listed(judge, frozen="nonsense") == []
    assert listed(judge) == [paused, held, running]


@pytest.mark.parametrize(
    ("state", "found"), [("open", 1), ("taken", 1), ("upheld", 0), ("dismissed", 0)]
)
def test_games_are_found_by_open_reports(judge, ann, bob, state, found):
    now = timezone.now()
    reported, _ = begin(ann, bob, now=now), begin(ann, bob, now=now)
    for reporter in (ann, bob):
        Report.objects.create(
            game=reported, reporter=reporter, reason="spam", text="x", made_at=now, state=state
        )
    assert listed(judge, reported="yes") == [reported] * found


def test_a_list_goes_no_further_than_its_first_thousand(judge, ann, bob, monkeypatch):
    monkeypatch.setattr(large_tables, "MOST_LISTED", 3)
    monkeypatch.setattr(GameAdmin, "list_per_page", 2)
    games = [table(ann, now=timezone.now()) for _ in range(5)]
    answer = judge.get(reverse(LIST))
    assert answer.context["cl"].result_count == 3
    assert list(answer.context["cl"].result_list) == games[:2:-1]
    answer = judge.get(reverse(LIST), {"p": "2"})
    assert list(answer.context["cl"].result_list) == [games[2]]


def test_nothing_counts_all_games(judge, ann, bob):
    begin(ann, bob, now=timezone.now())
    with CaptureQueriesContext(connection) as queries:
        judge.get(reverse(LIST))
        judge.get(reverse(LIST), {"_facets": "True", "status__exact": "active"})
    counts = [query["sql"] for query in queries if query["sql"].startswith("SELECT COUNT(")]
    assert counts
    assert all(f"LIMIT {large_tables.MOST_LISTED}" in sql for sql in counts)


FILTERS = [
    {},
    {"status__exact": "active"},
    {"rules_slug": "morpion"},
    {"is_public__exact": "1"},
    {"stalled": "late"},
    {"stalled": "stands"},
    {"frozen": "any"},
    {"frozen": "moderator"},
    {"reported": "yes"},
    {"q": "12"},
    {"q": "ann"},
    {"p": "1"},
]


@pytest.mark.parametrize("query", FILTERS, ids=str)
def test_every_list_asks_at_most_twelve_questions(judge, ann, bob, mo, query):
    now = timezone.now()
    for _ in range(3):
        game = begin(ann, bob, now=now)
        Report.objects.create(game=game, reporter=ann, reason="spam", text="x", made_at=now)
        pause_game(game_id=game.pk, by=mo, why=WHY, now=now)
    with CaptureQueriesContext(connection) as queries:
        assert judge.get(reverse(LIST), query).status_code in (200, 302)
    assert len(queries) <= MOST_QUERIES


@pytest.mark.parametrize("name", ["games_event", "games_moderationlogentry"])
@pytest.mark.parametrize("query", [{}, {"q": "1"}, {"q": "ann"}, {"kind__exact": "started"}])
def test_events_and_the_log_ask_no_more(judge, ann, bob, mo, name, query):
    pause_game(game_id=begin(ann, bob, now=timezone.now()).pk, by=mo, why=WHY, now=timezone.now())
    with CaptureQueriesContext(connection) as queries:
        judge.get(reverse(f"admin:{name}_changelist"), query)
    assert len(queries) <= MOST_QUERIES


def test_the_page_of_a_game_asks_at_most_twelve_questions(judge, ann, bob, mo):
    now = timezone.now()
    game = begin(ann, bob, now=now)
    Report.objects.create(game=game, reporter=ann, reason="spam", text="x", made_at=now)
    pause_game(game_id=game.pk, by=mo, why=WHY, now=now)
    path = reverse("admin:games_game_change", args=[game.pk])
    with CaptureQueriesContext(connection) as queries:
        assert b'id="resume_why"' in judge.get(path, {"turn": "0"}).content
    assert len(queries) <= MOST_QUERIES, [query["sql"][:200] for query in queries]
