"""The service as compose.yaml describes it, with parts that can be killed, frozen and refused."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import django
import psycopg

from config.processes import die_with_parent
from config.schedule import QUEUES
from tests.journeys.processes import answers, until
from tests.journeys.scaled_service import AS_A_PROXY, CELERY, Grown
from tests.servers import free_port, postgres_folder, web_command
from tests.smtp import Sink

DISK = 400
"""Megabytes of the file system that holds the database, where it can be mounted."""


class Postgres:
    """A PostgreSQL server that survives an immediate stop: what it has committed is kept."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.port = free_port()
        self.owner = "postgres" if os.geteuid() == 0 else None
        self.programs = postgres_folder()
        self.mounted = self._mount()
        if self.owner:
            shutil.chown(self.folder, self.owner, self.owner)
        self._run(
            *("initdb", "-D", self.data, "-U", "pli", "-A", "trust"),
            *("-E", "UTF8", "--locale=C.UTF-8", "--no-sync"),
        )
        self.server = None

    @property
    def data(self):
        return self.folder / "data"

    @property
    def url(self):
        return f"postgres://pli@127.0.0.1:{self.port}/postgres"

    def _mount(self):
        """Give the database a small disk of its own, which can be filled; needs root."""
        mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK}m", "tmpfs", self.folder]
        return self.owner is not None and subprocess.run(mount, check=False).returncode == 0

    def _as(self):
        return {"user": self.owner, "group": self.owner, "extra_groups": []} if self.owner else {}

    def _run(self, program, *words):
        command = [self.programs / program, *words]
        subprocess.run(
            command, check=True, stdout=subprocess.DEVNULL, cwd=self.folder, **self._as()
        )

    def start(self):
        options = ["fsync=off", "max_connections=200", f"port={self.port}"]
        options += ["listen_addresses=127.0.0.1", f"unix_socket_directories={self.folder}"]
        options += ["max_wal_size=64MB", "min_wal_size=32MB", "log_min_messages=fatal"]
        options += ["log_min_error_statement=panic", "track_commit_timestamp=on"]
        self.server = subprocess.Popen(
            [self.programs / "postgres", "-D", self.data, *(f"-c{one}" for one in options)],
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=die_with_parent(),  # noqa: PLW1509
            **self._as(),
        )
        until(self.answers, "PostgreSQL answers", every=0.2)

    def answers(self):
        asked = ["-q", "-d", "postgres", "-U", "pli", "-h", "127.0.0.1", "-p", str(self.port)]
        return subprocess.call([self.programs / "pg_isready", *asked]) == 0

    def is_running(self):
        return self.server is not None and self.server.poll() is None

    def stop(self, how=signal.SIGQUIT):
        """Stop as a crash does: connections end at once, and the next start recovers."""
        if self.is_running():
            self.server.send_signal(how)
        with suppress(subprocess.TimeoutExpired):
            self.server.wait(30)

    def fill_disk(self):
        """Write until there is no space left."""
        with suppress(OSError), (self.folder / "filler").open("wb", buffering=0) as file:
            while True:
                file.write(b"\0" * 65536)

    def free_disk(self):
        (self.folder / "filler").unlink(missing_ok=True)

    def close(self):
        self.stop()
        if self.mounted:
            subprocess.run(["umount", "-l", self.folder], check=False)


class MailServer(Sink):
    """Records every mail; can be slow, refuse, or take a mail and end without a word."""

    def __init__(self):
        super().__init__()
        self.mode = "good"
        self.seconds = 2.0

    async def handle_MAIL(self, server, session, envelope, address, options):
        await self._think()
        if self.mode == "refuse":
            return "451 4.3.0 not now"
        envelope.mail_from = address
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        await self._think()
        self.raw.append(envelope.original_content)
        if self.mode == "lie":  # taken, but the sender never hears of it
            server.transport.abort()
        return "250 Taken"

    async def _think(self):
        if self.mode == "slow":
            await asyncio.sleep(self.seconds)


class Cluster(Grown):
    """Two of each process, a database, a Redis and a mail server that can be made to fail."""

    def __init__(self, folder, stack, *, copies=2):
        self.copies = copies
        self.postgres = Postgres(tempfile.mkdtemp(prefix="pli-chaos-"))
        stack.callback(shutil.rmtree, self.postgres.folder, ignore_errors=True)
        stack.callback(self.postgres.close)
        self.postgres.start()
        self.redis = None
        stack.callback(self.stop_redis)
        super().__init__(folder, self.postgres.url, stack, MailServer())
        # After a fault that a check of the services saw, nobody would lose for twelve hours.
        self.processes.env |= {"PLI_PROBE_URL": "", "PLI_PROBE_SMTP": ""}
        self.processes.env |= {"PLI_MAIL_HOLD": "2", "PLI_MAIL_LOOKING": "0"}
        self.web_ports = [free_port() for _ in range(copies)]
        self.listen_ports = [free_port() for _ in range(copies)]
        self.commands = {}

    # Redis, under a handle of its own so that it can be frozen ----------------------------------

    def start_redis(self):
        command = ["redis-server", "--port", str(self.redis_port), "--bind", "127.0.0.1"]
        command += ["--save", "", "--appendonly", "no", "--loglevel", "warning"]
        self.redis = subprocess.Popen(
            command,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=die_with_parent(),  # noqa: PLW1509
        )

    def stop_redis(self):
        if self.redis is not None:
            self.redis.kill()
            self.redis.wait()

    # The processes ------------------------------------------------------------------------------

    def start(self):
        """Start everything, and let this process see the same settings and database."""
        env = self.processes.env
        os.environ.update(env)
        django.setup()
        manage = [sys.executable, "manage.py"]
        for command in ("migrate", "createcachetable"):
            subprocess.run([*manage, command], env=env, check=True, stdout=subprocess.DEVNULL)
        collect = [*manage, "collectstatic", "--no-input", "--verbosity", "0"]
        subprocess.run(collect, env=env, check=True, stdout=subprocess.DEVNULL)
        for number in range(self.copies):
            self.commands[f"web-{number}"] = web_command("127.0.0.1", self.web_ports[number], 1)
            listen = [*manage, "listen", f"127.0.0.1:{self.listen_ports[number]}"]
            self.commands[f"listen-{number}"] = listen
            times = str(self.processes.folder / f"beat-{number}")
            beat = ["beat", "--schedule", times, "--loglevel", "WARNING"]
            self.commands[f"beat-{number}"] = [*CELERY, "config", *beat]
            for queue in QUEUES:
                self.commands[f"{queue}-{number}"] = self.worker(queue, number)
        for name in self.commands:
            self.start_again(name)
        for port in self.web_ports:
            until(lambda port=port: answers(port, **AS_A_PROXY), "the pages are there")

    def worker(self, queue, number):
        which = ["--queues", queue, "--hostname", f"{queue}-{number}@%h"]
        return [*CELERY, "config", "worker", *which, "--concurrency", "1", "--loglevel", "WARNING"]

    def start_again(self, name, *, ahead=0.0):
        """Start a process; its clock may be so many seconds ahead."""
        command = self.commands[name]
        if ahead:
            shifted = [sys.executable, "-m", "tests.chaos.shifted", str(ahead)]
            command = [*shifted, *command[1:]]
        self.processes.start(name, command)

    def restart_fallen(self):
        """Start what has ended by itself, as `restart: unless-stopped` does."""
        for name in self.processes.fallen():
            self.processes.kill(name)
            self.start_again(name)

    def signal(self, name, number):
        """Send a signal to a process and its children."""
        with suppress(ProcessLookupError, KeyError):
            os.killpg(self.processes.running[name].pid, number)

    @contextmanager
    def locked_game(self, key):
        """Hold the lock of a game's row in a transaction that does nothing."""
        with psycopg.connect(self.postgres.url) as connection:
            connection.execute("SELECT 1 FROM games_game WHERE id = %s FOR UPDATE", [key])
            yield


@contextmanager
def cluster(folder, *, copies=2):
    """Run such a service; nothing of it is left afterwards."""
    with ExitStack() as stack:
        yield Cluster(Path(folder), stack, copies=copies)
