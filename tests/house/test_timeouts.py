"""A held lock, a full disk or a lost database keeps nobody waiting, and nothing is lost."""

import os
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from http.client import HTTPConnection

import psycopg
import pytest
from django.conf import settings
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.urls import clear_url_caches, path, reverse
from django.utils import timezone

from accounts.models import ApiToken
from config import timeouts, urls
from config.timeouts import ProcessRole
from games.models import Game, Invitation, Offer, Turn
from games.services import bots, deadlines, reminders, tables, thinking
from games.services.clock import outages, recalculation, stops
from games.services.invitations import practice_partner
from games.services.offers import offer_end
from notifications.models import DigestSchedule, Notice
from notifications.outbox import digests
from notifications.outbox.delivery import claim_notices
from tests.api.client import Api, code_of, token_for
from tests.factories import PersonFactory
from tests.games.play import begin, fresh, table
from tests.journeys.processes import Processes, answers
from tests.servers import free_port, web_command

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@contextmanager
def role(chosen):
    """Let this process wait for the database as a process of that role does."""
    timeouts.set_process_role(chosen)
    try:
        yield
    finally:
        timeouts.set_process_role(ProcessRole.COMMAND)


@contextmanager
def locked(row):
    """Hold a row's lock (SQLite: the only lock there is) in a transaction of somebody else."""
    if connection.vendor == "sqlite":
        other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
    else:
        given = connection.get_connection_params()
        names = ("dbname", "user", "password", "host", "port")
        other = psycopg.connect(**{name: given[name] for name in names if given.get(name)})
        table_name = row._meta.db_table
        other.execute(f'SELECT 1 FROM "{table_name}" WHERE id = %s FOR UPDATE', [row.pk])  # noqa: S608
    try:
        yield
    finally:
        other.rollback() if connection.vendor == "postgresql" else other.execute("ROLLBACK")
        other.close()


@pytest.fixture
def ann_client(ann):
    """Ann's browser; it sees the page of an error instead of the error."""
    client = Client(raise_request_exception=False)
    client.force_login(ann)
    return client


def play(client, game, **headers):
    answers = {"text": "5", "expected_turn": str(game.turn_number)}
    return client.post(reverse("game_play", args=[game.pk]), answers, headers=headers)


# A click --------------------------------------------------------------------------------------


def test_a_click_at_a_locked_game_is_told_to_try_again_and_works_then(ann_client, ann, bob):
    game = begin(ann, bob, now=timezone.now())
    with role(ProcessRole.WEB):
        with locked(game):
            answer = play(ann_client, game)
        assert answer.status_code == 503
        assert int(answer["Retry-After"]) > 0
        assert "no-store" in answer["Cache-Control"]
        assert "Nothing was changed." in answer.content.decode()
        assert not Turn.objects.exists()
        assert play(ann_client, game).status_code == 302
    assert Turn.objects.get().notation == "5"


def test_a_script_is_told_so_in_words_of_its_reader(ann_client, ann, bob):
    game = begin(ann, bob, now=timezone.now())
    bob.refresh_from_db()
    french = Client(raise_request_exception=False)
    french.force_login(bob)
    with role(ProcessRole.WEB), locked(game):
        answer = play(french, game, accept="application/json", accept_language="fr")
    assert answer.status_code == 503
    assert answer.json()["code"] == "Unavailable"
    assert answer.json()["error"].startswith("Pli est occupé.")


def test_a_program_is_told_so_too_by_the_api(ann, bob):
    now = timezone.now()
    game = begin(ann, bob, now=now)
    program = Api(token_for(ann, now=now))
    turn = (f"/games/{game.pk}/turns", {"turn": 1, "text": "5"})
    with role(ProcessRole.WEB):
        with locked(ApiToken.objects.get()):  # reading, too, saves when a token was used
            assert code_of(program.get(turn[0].removesuffix("/turns"))) == (503, "Unavailable")
        with locked(game):
            answer = program.post(*turn)
        assert code_of(answer) == (503, "Unavailable")
        assert int(answer["Retry-After"]) == answer.data["retry_after"] > 0
        assert not Turn.objects.exists()
        assert program.post(*turn).status_code == 200
    assert Turn.objects.get().notation == "5"


@pytest.mark.postgresql
def test_twenty_clicks_at_a_locked_game_block_neither_health_nor_other_games(tmp_path):
    """Eight threads serve: all clicks are answered while the lock is still held."""
    now = timezone.now()
    players = [PersonFactory(username=f"player{number}") for number in range(3)]
    blocked, other = begin(*players[:2], now=now), begin(players[2], players[1], now=now)
    browsers = [signed_in(player) for player in players]
    port = free_port()
    name = connection.settings_dict["NAME"]
    database = f"{os.environ['DATABASE_URL'].rsplit('/', 1)[0]}/{name}"
    env = {"DATABASE_URL": database, "DJANGO_SETTINGS_MODULE": "config.settings.test"}
    with Processes(tmp_path, **env) as processes:
        processes.start("web", web_command("127.0.0.1", port, 1))
        processes.until(lambda: answers(port), "the pages are there")
        with locked(blocked), ThreadPoolExecutor(24) as browsing:
            clicks = [browsing.submit(post, port, browsers[0], blocked) for _ in range(20)]
            health = browsing.submit(answers, port)
            elsewhere = browsing.submit(post, port, browsers[2], other)
            assert {click.result(60) for click in clicks} == {503}
            assert health.result(60)
            assert elsewhere.result(60) == 302
        assert post(port, browsers[0], blocked) == 302


def signed_in(player):
    """Return the cookies and the token of a player's browser."""
    client = Client()
    client.force_login(player)
    client.get("/")
    token = client.get("/settings/").cookies["csrftoken"].value
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    return {
        "Cookie": f"{settings.SESSION_COOKIE_NAME}={session}; csrftoken={token}",
        "X-CSRFToken": token,
        "Content-Type": "application/x-www-form-urlencoded",
    }


def post(port, headers, game):
    pages = HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        pages.request("POST", f"/games/{game.pk}/play/", "text=5&expected_turn=0", headers)
        return pages.getresponse().status
    finally:
        pages.close()


# The limits -----------------------------------------------------------------------------------


SETUP = "import django; django.setup()"
LIMITS = """
from django.db import connection
with connection.cursor() as cursor:
    for name in ("lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout"):
        cursor.execute(f"SHOW {name}")
        print(cursor.fetchone()[0])
"""


@pytest.mark.postgresql
@pytest.mark.parametrize(
    ("start", "expected"),
    [
        ("import config.wsgi", ["1s", "10s", "10s"]),
        ("import config.asgi", ["1s", "10s", "10s"]),
        (
            "import config; from celery.signals import celeryd_init as s; s.send('worker')\n"
            + SETUP,
            ["3s", "2min", "1min"],
        ),
        (
            "import sys; sys.argv[1:] = ['drain']\nimport django; django.setup()",
            ["3s", "2min", "1min"],
        ),
        (
            "import sys; sys.argv[1:] = ['migrate']\nimport django; django.setup()",
            ["30s", "0", "10min"],
        ),
    ],
    ids=["wsgi", "asgi", "celery", "drain", "migrate"],
)
def test_each_kind_of_process_has_its_limits(start, expected):
    done = subprocess.run(
        [sys.executable, "-c", start + LIMITS],
        cwd=settings.BASE_DIR,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings.test"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == expected


# Sweeps ---------------------------------------------------------------------------------------


def due_games(ann, bob, now, **fields):
    """Return two running games whose fields make them due."""
    games = [begin(ann, bob, now=now) for _ in range(2)]
    Game.objects.filter(pk__in=[game.pk for game in games]).update(**fields)
    return games


@pytest.mark.postgresql
@pytest.mark.parametrize(
    ("sweep", "is_done", "fields"),
    [
        (deadlines.time_out_due, lambda game: game.is_over, {"deadline": timedelta(0)}),
        (
            reminders.remind_due,
            lambda game: game.reminder_at is None,
            {"reminder_at": timedelta(0)},
        ),
    ],
    ids=["time-outs", "reminders"],
)
def test_a_sweep_leaves_a_locked_game_and_does_the_others(ann, bob, now, sweep, is_done, fields):
    later = now + timedelta(days=3)
    outages.record_heartbeat(now=later)
    moments = {name: now + timedelta(hours=1) for name in fields}
    first, second = due_games(ann, bob, now, **moments)
    with role(ProcessRole.COMMAND), locked(first):  # whoever waited would wait for 30 s
        assert sweep_answers(lambda: sweep(now=later))
        assert not is_done(fresh(first))
        assert is_done(fresh(second))
    sweep(now=later)
    assert is_done(fresh(first))


def sweep_answers(sweep):
    """Run a sweep in a thread of its own; tell whether it ended while the lock was held."""
    worker = threading.Thread(target=lambda: (sweep(), connection.close()))
    worker.start()
    worker.join(20)
    return not worker.is_alive()


@pytest.mark.postgresql
def test_an_outage_is_credited_to_a_game_that_was_locked_meanwhile(ann, bob, now):
    first, second = due_games(ann, bob, now)
    before = fresh(first).deadline
    outages.record_heartbeat(now=now)
    outages.record_heartbeat(now=now + timedelta(hours=1))
    with locked(first):
        assert sweep_answers(lambda: outages.recount_after_outage(now=now + timedelta(hours=1)))
    while outages.recount_after_outage(now=now + timedelta(hours=1)):
        pass
    for game in (first, second):
        assert fresh(game).deadline == before + timedelta(hours=1)


@pytest.mark.postgresql
def test_the_other_rounds_leave_a_locked_row_too(ann, bob, now):
    later = now + timedelta(days=30)
    outages.record_heartbeat(now=later)
    asked = table(ann, now=now)
    # An invitation from before bots sat down in the moment when they are asked.
    Invitation.objects.create(game=asked, by=ann, user=practice_partner(), created_at=now)
    with locked(asked):
        assert sweep_answers(lambda: bots.answer_for_bots(now=now))
        assert Invitation.objects.get(game=asked).state == Invitation.State.OPEN
        assert sweep_answers(lambda: tables.expire_due(now=later))
    bots.answer_for_bots(now=now)
    running = fresh(asked)
    assert running.status == Game.Status.ACTIVE
    offer_end(game_id=running.pk, user=ann, now=now)
    with locked(running):
        assert sweep_answers(lambda: bots.answer_for_bots(now=now))
        assert Offer.objects.get().state == Offer.State.OPEN
    Game.objects.filter(pk=running.pk).update(bot_due_at=now)
    with locked(running):
        assert sweep_answers(lambda: thinking.play_for_bots(now=now))
        ann.mark_clocks_changed(now)
        ann.save()
        assert sweep_answers(lambda: recalculation.recount_due(now=now))
        assert sweep_answers(lambda: stops.end_stops(now=later))
    ann.refresh_from_db()
    notice = Notice.objects.create(
        kind="digest", user=ann, language="en", message_id="<1@x>", created_at=now, due_at=now
    )
    with locked(notice):
        assert sweep_answers(lambda: claim_notices(notice.pk, now))
    plan = DigestSchedule.objects.create(user=ann, digest_every=24, digest_due_at=now)
    with locked(plan):
        assert sweep_answers(lambda: digests.send_digests(now=now))


# A full disk, a lost database -----------------------------------------------------------------


@pytest.mark.sqlite
def test_a_full_disk_is_told_and_nothing_is_lost(ann_client, ann, bob):
    """SQLite itself refuses to grow: the same error as on a disk without space."""
    game = begin(ann, bob, now=timezone.now())
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
        cursor.execute("PRAGMA page_count")
        cursor.execute(f"PRAGMA max_page_count = {cursor.fetchone()[0]}")
    said = [say(ann_client, game, f"{number} {'x' * 1500}") for number in range(40)]
    assert said.count(503) > 1
    assert set(said) == {302, 503}
    assert game.messages.count() == said.count(302)
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA max_page_count = 1073741823")
        cursor.execute("PRAGMA integrity_check")
        assert cursor.fetchone()[0] == "ok"
    assert play(ann_client, game).status_code == 302


def say(client, game, text):
    return client.post(reverse("game_say", args=[game.pk]), {"text": text}).status_code


def write_to_a_full_disk(request):
    with open("/dev/full", "w") as file:
        file.write("x")
    return HttpResponse()


def broken(request):
    raise ValueError("a fault of ours")


def test_a_full_disk_outside_the_database_is_told_too_and_a_fault_of_ours_is_not(
    ann_client, monkeypatch
):
    planted = [path("full/", write_to_a_full_disk), path("broken/", broken)]
    monkeypatch.setattr(urls, "urlpatterns", [*planted, *urls.urlpatterns])
    clear_url_caches()
    assert ann_client.get("/full/").status_code == 503
    answer = ann_client.get("/broken/")
    assert answer.status_code == 500
    assert "Something went wrong on our side" in answer.content.decode()
