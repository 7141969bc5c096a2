"""The whole service on one machine: what `manage.py serve` prepares and starts."""

import os
import socket
import stat
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings

from config import background
from config.local_wakeups import LocalWakeups
from config.preparation import Preparation
from config.processes import ProcessGroup
from config.schedule import PROGRAMS_QUEUE, QUEUES
from games import wakeups
from notifications.listener import parse_socket_address

LOOPBACK = "127.0.0.1"

CONCURRENCY = {"clocks": 1, "push": 1}
"""How many tasks of a queue run at once, where that is not two."""

WRITTEN_FOLDERS = ("static", "pictures", "letterbox")
WRITTEN_FILES = ("beat*", "pli.sqlite3*", "prepared.json")
"""What Pli writes to PLI_VAR, or wrote there before (pictures). Other files there are not ours, and
left alone."""

_HERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104
"""Where to find on this machine what listens on all addresses."""


def prepare(say: Callable[[str], None] = lambda text: None) -> None:
    """Bring folders, tables and static files to what this version of Pli needs.

    `say` is told what takes its time. Raises PermissionError if what is there belongs to another
    user.
    """
    make_private()
    Preparation(Path(settings.VAR_DIR), say).run()


def make_private() -> None:
    """Make PLI_VAR if it is missing; take the rights of other users from what Pli wrote there.

    Raises PermissionError if something there belongs to another user.
    """
    var = Path(settings.VAR_DIR)
    var.mkdir(mode=stat.S_IRWXU, parents=True, exist_ok=True)
    written = [var]
    for name in WRITTEN_FOLDERS:
        written += [path for path in (var / name, *(var / name).rglob("*")) if path.exists()]
    for pattern in WRITTEN_FILES:
        written += var.glob(pattern)
    database = settings.DATABASES["default"]
    if database["ENGINE"].endswith("sqlite3"):
        file = Path(str(database["NAME"]))
        written += file.parent.glob(f"{file.name}*")
    others = stat.S_IRWXG | stat.S_IRWXO
    for path in written:
        with suppress(FileNotFoundError):  # a worker has removed it meanwhile
            mode = path.lstat().st_mode
            if mode & others and not stat.S_ISLNK(mode):
                path.chmod(stat.S_IMODE(mode) & ~others)


def environment(port: int) -> dict[str, str]:
    """Return the environment of the processes: ours, and where pages and listener are."""
    mail_port = port + 25
    if not is_free(LOOPBACK, mail_port):
        with socket.create_server((LOOPBACK, 0)) as probe:
            mail_port = int(probe.getsockname()[1])
    listen = os.environ.get("PLI_LISTEN", f"{LOOPBACK}:{mail_port}")
    defaults = {
        "PLI_SITE_URL": f"http://localhost:{port}",
        "PLI_LISTEN": listen,
        "PLI_PROBE_SMTP": _on_this_machine(listen),
        "PYTHONUNBUFFERED": "1",
    }
    # We serve the metrics of all of them.
    return defaults | os.environ | {"PLI_METRICS_LISTEN": ""}


def _on_this_machine(listen: str) -> str:
    """Return where to find the mail listener from here; empty for an invalid address."""
    try:
        at = parse_socket_address(listen)
    except ValueError:
        return ""  # the listener itself says so
    host = _HERE.get(at.host, at.host)
    return f"[{host}]:{at.port}" if ":" in host else f"{host}:{at.port}"


def use(env: Mapping[str, str]) -> None:
    """Have this process, and those forked from it, find what `environment` says."""
    os.environ.update(env)
    settings.SITE_URL = env["PLI_SITE_URL"].rstrip("/")
    settings.PROBE_URL = env.get("PLI_PROBE_URL", f"{settings.SITE_URL}/healthz")
    settings.LISTEN, settings.PROBE_SMTP = env["PLI_LISTEN"], env["PLI_PROBE_SMTP"]
    settings.METRICS_LISTEN = env["PLI_METRICS_LISTEN"]


def start_background(processes: ProcessGroup) -> None:
    """Start the mail listener, and what runs the periodic tasks: Celery's workers with a broker.

    Without a broker one process does it, and another one thinks for the programs. Both are forked
    from this one and told by the others when there is something to do. There must be no open
    connection to the database.
    """
    if settings.CELERY_BROKER_URL:
        for name, command in celery_commands().items():
            processes.start(name, command)
        processes.fork("listen", background.listen)
        return
    local, programs = LocalWakeups(), LocalWakeups()
    wakeups.tell_worker_by(lambda name: (programs if name == "bots" else local).tell(name))
    processes.fork("listen", background.listen)
    processes.fork("drain", lambda: background.drain(local))
    processes.fork("programs", lambda: background.think(programs))


def celery_commands() -> dict[str, list[str]]:
    """Return the commands of Celery's workers and of beat."""
    celery = [sys.executable, "-m", "celery", "--quiet", "-A", "config"]
    workers = {
        f"worker for {queue}": [
            *(*celery, "worker", "--queues", queue),
            *("--hostname", f"{queue}@%h"),  # each worker needs a name of its own
            *("--concurrency", str(CONCURRENCY.get(queue, 2)), "--loglevel", "WARNING"),
            # A thread that thinks for long and one that answers quickly.
            *(("--pool", "threads") if queue == PROGRAMS_QUEUE else ()),
        ]
        for queue in QUEUES
    }
    times = str(Path(settings.VAR_DIR) / "beat")
    beat = [*celery, "beat", "--schedule", times, "--loglevel", "WARNING"]
    return {**workers, "beat": beat}


def is_free(host: str, port: int) -> bool:
    """Return whether a server could listen there."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def takes_mail(env: Mapping[str, str]) -> bool:
    """Return whether the mail listener accepts a connection.

    That its address is invalid is reported by the listener itself.
    """
    try:
        at = parse_socket_address(env["PLI_LISTEN"])
        socket.create_connection((_HERE.get(at.host, at.host), at.port), timeout=5).close()
    except (OSError, ValueError):
        return False
    return True


def answers(host: str, port: int, env: Mapping[str, str]) -> bool:
    """Return whether the pages are there: /healthz says "ok"."""
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
