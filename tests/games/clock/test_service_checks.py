"""Nobody loses on time while pages or mail in do not answer: asked by real HTTP and SMTP."""

import threading
from contextlib import contextmanager
from datetime import UTC, datetime, time, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import time_machine
from django.db import OperationalError

from accounts.server_time import server_now
from config import worker
from config.health import measure_health
from config.worker import note_start
from games import errors
from games.models import Heartbeat, Outage
from games.services.clock import service_checks
from games.services.clock.outages import record_heartbeat, record_start, recount_after_outage
from games.services.clock.service_checks import any_failing, check_services
from games.services.deadlines import time_out_due
from tests.games.play import DAY, SECOND, begin, fresh, play, refused
from tests.games.vacations import off_on
from tests.servers import BlackHole, free_port
from tests.smtp import Sink, running

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
ROUND = timedelta(seconds=30)


class Page(BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.asked.append((self.path, self.headers["Host"]))
        self.send_response(self.server.status)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, *words):
        pass


@contextmanager
def serving(port, status=200):
    """Let pages answer with a status at a port of this machine."""
    with ThreadingHTTPServer(("127.0.0.1", port), Page) as server:
        server.status, server.asked = status, []
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server
        finally:
            server.shutdown()


@pytest.fixture
def pages(settings):
    """The port at which pages are asked for; nothing is there yet."""
    port = free_port()
    settings.PROBE_URL = f"http://127.0.0.1:{port}/healthz"
    return port


@pytest.fixture
def mail_in(settings):
    """The port at which mail can come in; nothing is there yet."""
    port = free_port()
    settings.PROBE_SMTP = f"127.0.0.1:{port}"
    return port


def spans():
    return list(Outage.objects.order_by("pk").values_list("kind", "began_at", "ended_at"))


def beat(now):
    """Let the periodic tasks have been running until now, whatever does not answer."""
    Heartbeat.objects.update_or_create(pk=Heartbeat.Of.PERIODIC_TASKS, defaults={"at": now})


def one_round(now):
    """Let the periodic tasks run once; return how many games they ended."""
    beat(now)
    check_services(now=now)
    ended = time_out_due(now=now)
    while recount_after_outage(now=now):
        pass
    return ended


# Asking ------------------------------------------------------------------------------------------


def test_pages_are_asked_as_the_site(pages, settings, now):
    settings.SITE_URL = "https://games.example.org"
    with serving(pages) as server:
        assert check_services(now=now) == 0
    assert server.asked == [("/healthz", "games.example.org")]
    found = Heartbeat.objects.get()
    assert (found.pk, found.at, found.failing_since) == (Heartbeat.Of.PAGES, now, None)


@pytest.mark.parametrize("status", [301, 400, 500, 503])
def test_any_answer_but_200_is_none(pages, now, status):
    with serving(pages) as server:
        check_services(now=now)
        server.status = status
        check_services(now=now + ROUND)
    assert any_failing(now=now + ROUND)


def test_who_takes_a_connection_and_says_nothing_does_not_answer(
    pages, mail_in, settings, now, monkeypatch
):
    monkeypatch.setattr(service_checks, "TIMEOUT", 0.2)
    with serving(pages), running(Sink(), mail_in):
        check_services(now=now)
    with BlackHole() as hole:
        port = hole.socket.getsockname()[1]
        settings.PROBE_URL, settings.PROBE_SMTP = f"http://127.0.0.1:{port}/", f"127.0.0.1:{port}"
        check_services(now=now + ROUND)
    assert set(Heartbeat.objects.values_list("failing_since", flat=True)) == {now + ROUND}


def test_what_is_not_configured_is_not_asked(now):
    assert check_services(now=now) == 0
    assert not Heartbeat.objects.exists()


# An outage ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("which", ["pages", "mail_in"])
def test_the_time_from_the_last_answer_to_the_next_is_an_outage_however_short(request, now, which):
    port = request.getfixturevalue(which)
    server = serving(port) if which == "pages" else running(Sink(), port)
    with server:
        assert check_services(now=now) == check_services(now=now + ROUND) == 0
    assert check_services(now=now + 2 * ROUND) == check_services(now=now + 3 * ROUND) == 0
    assert spans() == []
    with serving(port) if which == "pages" else running(Sink(), port):
        assert check_services(now=now + 4 * ROUND) == 1
        assert check_services(now=now + 5 * ROUND) == 0
    kind = "pages" if which == "pages" else "mail-in"
    assert spans() == [(kind, now + ROUND, now + 4 * ROUND)]


def test_what_has_never_answered_ends_no_outage_and_holds_nothing(game, pages, now):
    check_services(now=now)
    end = now + 2 * DAY + SECOND
    assert one_round(end) == 1
    with serving(pages):
        assert check_services(now=end + ROUND) == 0
    assert spans() == []


def test_another_address_begins_anew(game, pages, settings, now):
    with serving(pages):
        check_services(now=now)
    check_services(now=now + ROUND)
    assert any_failing(now=now + ROUND)
    settings.PROBE_URL = f"http://127.0.0.1:{free_port()}/"
    check_services(now=now + 2 * ROUND)
    assert not any_failing(now=now + 2 * ROUND)


def test_a_check_that_was_switched_off_holds_nothing(game, pages, settings, now):
    end = now + 2 * DAY
    with serving(pages):
        one_round(end - MINUTE)
    one_round(end - ROUND)
    settings.PROBE_URL = ""
    assert one_round(end + SECOND) == 0
    assert one_round(end + 5 * MINUTE) == 1


def test_a_failure_that_nobody_has_checked_for_five_minutes_holds_nothing(game, pages, now):
    """The process that asked may be gone, and the others ask elsewhere or not at all."""
    end = now + 2 * DAY
    with serving(pages):
        check_services(now=end)
    check_services(now=end + ROUND)
    asked = end + ROUND
    assert any_failing(now=asked + 5 * MINUTE - SECOND)
    assert not any_failing(now=asked + 5 * MINUTE)


# Nobody loses ------------------------------------------------------------------------------------


def test_pages_that_are_down_for_two_days_while_the_tasks_live_cost_nobody_the_game(
    ann, bob, pages, now
):
    """They come back at 3 in the night: until 8 she sleeps, then she has 12 hours."""
    off_on(ann, time_zone="UTC")
    game = begin(ann, bob, now=now)
    down = now + 2 * DAY - HOUR
    with serving(pages):
        one_round(down)
    back = datetime.combine((down + 2 * DAY).date(), time(3), UTC) + DAY
    moment = down
    while (moment := moment + 3 * HOUR) < back:
        assert one_round(moment) == 0
    assert fresh(game).status == "active"
    assert any_failing(now=moment - 3 * HOUR)
    with serving(pages):
        assert one_round(back) == 0
        assert spans() == [("pages", down, back)]
        deadline = back.replace(hour=20)
        assert fresh(game).deadline == deadline
        assert one_round(deadline) == 0
        assert one_round(deadline + SECOND) == 1


def test_a_listener_that_is_down_at_the_deadline_holds_it(game, ann, mail_in, now):
    end = now + 2 * DAY
    with running(Sink(), mail_in):
        assert one_round(end - ROUND) == 0
    # Asked anew: the last answer came before the deadline.
    beat(end + SECOND)
    assert time_out_due(now=end + SECOND) == 0
    assert fresh(game).status == "active"
    play(game, ann, "5", now=end + MINUTE)  # what she meant to mail


def test_who_was_late_before_the_last_answer_stays_late(game, ann, pages, now):
    end = now + 2 * DAY
    with serving(pages):
        beat(end + SECOND)
        check_services(now=end + SECOND)
    check_services(now=end + ROUND)
    beat(end + ROUND)
    with refused(errors.TooLate, "Your time for this turn has run out", status=409):
        play(game, ann, "5", now=end + ROUND)
    assert time_out_due(now=end + ROUND) == 0
    with serving(pages):
        assert one_round(end + MINUTE) == 1


def test_pages_are_not_asked_while_nobody_is_late(game, pages, now):
    with serving(pages) as server:
        check_services(now=now)
        beat(now + DAY)
        assert time_out_due(now=now + DAY) == 0
        assert len(server.asked) == 1
        end = now + 2 * DAY + SECOND
        beat(end)
        assert time_out_due(now=end) == 1
        assert len(server.asked) == 2


@pytest.mark.parametrize("late", [SECOND, -4 * MINUTE])
def test_a_restart_of_seconds_across_the_deadline_costs_nobody_the_game(ann, bob, now, late):
    """Back a second after the deadline, or so shortly before it that she may not be back."""
    off_on(ann, time_zone="UTC")
    game = begin(ann, bob, now=now)
    back = now + 2 * DAY + late
    stopped = back - 10 * SECOND
    record_heartbeat(now=stopped)
    assert record_start(now=back) == 1
    assert spans() == [("gap", stopped, back)]
    assert one_round(back + SECOND) == 0
    assert fresh(game).deadline >= back + 12 * HOUR
    for moment in (back + 4 * MINUTE, back + 6 * MINUTE):
        assert one_round(moment) == 0
    assert fresh(game).status == "active"
    play(game, ann, "5", now=back + HOUR)


def test_a_restart_while_nobodys_time_runs_out_is_none(game, now):
    """The deadline is before the last heartbeat, or more than five minutes after the start."""
    end = now + 2 * DAY
    record_heartbeat(now=end - 6 * MINUTE)
    assert record_start(now=end - 5 * MINUTE - SECOND) == 0
    beat(end)
    assert record_start(now=end + MINUTE) == 0
    assert spans() == []
    assert time_out_due(now=end + MINUTE) == 1


def test_a_start_after_a_long_silence_is_an_outage_for_everybody(now):
    assert record_start(now=now) == 0  # the first of all
    record_heartbeat(now=now)
    assert record_start(now=now + 2 * MINUTE) == 1
    assert record_start(now=now + 2 * MINUTE) == 0  # the second process


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("queues", "noted"), [(["mail", "clocks"], 1), (["mail"], 0)])
def test_only_a_worker_of_the_clocks_records_its_start(queues, noted):
    record_heartbeat(now=server_now() - HOUR)
    note_start(queues)
    assert len(spans()) == noted


def test_a_worker_starts_though_its_start_cannot_be_recorded(monkeypatch, caplog):
    def fail(**given):
        raise OperationalError

    monkeypatch.setattr(worker, "record_start", fail)
    monkeypatch.setattr(worker.connections, "close_all", lambda: None)
    note_start(["clocks"])
    assert "the start was not recorded" in caplog.text


def test_in_the_first_minutes_after_an_outage_nobody_loses(game, now):
    """The deadline was before the outage."""
    end = now + 2 * DAY
    record_heartbeat(now=end + SECOND)
    back = end + HOUR
    assert record_heartbeat(now=back) == 1
    beat(back + 5 * MINUTE - SECOND)
    assert time_out_due(now=back + 5 * MINUTE - SECOND) == 0
    beat(back + 5 * MINUTE)
    assert time_out_due(now=back + 5 * MINUTE) == 1


# Telling -----------------------------------------------------------------------------------------


def test_health_and_metrics_tell_what_does_not_answer(pages, mail_in):
    now = datetime.now(UTC)
    beat(now)
    with serving(pages), running(Sink(), mail_in):
        check_services(now=now - MINUTE)
        found = measure_health()
        assert (found.values["pages_unanswered_seconds"], found.problems) == (0, {})
        check_services(now=now)
    check_services(now=now)
    found = measure_health()
    assert set(found.problems) == {"pages", "mail_in"}
    assert f"127.0.0.1:{pages}/healthz" in found.problems["pages"]
    assert f"127.0.0.1:{mail_in} for 1 s" in found.problems["mail_in"]
    assert found.values["mail_in_unanswered_seconds"] >= 1


def test_what_has_never_answered_is_told_too(pages):
    check_services(now=datetime.now(UTC))
    assert set(measure_health().problems) == {"pages"}


def test_turns_that_wait_for_an_answer_are_not_told_as_late(game, pages, now, monkeypatch):
    # The clock of the database does not travel.
    monkeypatch.setattr("config.health.measure_clock", lambda connection: None)
    end = now + 2 * DAY
    with time_machine.travel(end - ROUND, tick=False), serving(pages):
        one_round(end - ROUND)
    late = end + 3 * MINUTE
    with time_machine.travel(late, tick=False):
        one_round(late)
        assert set(measure_health().problems) == {"pages"}
        Heartbeat.objects.filter(pk=Heartbeat.Of.PAGES).update(failing_since=None)
        assert set(measure_health().problems) == {"deadlines"}
