"""What `make run` costs: a start with everything in place, and a while in which nobody plays.

`make bench-service` starts the service in a folder of its own, the first time with a new database
and then again and again until the first page has come; the last one is left alone and measured
while it has nothing to do. CPU is that of all its processes together. RSS counts memory that
processes share once for each of them, PSS once in all. Linux only: all of it is in /proc.
"""

import argparse
import os
import platform
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import NamedTuple

from tests.servers import free_port

HERE = Path(__file__).parent.parent.parent
PAGE = "/accounts/login/"
LONGEST = 300.0
"""Seconds a start may take."""

SETTLES = 30.0
"""Seconds until the work of the start is done."""

GOAL_START, GOAL_CPU, GOAL_MEMORY = 1.5, 0.3, 200.0
"""Seconds to the first page; percent of one core; megabytes of PSS."""


class Cost(NamedTuple):
    """Seconds of CPU and megabytes of all processes of a service."""

    processes: int
    cpu: float
    rss: float
    pss: float


def processes_of(folder: Path) -> list[Path]:
    """Return the folders in /proc of the processes that work in a PLI_VAR."""
    mark = f"PLI_VAR={folder}".encode()
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if mark in (process / "environ").read_bytes().split(b"\0"):
                found.append(process)
    return found


def cost_of(folder: Path) -> Cost:
    """Return what the processes that work in a PLI_VAR have cost so far."""
    count, ticks, rss, pss = 0, 0, 0, 0
    for process in processes_of(folder):
        with suppress(OSError):
            lines = (process / "smaps_rollup").read_text().splitlines()[1:]
            sizes = {line.split(":")[0]: int(line.split()[1]) for line in lines}
            fields = (process / "stat").read_text().rpartition(")")[2].split()
            count, ticks = count + 1, ticks + int(fields[11]) + int(fields[12])
            rss, pss = rss + sizes["Rss"], pss + sizes["Pss"]
    return Cost(count, ticks / os.sysconf("SC_CLK_TCK"), rss / 1024, pss / 1024)


def answers(port: int) -> bool:
    """Return whether a page comes."""
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request("GET", PAGE)
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


class Started(NamedTuple):
    """A running service: its address, and the seconds from its start to its first page."""

    site: str
    seconds: float


@contextmanager
def service(checkout: Path, folder: Path) -> Iterator[Started]:
    """Run the service in a folder of its own."""
    port = free_port()
    kept = {key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ}
    # Without a hold the demonstration's mails are sent at the first start.
    env = {**kept, "PLI_VAR": str(folder), "PORT": str(port), "PLI_MAIL_HOLD": "0"}
    began = time.perf_counter()
    with (folder.parent / "serve.log").open("wb") as log:
        server = subprocess.Popen(
            [sys.executable, "manage.py", "serve"],
            cwd=checkout,
            env=env,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    try:
        while not answers(port):
            if server.poll() is not None or time.perf_counter() - began > LONGEST:
                raise RuntimeError((folder.parent / "serve.log").read_text())
            time.sleep(0.01)
        yield Started(f"http://localhost:{port}", time.perf_counter() - began)
    finally:
        server.send_signal(signal.SIGINT)
        server.wait()


def row(title: str, figure: float, unit: str, goal: float | None = None) -> int:
    """Print a line of the table; return 1 if the goal is missed."""
    said = f"{goal:10.2f}" if goal is not None else ""
    print(f"{title:44} {figure:10.2f} {unit:6} {said}", flush=True)
    return int(goal is not None and figure > goal)


def measure(checkout: Path, starts: int, seconds: float) -> int:
    """Print the table; return how many goals are missed."""
    with tempfile.TemporaryDirectory(prefix="pli-bench-") as place:
        folder = Path(place) / "var"
        print(f"{'':44} {'measured':>10} {'':6} {'goal':>10}")
        with service(checkout, folder) as first:
            row("start with a new database, first page", first.seconds, "s")
            time.sleep(SETTLES)  # the demonstration's mails
        took, spent = [], []
        for _ in range(starts):
            with service(checkout, folder) as later:
                took.append(later.seconds)
                spent.append(cost_of(folder).cpu)
        missed = row(f"later starts, first page, least of {starts}", min(took), "s", GOAL_START)
        row("the same, median", median(took), "s")
        row("CPU until then, least", min(spent), "s")
        with service(checkout, folder):
            time.sleep(SETTLES)
            before, began = cost_of(folder), time.perf_counter()
            time.sleep(seconds)
            after, lasted = cost_of(folder), time.perf_counter() - began
        percent = 100 * (after.cpu - before.cpu) / lasted
        missed += row(f"idle for {lasted:.0f} s, of one core", percent, "%", GOAL_CPU)
        missed += row(f"memory of {after.processes} processes, PSS", after.pss, "MB", GOAL_MEMORY)
        row("the same, RSS", after.rss, "MB")
    packages = ", ".join(f"{name} {version(name)}" for name in ("django", "granian", "celery"))
    print(f"\nPython {platform.python_version()}, {packages}; {os.cpu_count()} cores")
    return missed


def main() -> int:
    """Read the options and measure; the status tells whether a goal is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--checkout", type=Path, default=HERE, help="another version's folder")
    parser.add_argument("--starts", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=90)
    given = parser.parse_args()
    return 1 if measure(given.checkout.resolve(), given.starts, given.seconds) else 0


if __name__ == "__main__":
    sys.exit(main())
