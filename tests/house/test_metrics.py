"""What Prometheus is told, and who may ask."""

import subprocess
import sys
import urllib.request
from datetime import timedelta

import pytest
from django.conf import settings as project
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from config.runs import TaskRuns
from games import errors
from games.models import Game
from notifications.incoming.bounces import handle_bounce
from notifications.mail_parser import Bounce
from notifications.models import Cadence, Kind, Notice, ReplyAddress
from notifications.outbox.delivery import send_due
from notifications.outbox.digests import take_news
from notifications.outbox.recipients import make_notices
from notifications.services.preferences import set_cadence
from tests.games.play import begin, play
from tests.journeys.processes import answers, until
from tests.servers import free_port
from tests.var_folder import environment, furnish


def values(text):
    """Return every sample of a page of metrics by its name and labels."""
    return {
        (sample.name, *sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


@pytest.fixture
def scrape(client, settings):
    settings.METRICS_TOKEN = "a token for tests"

    def ask():
        headers = {"Authorization": "Bearer a token for tests"}
        return values(client.get("/metrics", headers=headers).content.decode())

    return ask


@pytest.mark.django_db
@pytest.mark.parametrize(
    "headers", [{}, {"Authorization": "Bearer"}, {"Authorization": "Bearer wrong"}]
)
def test_nobody_reads_metrics_without_the_token(client, settings, headers):
    for token in ("", "right"):
        settings.METRICS_TOKEN = token
        assert client.get("/metrics", headers=headers).status_code == 404
    headers = {"Authorization": "Bearer right"}
    assert client.get("/metrics", headers=headers).status_code == 200


@pytest.mark.django_db(transaction=True)
def test_turns_are_counted_by_way_and_result(scrape, ann, bob, now):
    game = begin(ann, bob, now=now)
    before = scrape()
    play(game, ann, "5", now=now)
    play(game, ann, "5", now=now, expected=0)
    with pytest.raises(errors.MoveRefused):
        play(game, bob, "5", now=now)
    after = scrape()

    def more(result):
        name = ("pli_turns_total", ("result", result), ("way", "web"))
        return after.get(name, 0) - before.get(name, 0)

    assert [more(result) for result in ("played", "already", "MoveRefused")] == [1, 1, 1]
    locks = ("pli_lock_wait_seconds_count",)
    assert after[locks] - before[locks] >= 3


@pytest.mark.django_db(transaction=True)
def test_a_turn_that_is_undone_is_not_counted(scrape, ann, bob, now):
    """As when the mail that brought it could not be finished: it is processed again."""
    game = begin(ann, bob, now=now)
    before = scrape()
    with transaction.atomic():
        play(game, ann, "5", now=now)
        transaction.set_rollback(True)
    play(game, ann, "5", now=now)
    after = scrape()
    name = ("pli_turns_total", ("result", "played"), ("way", "web"))
    assert after[name] - before.get(name, 0) == 1


@pytest.mark.django_db
def test_requests_are_counted_by_view_never_by_path(scrape, client):
    link = reverse("unsubscribe", args=["token-1729"])
    before = scrape()
    client.get(link)
    client.generic("BREW", "/tables/")
    after = scrape()
    name = ("pli_request_seconds_count", ("method", "GET"), ("status", "404"))
    new = {key: after[key] - before.get(key, 0) for key in after if key[0] == name[0]}
    views = {dict(key[1:])["view"] for key, count in new.items() if count}
    assert "unsubscribe" in views
    assert [key for key in after if "1729" in repr(key)] == []
    assert [key for key in after if "BREW" in repr(key)] == []


@pytest.mark.django_db(transaction=True)
def test_mails_are_counted_by_kind_and_outcome(scrape, ann, bob, now):
    before = scrape()
    begin(ann, bob, now=now)
    make_notices(now=now)
    send_due(now=now + timedelta(minutes=10))
    assert [notice.state for notice in Notice.objects.all()] == [Notice.State.SENT] * 2
    after = scrape()
    name = ("pli_mails_out_total", ("kind", "game-begun"), ("outcome", "sent"))
    assert after[name] - before.get(name, 0) == 2


@pytest.mark.django_db(transaction=True)
def test_a_bounce_and_news_of_a_digest_are_counted_once(scrape, ann, bob, now):
    game = begin(ann, bob, now=now)
    make_notices(now=now)
    send_due(now=now + timedelta(minutes=10))
    reply = ReplyAddress.objects.filter(notice__user=ann).latest("pk")
    before = scrape()
    bounce = Bounce((), hard=True, returned=True, diagnostic="no such user")
    for _ in range(2):
        handle_bounce(bounce, reply, now=now + timedelta(hours=1))
    set_cadence(user=bob, kind=Kind.YOUR_TURN, cadence=Cadence.DIGEST)
    play(game, ann, "5", now=now + timedelta(hours=2))
    make_notices(now=now + timedelta(hours=2))
    for _ in range(2):
        take_news(bob)
    after, name = scrape(), "pli_mails_out_total"
    count = {
        outcome: sum(
            after[key] - before.get(key, 0)
            for key in after
            if key[0] == name and key[2:] == (pair,)
        )
        for outcome in ("bounced", "together")
        for pair in [("outcome", outcome)]
    }
    assert count == {"bounced": 1, "together": 1}


@pytest.mark.django_db(transaction=True)
def test_runs_of_periodic_tasks_are_counted_by_result(scrape):
    before = scrape()
    TaskRuns().run("games.tasks.busy", lambda: 3)
    after = scrape()
    name = ("pli_chore_seconds_count", ("name", "games.tasks.busy"), ("result", "done"))
    assert after[name] - before.get(name, 0) == 1


def test_serve_tells_what_all_of_its_processes_counted(tmp_path):
    """Two processes make pages; each counts its own share of twenty requests."""
    port, own = free_port(), free_port()
    furnish(tmp_path / "var")
    env = environment(tmp_path / "var") | {"PLI_METRICS_LISTEN": f"127.0.0.1:{own}"}
    command = [sys.executable, "manage.py", "serve", "--port", str(port), "--workers", "2"]
    with subprocess.Popen(command, cwd=project.BASE_DIR, env=env, stdout=subprocess.DEVNULL) as one:
        try:
            until(lambda: answers(port), "the pages are there")
            for _ in range(20):
                urllib.request.urlopen(
                    f"http://localhost:{port}/accounts/login/", timeout=60
                ).close()
            assert requests_of(own, "account_login") == 20
            until(lambda: runs_of(own, "games.tasks.beat_heart"), "the loop counts too")
        finally:
            one.terminate()


def told_at(port):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as page:
        return values(page.read().decode())


def requests_of(port, view):
    found = told_at(port).items()
    names = {"pli_request_seconds_count"}
    return sum(n for (name, *labels), n in found if name in names and ("view", view) in labels)


def runs_of(port, task):
    found = told_at(port).items()
    names = {"pli_chore_seconds_count"}
    return sum(n for (name, *labels), n in found if name in names and ("name", task) in labels)


@pytest.mark.django_db
def test_the_queues_are_told_as_they_are(scrape, ann, bob):
    now = timezone.now()
    game = begin(ann, bob, now=now)
    Game.objects.filter(pk=game.pk).update(deadline=now - timedelta(seconds=500))
    told = scrape()
    assert 500 <= told["pli_oldest_due_deadline_seconds",] < 1000
    assert told["pli_disk_free_bytes",] > 0
    assert told["pli_outbox_oldest_due_seconds",] == 0
    assert told["pli_inbox_oldest_seconds",] == 0
    assert abs(told["pli_clock_skew_seconds",]) < 1


def test_a_process_without_pages_answers_at_an_address_of_its_own(tmp_path):
    port = free_port()
    env = environment(tmp_path / "var") | {"PLI_METRICS_LISTEN": f"127.0.0.1:{port}"}
    (tmp_path / "var").mkdir()
    command = [sys.executable, "manage.py", "drain"]
    with subprocess.Popen(command, cwd=project.BASE_DIR, env=env, stderr=subprocess.DEVNULL) as one:
        try:
            until(lambda: asked(port), "the metrics are there")
        finally:
            one.terminate()


def asked(port):
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as page:
            return "pli_disk_free_bytes" in page.read().decode()
    except OSError:
        return False
