"""The servers that the tests bring along: PostgreSQL and Redis, each in a temporary folder."""

import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from config.processes import die_with_parent

STARTING_TIME = 60.0
"""Seconds a server may take until it answers."""


def postgres_folder() -> Path | None:
    """Return the folder of PostgreSQL's programs: the newest version's, None without any."""
    installed = Path("/usr/lib/postgresql").glob("*/bin/initdb")
    newest = sorted(installed, key=lambda path: float(path.parts[-3]))
    if newest:
        return newest[-1].parent
    elsewhere = shutil.which("initdb")
    return Path(elsewhere).resolve().parent if elsewhere else None


def free_port() -> int:
    """Return a port of this machine that nobody listens on.

    Chosen at random below those that Linux gives to outgoing connections, which would take it
    before the server starts.
    """
    while True:
        port = random.SystemRandom().randrange(10_000, 32_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


class BlackHole:
    """A server that accepts every connection and never answers."""

    def __enter__(self) -> "BlackHole":
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.connections: list[socket.socket] = []
        threading.Thread(target=self._listen, daemon=True).start()
        return self

    def _listen(self) -> None:
        try:
            while True:
                self.connections.append(self.socket.accept()[0])
        except OSError:
            return

    def __exit__(self, *error: object) -> None:
        self.socket.close()
        for connection in self.connections:
            connection.close()

    @property
    def address(self) -> str:
        """The URL of a Redis database there."""
        return f"redis://127.0.0.1:{self.socket.getsockname()[1]}/0"


def web_command(host: str, port: int, workers: int) -> list[str]:
    """Return the command of a web server alone, as docs/hosting.md says."""
    from config.pages import KILL_TIMEOUT, THREADS  # it loads the models

    return [
        *(sys.executable, "-m", "granian", "--interface", "wsgi", "--no-ws"),
        *("--host", host, "--port", str(port)),
        *("--workers", str(workers), "--blocking-threads", str(THREADS)),
        *("--respawn-failed-workers", "--workers-kill-timeout", str(KILL_TIMEOUT)),
        *("--log-level", "error", "config.wsgi:application"),
    ]


@contextmanager
def postgresql() -> Iterator[str]:
    """Run a PostgreSQL server; the value is its DATABASE_URL."""
    programs = postgres_folder()
    assert programs is not None, "PostgreSQL is not installed"
    owner = "postgres" if os.geteuid() == 0 else None  # it refuses to run as root
    port = free_port()
    with _folder("pli-postgresql-", owner) as folder:
        data = folder / "data"
        subprocess.run(
            [
                *(programs / "initdb", "-D", data, "-U", "pli", "-A", "trust"),
                *("-E", "UTF8", "--locale=C.UTF-8", "--no-sync"),
            ],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd=folder,
            **_as(owner),
        )
        options = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"]
        options += ["max_connections=200", "listen_addresses=127.0.0.1", f"port={port}"]
        options += [f"unix_socket_directories={folder}", "log_min_messages=fatal"]
        options += ["log_min_error_statement=panic"]
        command = [programs / "postgres", "-D", data, *(f"-c{option}" for option in options)]
        with _running(command, folder, signal.SIGINT, owner) as server:
            where = ["-d", "postgres", "-U", "pli", "-h", "127.0.0.1", "-p", str(port)]
            answers = [programs / "pg_isready", "-q", *where]
            _wait_for("PostgreSQL", server, lambda: subprocess.call(answers) == 0)
            yield f"postgres://pli@127.0.0.1:{port}/postgres"


@contextmanager
def redis(port: int | None = None) -> Iterator[str]:
    """Run a Redis server; the value is its address without a database's number."""
    port = port or free_port()
    with _folder("pli-redis-", None) as folder:
        command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1"]
        command += ["--save", "", "--appendonly", "no", "--loglevel", "warning"]
        with _running(command, folder, signal.SIGTERM, None) as server:
            _wait_for("Redis", server, lambda: _pings(port))
            yield f"redis://127.0.0.1:{port}"


def _pings(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1) as connection:
            connection.sendall(b"PING\r\n")
            return connection.recv(16).startswith(b"+PONG")
    except OSError:
        return False


@contextmanager
def _folder(prefix: str, owner: str | None) -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix=prefix))
    try:
        if owner:
            shutil.chown(folder, owner, owner)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _running(
    command: Sequence[str | Path], folder: Path, goodbye: signal.Signals, owner: str | None
) -> Iterator[subprocess.Popen[bytes]]:
    server = subprocess.Popen(
        command,
        cwd=folder,
        stdout=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C is for us; we stop it when the tests have ended
        preexec_fn=die_with_parent(),  # noqa: PLW1509
        **_as(owner),
    )
    try:
        yield server
    finally:
        server.send_signal(goodbye)
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def _as(owner: str | None) -> dict[str, object]:
    return {"user": owner, "group": owner, "extra_groups": []} if owner else {}


def _wait_for(name: str, server: subprocess.Popen[bytes], answers: Callable[[], bool]) -> None:
    last_moment = time.monotonic() + STARTING_TIME
    while not answers():
        if server.poll() is not None or time.monotonic() > last_moment:
            raise RuntimeError(f"{name} does not start")
        time.sleep(0.05)
