"""`manage.py serve`, as real processes: it starts, answers, and leaves nobody behind."""

import os
import signal
import smtplib
import socket
import sqlite3
import subprocess
import sys
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path

import pytest
from django.conf import settings

from tests.house.waiting import TIMEOUT, wait_until
from tests.servers import free_port, redis
from tests.var_folder import environment, furnish, processes_of

pytestmark = [pytest.mark.journey, pytest.mark.timeout(600)]

GAP = "SELECT began_at FROM games_outage WHERE kind = 'gap'"


class Served:
    """One `manage.py serve` with its own folder and port."""

    def __init__(self, folder, port, **env):
        self.folder, self.port, self.extra = folder, port, env
        self.unset = ()
        self.process = None

    def start(self):
        env = environment(self.folder) | {"PORT": str(self.port), **self.extra}
        env = {name: value for name, value in env.items() if name not in self.unset}
        self.log = self.folder.parent / "serve.log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "serve"],
                cwd=settings.BASE_DIR,
                env=env,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        wait_until(lambda: self.ready() or self.ended(), "Pli is ready")
        assert not self.ended(), self.words()

    def words(self):
        return self.log.read_text()

    def ready(self):
        return "Ctrl-C stops everything" in self.words()

    def ended(self):
        return self.process.poll() is not None

    def family(self):
        """Return the processes that work in our folder."""
        return processes_of(self.folder)

    def named(self, name):
        """Return the process that `ps` and `top` show by this name."""
        (found,) = [pid for pid in self.family() if _name(pid) == name]
        return found

    def get(self, path):
        connection = HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
        connection.request("GET", path)
        response = connection.getresponse()
        response.read()
        return response.status

    def stop(self, number):
        self.process.send_signal(number)
        return self.process.wait(TIMEOUT)

    def gone(self):
        return not self.family()

    def end(self):
        for pid in self.family():
            with suppress(ProcessLookupError):  # it ended meanwhile
                os.kill(pid, signal.SIGKILL)
        if self.process:
            self.process.wait()


def _command(pid):
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().split("\0")
    except OSError:
        return []


def _name(pid):
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


@pytest.fixture
def served(tmp_path):
    """A house in an empty folder."""
    one = Served(tmp_path / "var", free_port())
    yield one
    one.end()


@pytest.fixture
def lived_in(served):
    """A house that was there before: nobody has played for the practice partners yet."""
    furnish(served.folder)
    return served


def ask(served, question):
    """Return the first value that the house's own database answers, None without any."""
    with sqlite3.connect(served.folder / "pli.sqlite3", timeout=TIMEOUT) as database:
        row = database.execute(question).fetchone()
        return row[0] if row else None


def sign_of_life(served):
    return ask(served, "SELECT at FROM games_heartbeat")


def people(served):
    with sqlite3.connect(served.folder / "pli.sqlite3") as database:
        return database.execute("SELECT id, username, date_joined FROM accounts_user").fetchall()


def partner_has_played(served):
    """Tell whether a practice partner has begun the demonstration's game with partners."""
    with sqlite3.connect(served.folder / "pli.sqlite3") as database:
        question = (
            "SELECT count(*) FROM games_turn JOIN accounts_user AS player ON player_id = player.id"
        )
        (count,) = database.execute(f"{question} WHERE is_program").fetchone()
        return count > 0


def smtp_greets(served):
    """Tell whether the mail listener answers where the greeting says."""
    (line,) = [line for line in served.words().splitlines() if "Mail in" in line]
    host, _, port = line.split()[-1].rpartition(":")
    with smtplib.SMTP(host, int(port), timeout=TIMEOUT) as server:
        server.ehlo()
        server.mail("ann@example.org")
        code, _ = server.rcpt("nobody@localhost")
    return host == "127.0.0.1" and code == 550


def test_it_starts_with_a_demonstration_and_ctrl_c_leaves_no_process(served):
    served.start()
    assert served.get("/healthz") == 200
    assert served.get("/static/css/tokens.css") == 200
    words = served.words()
    assert f"http://localhost:{served.port}/" in words
    assert "/letterbox/" in words
    assert "/admin/" in words
    assert "pli-ann" in words
    assert len(served.family()) >= 4
    assert smtp_greets(served)
    wait_until(lambda: partner_has_played(served), "the loop has let the practice partner play")
    assert served.stop(signal.SIGINT) == 0
    assert served.gone()
    assert "Traceback" not in served.words()


def test_a_second_start_keeps_what_was_there(lived_in):
    before = people(lived_in)
    lived_in.start()
    assert "making a demonstration" not in lived_in.words()
    assert people(lived_in) == before
    assert len(before) >= 4


def test_a_restart_after_ten_minutes_shows_one_outage(lived_in):
    ask(lived_in, "INSERT INTO games_heartbeat (at) VALUES (datetime('now', '-10 minutes'))")
    began = sign_of_life(lived_in)
    lived_in.start()
    wait_until(lambda: ask(lived_in, GAP), "the gap is noted")
    assert ask(lived_in, GAP).startswith(began)
    done = "SELECT 1 FROM games_outage WHERE counted_up_to IS NULL"
    wait_until(lambda: ask(lived_in, done), "the deadlines were counted anew")
    assert ask(lived_in, "SELECT count(*) FROM games_outage") == 1
    assert lived_in.get("/outages/") == 200


def pass_a_deadline(served):
    """Let the time of a turn run out after the last heartbeat, seconds ago."""
    ask(served, "INSERT INTO games_heartbeat (at) VALUES (datetime('now', '-20 seconds'))")
    near = "SELECT min(id) FROM games_game WHERE deadline IS NOT NULL"
    passed = "UPDATE games_game SET deadline = datetime('now', '-10 seconds')"
    ask(served, f"{passed} WHERE id = ({near})")


def test_a_restart_of_seconds_across_a_deadline_is_an_outage(lived_in):
    pass_a_deadline(lived_in)
    began = sign_of_life(lived_in)
    lived_in.start()
    wait_until(lambda: ask(lived_in, GAP), "the gap is noted")
    assert ask(lived_in, GAP).startswith(began)


def test_the_tasks_ask_the_pages_and_the_listener_that_it_starts(lived_in):
    lived_in.unset = ("PLI_PROBE_URL", "PLI_PROBE_SMTP")
    lived_in.start()
    answered = "SELECT address FROM games_heartbeat WHERE has_answered AND asked_at = at AND id = "
    for which, address in [
        (2, f"http://localhost:{lived_in.port}/healthz"),
        (3, f"127.0.0.1:{lived_in.port + 25}"),
    ]:
        wait_until(lambda which=which: ask(lived_in, f"{answered}{which}"), "it answered")
        assert ask(lived_in, f"{answered}{which}") == address


def test_with_a_broker_celery_does_what_must_happen_later(lived_in):
    assert not partner_has_played(lived_in)
    pass_a_deadline(lived_in)
    with redis() as address:
        lived_in.extra["CELERY_BROKER_URL"] = f"{address}/0"
        lived_in.start()
        assert not any("drain" in _command(pid) for pid in lived_in.family())
        assert smtp_greets(lived_in)
        wait_until(lambda: partner_has_played(lived_in), "beat and worker have done the same")
        wait_until(lambda: ask(lived_in, GAP), "the worker has recorded its start")
        assert lived_in.stop(signal.SIGINT) == 0
    assert lived_in.gone()
    assert "Traceback" not in lived_in.words()


@pytest.mark.parametrize("name", ["drain", "listen"])
def test_when_one_process_dies_the_others_are_stopped_and_it_says_so(lived_in, name):
    lived_in.start()
    os.kill(lived_in.named(f"pli-{name}"), signal.SIGKILL)
    assert lived_in.process.wait(TIMEOUT) != 0
    assert f"“{name}” ended by itself" in lived_in.words()
    assert lived_in.gone()


def test_programs_think_in_a_process_that_gives_way_and_is_limited(lived_in):
    lived_in.start()
    wait_until(lambda: "pli-thinker" in map(_name, lived_in.family()), "it thinks")
    thinker, pages = lived_in.named("pli-thinker"), lived_in.named("pli-web")
    wait_until(lambda: _priority(thinker) >= min(19, _priority(pages) + 10), "it gives way")
    limits = Path(f"/proc/{thinker}/limits").read_text().splitlines()
    (most,) = [line.split()[3] for line in limits if line.startswith("Max data size")]
    assert 0 < int(most) < 1_000_000_000


def test_when_the_process_that_thinks_dies_the_service_goes_on_and_another_thinks(lived_in):
    lived_in.start()
    wait_until(lambda: "pli-thinker" in map(_name, lived_in.family()), "it thinks")
    died = lived_in.named("pli-thinker")
    os.kill(died, signal.SIGKILL)
    wait_until(lambda: died not in lived_in.family(), "it is gone")
    wait_until(lambda: "pli-thinker" in map(_name, lived_in.family()), "another one thinks")
    assert answers(lived_in, "/healthz")
    assert lived_in.process.poll() is None


def test_the_process_that_thinks_rests_until_a_turn_is_due(lived_in):
    put = (
        "UPDATE games_game SET program_due_at = datetime('now', '{}') WHERE program_due_at NOTNULL"
    )
    ask(lived_in, put.format("+1 hour"))  # as if a process had been killed that thought about it
    lived_in.start()
    wait_until(lambda: "pli-thinker" in map(_name, lived_in.family()), "it looks what is due")
    wait_until(lambda: "pli-thinker" not in map(_name, lived_in.family()), "it rests")
    assert "started again" not in lived_in.words()
    assert not partner_has_played(lived_in)
    ask(lived_in, put.format("-1 second"))
    wait_until(lambda: partner_has_played(lived_in), "it was started for the turn")
    assert lived_in.stop(signal.SIGINT) == 0
    assert lived_in.gone()


def _priority(pid):
    return os.getpriority(os.PRIO_PROCESS, pid)


def test_when_a_worker_of_the_pages_dies_another_one_takes_its_place(lived_in):
    lived_in.start()
    died = lived_in.named("pli-web")
    os.kill(died, signal.SIGKILL)
    wait_until(lambda: died not in lived_in.family(), "it is gone")
    wait_until(lambda: answers(lived_in, "/healthz"), "another one answers")
    assert lived_in.process.poll() is None
    assert lived_in.named("pli-web") != died


def answers(served, path):
    with suppress(OSError, HTTPException):
        return served.get(path) == 200


def test_even_a_kill_leaves_no_orphans(lived_in):
    lived_in.start()
    lived_in.process.kill()
    lived_in.process.wait()
    wait_until(lived_in.gone, "the children have noticed")


def test_a_taken_port_is_named_before_anything_is_started(served):
    taken = pytest.raises(AssertionError, match=f"Port {served.port} is taken")
    with socket.create_server(("127.0.0.1", served.port)), taken:
        served.start()
    assert served.process.returncode != 0
    assert not served.folder.exists()
