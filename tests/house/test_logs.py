"""Log lines for programs: one JSON object a line, without tokens and addresses."""

import json
import logging
import logging.config
import sys
from datetime import timedelta

import pytest

from config.logs import logging_settings
from config.runs import TaskRuns
from notifications.incoming.processing import process_due
from notifications.incoming.receiving import receive
from notifications.models import IncomingMail, Notice
from notifications.outbox.delivery import send_due
from notifications.outbox.recipients import make_notices
from notifications.services.replies import reply_address
from tests.games.play import begin
from tests.notifications.incoming_mail import answer, turn_token


@pytest.fixture
def json_lines(capsys):
    """Write the log as JSON; return what was written."""
    written = []
    logging.config.dictConfig(logging_settings("json", "INFO"))
    formatter = logging.getLogger().handlers[-1].formatter

    class Keep(logging.Handler):
        def emit(self, record):
            written.append(json.loads(formatter.format(record)))

    keep = Keep()
    logging.getLogger().addHandler(keep)
    yield written
    logging.getLogger().removeHandler(keep)
    logging.config.dictConfig(logging_settings("text", "INFO"))


@pytest.mark.django_db
def test_a_request_is_one_line_with_ids_and_no_path(client, ann, bob, now, json_lines):
    client.force_login(ann)
    game = begin(ann, bob, now=now)
    client.get(game.get_absolute_url())
    (line,) = [line for line in json_lines if line["logger"] == "pli.requests"]
    assert line["view"] == "game"
    assert (line["method"], line["status"], line["user"]) == ("GET", 200, ann.pk)
    assert line["milliseconds"] >= 0
    assert line["time"].endswith("Z")
    assert len(line["request_id"]) == 32


@pytest.mark.django_db
def test_the_lines_of_one_request_share_its_number(client, json_lines, monkeypatch):
    client.get("/no/such/page/")
    lines = [line for line in json_lines if line["logger"].startswith(("django", "pli"))]
    assert len(lines) >= 2
    assert len({line["request_id"] for line in lines}) == 1
    client.get("/healthz")
    assert json_lines[-1]["request_id"] != lines[0]["request_id"]


def test_no_line_shows_an_address_or_a_token(json_lines):
    token = "abcdefghij234567abcdefghij"
    log = logging.getLogger("notifications.anything")
    log.info("notice %s to %s", 7, "Zoé.Müller+x@exämple.org", extra={"notice": 7})
    log.info("550 no such user <bounce-%s@play.example.org>", token)
    log.info("GET /unsubscribe/%s failed", token)
    try:
        raise ValueError("ann@example.org")
    except ValueError:
        log.exception("it broke", extra={"kind": "bob@example.org"})
    text = json.dumps(json_lines, ensure_ascii=False)
    assert len(json_lines) == 4
    assert json_lines[0]["notice"] == 7
    assert "ValueError" in text
    assert "@example" not in text
    assert "exämple" not in text
    assert token not in text
    assert "…@…" in text


def test_objects_of_libraries_do_not_break_a_line(json_lines):
    logging.getLogger("django.request").error("x", extra={"request": sys, "status_code": 500})
    assert json_lines[0]["message"] == "x"
    assert "request" not in json_lines[0]


@pytest.mark.django_db(transaction=True)
def test_a_run_of_a_chore_is_one_line_if_it_did_something(json_lines):
    fresh = TaskRuns()
    fresh.run("games.tasks.idle", lambda: 0)
    fresh.run("games.tasks.busy", lambda: 3)
    with pytest.raises(ZeroDivisionError):
        fresh.run("games.tasks.broken", lambda: 1 // 0)
    lines = [line for line in json_lines if "chore" in line]
    assert [(line["chore"], line["result"], line["done"]) for line in lines] == [
        ("games.tasks.busy", "done", 3),
        ("games.tasks.broken", "failed", 0),
    ]


@pytest.mark.django_db(transaction=True)
def test_a_mail_out_and_a_mail_in_are_a_line_each_with_numbers(ann, bob, now, json_lines):
    game = begin(ann, bob, now=now)
    make_notices(now=now)
    later = now + timedelta(minutes=10)
    send_due(now=later)
    notice = Notice.objects.filter(state=Notice.State.SENT).first()
    (line,) = [line for line in json_lines if line.get("notice") == notice.pk]
    assert (line["kind"], line["outcome"], line["game"]) == (notice.kind, "sent", game.pk)
    token = turn_token(ann, later)
    receive(
        answer(token, "5\n", ann.email),
        recipient=reply_address(token),
        envelope_from=ann.email,
        door="smtp",
        now=later,
    )
    process_due(now=later)
    (line,) = [line for line in json_lines if "mail" in line]
    mail = IncomingMail.objects.get()
    assert (line["mail"], line["outcome"], line["result"]) == (mail.pk, "done", mail.result)
    assert line["game"] == game.pk
    assert "example.org" not in json.dumps(json_lines)
