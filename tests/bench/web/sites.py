"""The two sites that are measured, each on a web server and a database of its own."""

import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import psycopg
import psycopg.sql

from config.processes import die_with_parent
from tests.servers import free_port, postgresql, redis

ROOT = Path(__file__).resolve().parent.parent.parent.parent
HERE = Path(__file__).resolve().parent
HOST = "pli.example.org"
PAIRS, EACH = 50, 50
"""How many pairs play, and how many games each pair has."""
STARTING_TIME = 60.0
"""Seconds a web server may take until it answers."""


@dataclass(frozen=True)
class Site:
    """A site that answers, with its players, their games and the turns that they are to play."""

    name: str
    folder: Path
    database: str
    process: int
    port: int
    scheme: str
    seeded: Mapping[str, Any]

    @property
    def origin(self) -> str:
        """What a browser calls the site."""
        return f"{self.scheme}://{HOST}"

    def cookies(self, user: int) -> str:
        """Return the Cookie header of a player."""
        session = self.seeded["sessions"][str(user)]
        return f"{self.seeded['session_cookie']}={session}; {self.seeded['csrf_cookie']}={CSRF}"

    def get(self, path: str, user: int) -> tuple[int, str]:
        """Return status and text of a page that a player opens."""
        headers = {"Host": HOST, "X-Forwarded-Proto": "https", "Cookie": self.cookies(user)}
        connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def turn_numbers(self) -> dict[int, int]:
        """Return how many turns each of the players' games has."""
        keys = [key for key, _, _ in self.seeded["games"]]
        with psycopg.connect(self.database) as connection:
            table = psycopg.sql.Identifier(self.seeded["table"])
            ask = psycopg.sql.SQL("SELECT id, turn_number FROM {} WHERE id = ANY(%s)").format(table)
            return dict(connection.execute(ask, [keys]).fetchall())

    def beat(self) -> None:
        """Write that the periodic tasks are up, as they do; without that there is an outage."""
        if self.name != BARE:
            with psycopg.connect(self.database) as connection:
                connection.execute("UPDATE games_heartbeat SET at = now()")


BARE = "bare"
CSRF = "a" * 32


class Bench:
    """The servers of a run, and the sites on them; all end with its `with` statement."""

    def __enter__(self) -> "Bench":
        signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # what was started ends too
        with ExitStack() as stack:
            self.var = Path(stack.enter_context(_folder()))
            self.database = stack.enter_context(postgresql())
            self.redis = stack.enter_context(redis())
            with psycopg.connect(self.database) as connection:
                own = connection.execute("SELECT pg_backend_pid()").fetchone()
                version = connection.execute("SHOW server_version").fetchone()
                assert own is not None
                assert version is not None
                self.postgresql_process = parent(own[0])
                self.postgresql_version = str(version[0])
            self.stack = stack.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        self.stack.close()

    def bare(self) -> Site:
        """Fill and start the bare project."""
        env = dict(os.environ) | {"DATABASE_URL": self._new_database(BARE)}
        file = self.var / f"{BARE}.json"
        seed = [sys.executable, "-m", "tests.bench.bare.seed", str(PAIRS), str(EACH), str(file)]
        subprocess.run(seed, cwd=ROOT, env=env, check=True)
        application = "tests.bench.bare.app:application"
        return self._start(BARE, sys.executable, ROOT, env, application, file, "http")

    def pli(self, checkout: Path, *, name: str = "Pli", **sizes: int) -> Site:
        """Fill Pli with so much as `seed_pli` takes, and start it as a host does."""
        file = self.seed_pli(checkout, name=name, **sizes)
        env = self.environment(checkout, name)
        python = interpreter(checkout)
        return self._start(name, python, checkout, env, "config.wsgi:application", file, "https")

    def seed_pli(
        self,
        checkout: Path,
        *,
        name: str = "Pli",
        each: int = EACH,
        stored: int = 0,
        entries: int = 0,
    ) -> Path:
        """Fill Pli's database, with `stored` games of others; return the file of who plays what."""
        self._new_database(name.lower())
        file = self.var / f"{name}.json"
        numbers = (str(number) for number in (PAIRS, each, stored, entries))
        seed = [interpreter(checkout), str(HERE / "seed_pli.py"), *numbers, str(file)]
        subprocess.run(seed, cwd=checkout, env=self.environment(checkout, name), check=True)
        return file

    def environment(self, checkout: Path, name: str) -> dict[str, str]:
        """Return the environment of Pli on a database, with the settings of production."""
        return dict(os.environ) | {
            "DJANGO_SETTINGS_MODULE": "config.settings.prod",
            "SECRET_KEY": self._secret,
            "PLI_FACTOR_KEYS": urlsafe_b64encode(bytes.fromhex(self._factor)).decode(),
            "PLI_SITE_URL": f"https://{HOST}",
            "PLI_MAIL_DOMAIN": HOST,
            "PLI_MAIL_FROM": f"games@{HOST}",
            "EMAIL_URL": "smtp://localhost:1",
            "DATABASE_URL": self._address(name.lower()),
            "CELERY_BROKER_URL": f"{self.redis}/0",
            "PLI_VAR": str(self.var / f"var-{name}"),
            "PYTHONPATH": str(checkout),
        }

    _secret, _factor = secrets.token_urlsafe(50), secrets.token_hex(32)

    def cpu(self, site: Site) -> tuple[float, float]:
        """Return the seconds of processor time that a site's web server and PostgreSQL have had."""
        return cpu_of(site.process), cpu_of(self.postgresql_process)

    def _address(self, name: str) -> str:
        return f"{self.database.rpartition('/')[0]}/{name}"

    def _new_database(self, name: str) -> str:
        with psycopg.connect(self.database, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self._address(name)

    def _start(
        self,
        name: str,
        python: str,
        folder: Path,
        env: Mapping[str, str],
        application: str,
        file: Path,
        scheme: str,
    ) -> Site:
        port = free_port()
        command = [
            *(python, "-m", "granian", "--interface", "wsgi", "--no-ws"),
            *("--host", "127.0.0.1", "--port", str(port), "--workers", "2"),
            *("--blocking-threads", "8", "--log-level", "error", application),
        ]
        output = self.var / f"{name}.log"
        with output.open("wb") as log:
            server = subprocess.Popen(
                command,
                cwd=folder,
                env=dict(env),
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=die_with_parent(),  # noqa: PLW1509
            )
        self.stack.callback(_stop, server)
        seeded = json.loads(file.read_text("utf-8"))
        site = Site(name, self.var, env["DATABASE_URL"], server.pid, port, scheme, seeded)
        _wait_for(site, server, output)
        return site


def interpreter(checkout: Path) -> str:
    """Return the Python of a checkout: its own, or else ours."""
    own = checkout / ".venv" / "bin" / "python"
    return str(own) if own.exists() else sys.executable


def cpu_of(root: int) -> float:
    """Return the seconds of processor time of a process and its children, ended ones too."""
    children: dict[int, list[int]] = {}
    ticks: dict[int, int] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue  # it has just ended
            children.setdefault(int(fields[1]), []).append(int(folder.name))
            ticks[int(folder.name)] = sum(map(int, fields[11:15]))
    total, waiting = 0, [root]
    while waiting:
        one = waiting.pop()
        total += ticks.get(one, 0)
        waiting += children.get(one, [])
    return total / os.sysconf("SC_CLK_TCK")


@contextmanager
def _folder() -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="pli-bench-") as folder:
        yield folder


def parent(process: int) -> int:
    """Return the key of the process that started a process."""
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])


def _wait_for(site: Site, server: "subprocess.Popen[bytes]", output: Path) -> None:
    last_moment = time.monotonic() + STARTING_TIME
    user = int(next(iter(site.seeded["sessions"])))
    while True:
        try:
            status, _ = site.get("/", user)
        except OSError:
            status = 0
        if status == 200:
            return
        if server.poll() is not None or time.monotonic() > last_moment:
            raise SystemExit(f"{site.name} answers {status}:\n{output.read_text()[-3000:]}")
        time.sleep(0.2)


def _stop(server: "subprocess.Popen[bytes]") -> None:
    server.terminate()
    try:
        server.wait(10)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


def missing_programs() -> list[str]:
    """Return which of the programs that are needed are not installed."""
    return [name for name in ("wrk", "redis-server") if shutil.which(name) is None]
