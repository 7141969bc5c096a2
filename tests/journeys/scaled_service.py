"""Pli as a host grows it: PostgreSQL, Redis, web, worker and beat apart, mail by SMTP."""

import os
import secrets
import sys
from contextlib import ExitStack, contextmanager

import psycopg
from cryptography.fernet import Fernet

from config.schedule import QUEUES
from tests import smtp
from tests.journeys.processes import SOON, Processes, answers
from tests.journeys.tls import tls_before
from tests.servers import free_port, postgresql, redis

CELERY = [sys.executable, "-m", "celery", "-A"]


class Grown:
    """The processes of such a service, its mail server's sink, and its Redis."""

    def __init__(self, folder, database, stack, sink):
        self.sink = sink
        self.port, self.redis_port = free_port(), free_port()
        folder.mkdir(parents=True)
        self.site = f"https://localhost:{stack.enter_context(tls_before(self.port, folder))}"
        self._redis = stack.enter_context(ExitStack())
        self.start_redis()
        mail = stack.enter_context(smtp.running(self.sink))
        self.processes = stack.enter_context(
            Processes(folder, **self._environment(folder, database, mail))
        )

    def _environment(self, folder, database, mail):
        """Return what compose.yaml and a host's .env say."""
        return {
            "DJANGO_SETTINGS_MODULE": "config.settings.prod",
            "SECRET_KEY": secrets.token_urlsafe(50),
            "PLI_FACTOR_KEYS": Fernet.generate_key().decode(),
            "PLI_SITE_URL": self.site,
            "PLI_MAIL_DOMAIN": "pli.example.org",
            "PLI_MAIL_FROM": "Pli <games@pli.example.org>",
            "PLI_VAR": str(folder / "var"),
            "DATABASE_URL": database,
            "CELERY_BROKER_URL": f"redis://127.0.0.1:{self.redis_port}/0",
            **SOON,
            "EMAIL_URL": f"smtp://127.0.0.1:{mail}",
        }

    def start(self):
        """Start every process, and wait for the pages."""
        pages = [sys.executable, "manage.py", "serve", "--web-only"]
        self.processes.start("web", [*pages, "--port", str(self.port), "--workers", "2"])
        there = "the pages are there"
        self.processes.until(lambda: answers(self.port, **AS_A_PROXY), there)
        self.start_workers()
        self.start_beat()

    def start_beat(self, app="config"):
        times = str(self.processes.folder / "beat")
        beat = ["beat", "--schedule", times, "--loglevel", "INFO"]
        self.processes.start("beat", [*CELERY, app, *beat])

    def start_workers(self, app="config"):
        """Start a worker for each queue, as compose.yaml does."""
        for queue in QUEUES:
            which = ["--queues", queue, "--hostname", f"{queue}@%h"]
            worker = [*CELERY, app, "worker", *which, "--concurrency", "2", "--loglevel", "INFO"]
            self.processes.start(queue, worker)

    def kill_workers(self):
        """End the workers as a power cut would."""
        for queue in QUEUES:
            self.processes.kill(queue)

    def stop_redis(self):
        self._redis.close()

    def start_redis(self):
        """Start a Redis that remembers nothing, always at the same port."""
        self._redis.enter_context(redis(self.redis_port))

    def mails(self, kind):
        """Return the mails of a kind that have arrived."""
        return [one for one in self.sink.messages if one["X-Pli-Kind"] == kind]

    def mail(self, kind):
        """Wait for the first mail of a kind."""
        what = f"mail of the kind {kind} arrived"
        return self.processes.until(lambda: self.mails(kind), what)[0]


AS_A_PROXY = {"X-Forwarded-Proto": "https"}
"""What the proxy in front adds to each request."""


@contextmanager
def grown(folder, sink=None):
    """Run such a service; nothing of it is left afterwards."""
    with ExitStack() as stack:
        server = os.environ.get("DATABASE_URL", "")
        if not server.startswith("postgres"):
            server = stack.enter_context(postgresql())
        yield Grown(folder, stack.enter_context(_database(server)), stack, sink or smtp.Sink())


@contextmanager
def _database(server):
    """Make a database of our own on a PostgreSQL server; the value is its address."""
    name = f"journey_{secrets.token_hex(4)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        try:
            yield server.rsplit("/", 1)[0] + f"/{name}"
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
