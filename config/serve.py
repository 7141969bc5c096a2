"""Everything on one machine: what `manage.py serve` prepares and which processes it starts."""

import os
import socket
import sys
from collections.abc import Mapping
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management import call_command

from config.private_files import make_private
from config.schedule import QUEUES
from notifications.listener import parse_socket_address

LOOPBACK = "127.0.0.1"

AT_ONCE = {"clocks": 1}
"""How many tasks of a queue run at once, where that is not two: mail goes out and comes in."""

_HERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104
"""Where to find on this machine what listens on all addresses."""


def prepare() -> None:
    """Bring folders, tables and static files to what this version of Pli needs.

    Raises PermissionError if what is there belongs to another user.
    """
    make_private()
    call_command("migrate", interactive=False, verbosity=0)
    call_command("createcachetable", verbosity=0)
    if not settings.DEBUG:
        call_command("collectstatic", interactive=False, verbosity=0)


def environment(port: int) -> dict[str, str]:
    """Return what the processes find in their environment: ours, where pages and listener are."""
    known = {
        "PLI_SITE_URL": f"http://localhost:{port}",
        "PLI_LISTEN": f"{LOOPBACK}:{_port_for_mail(port)}",
        "PYTHONUNBUFFERED": "1",
    }
    return known | os.environ | {"PLI_METRICS_LISTEN": ""}  # we answer there for all of them


def _port_for_mail(port: int) -> int:
    """Return a free port for the mail listener: 25 above that of the pages where it is free."""
    if is_free(LOOPBACK, port + 25):
        return port + 25
    with socket.create_server((LOOPBACK, 0)) as probe:
        return int(probe.getsockname()[1])


def web_command(host: str, port: int, workers: int) -> list[str]:
    """Return how the web server is started."""
    return [
        *(sys.executable, "-m", "granian", "--interface", "wsgi", "--no-ws"),
        *("--host", host, "--port", str(port)),
        *("--workers", str(workers), "--blocking-threads", "8"),
        *("--respawn-failed-workers", "--workers-kill-timeout", "5"),
        *("--log-level", "error", "config.wsgi:application"),
    ]


def background_commands() -> dict[str, list[str]]:
    """Return who takes mail in, and who does what must happen later.

    That is the loops, or Celery when there is a broker.
    """
    listen = {"listen": [sys.executable, "manage.py", "listen"]}
    if not settings.CELERY_BROKER_URL:
        return {**listen, "drain": [sys.executable, "manage.py", "drain"]}
    celery = [sys.executable, "-m", "celery", "--quiet", "-A", "config"]
    times = str(Path(settings.VAR_DIR) / "beat")
    return {
        **listen,
        **{f"worker for {queue}": [*celery, *_worker(queue)] for queue in QUEUES},
        "beat": [*celery, "beat", "--schedule", times, "--loglevel", "WARNING"],
    }


def _worker(queue: str) -> list[str]:
    """Return how the worker of one queue is started. Each needs a name of its own."""
    return [
        *("worker", "--queues", queue, "--hostname", f"{queue}@%h"),
        *("--concurrency", str(AT_ONCE.get(queue, 2)), "--loglevel", "WARNING"),
    ]


def is_free(host: str, port: int) -> bool:
    """Tell whether a server could listen there."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def takes_mail(env: Mapping[str, str]) -> bool:
    """Tell whether the mail listener is there: it accepts a connection.

    An address that cannot be read is the listener's to complain of.
    """
    try:
        at = parse_socket_address(env["PLI_LISTEN"])
        socket.create_connection((_HERE.get(at.host, at.host), at.port), timeout=5).close()
    except (OSError, ValueError):
        return False
    return True


def answers(host: str, port: int, env: Mapping[str, str]) -> bool:
    """Tell whether the pages are there: /healthz says "ok"."""
    connection = HTTPConnection(_HERE.get(host, host), port, timeout=5)
    try:
        connection.request(
            "GET", "/healthz", headers={"Host": urlsplit(env["PLI_SITE_URL"]).netloc}
        )
        return connection.getresponse().status == HTTPStatus.OK
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()
