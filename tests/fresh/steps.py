"""What is done in the bare Debian, in namespaces of its own: `python -m tests.fresh.steps ROOT`."""

import contextlib
import os
import shlex
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.fresh import network
from tests.fresh.root import TREE

ANSWERS_WITHIN = 900.0
"""Seconds until `make run` has an answer: it may have to download everything."""

STOPS_WITHIN = 60.0
"""Seconds until Ctrl-C has ended everything."""

MAIL_PORT = 25
"""By how much the port of the mail listener is above that of the pages."""

MOUNTS = (
    ("proc", "proc", ""),
    ("sysfs", "sys", "ro"),
    ("tmpfs", "dev/shm", "mode=1777"),
    ("devpts", "dev/pts", "newinstance,ptmxmode=0666,mode=620,gid=5"),
)


@dataclass
class Step:
    """One thing that was tried; `problem` is empty when it went well."""

    name: str
    seconds: float
    problem: str = ""


def main(root: Path, arguments: Sequence[str]) -> int:
    """Try both commands and report; return 0 when both went well."""
    mount(root)
    environment = network.environment()
    port = free_port()
    command = inside(root, "make run")
    steps = list(try_run(command, environment | {"PORT": str(port)}, f"http://127.0.0.1:{port}/"))
    choice = f" ARGS={shlex.quote(shlex.join(arguments))}" if arguments else ""
    command = inside(root, f"make test{choice}")
    steps += try_test(command, environment | {"CI": "true"}, " ".join(["make test", *arguments]))
    return report(steps)


def mount(root: Path) -> None:
    """Give the root what a kernel gives a machine, and what its network settings name."""
    for kind, where, options in MOUNTS:
        how = ["-o", options] if options else []
        subprocess.run(["mount", "-t", kind, *how, kind, root / where], check=True)
    settings = [root / inside for inside in network.PIP_SETTINGS.values()]
    for path in network.named_paths(network.environment(), settings):
        target = root / path.relative_to("/")
        if target.exists():
            continue
        if path.is_dir():
            target.mkdir(parents=True)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.touch()
        subprocess.run(["mount", "--bind", "-o", "ro", path, target], check=True)


def inside(root: Path, command: str) -> list[str]:
    """Return how to give a command in the tree that lies in a root."""
    return ["chroot", str(root), "sh", "-c", f"cd /{TREE} && exec {command}"]


def free_port() -> int:
    """Return a port that is free, as is the one of the mail listener that goes with it."""
    while True:
        with socket.socket() as pages, socket.socket() as mail, contextlib.suppress(OSError):
            pages.bind(("127.0.0.1", 0))
            port = int(pages.getsockname()[1])
            mail.bind(("127.0.0.1", port + MAIL_PORT))
            return port


def try_run(command: Sequence[str], env: Mapping[str, str], address: str) -> Iterator[Step]:
    """Start what serves pages, wait for an answer, and stop it as Ctrl-C does."""
    before = set(descendants())
    began = time.monotonic()
    serving = subprocess.Popen(command, env=env, start_new_session=True)
    problem = wait_for(lambda: answers(address), serving)
    yield Step("make run: the page answers", time.monotonic() - began, problem)
    began = time.monotonic()
    with contextlib.suppress(ProcessLookupError):
        os.killpg(serving.pid, signal.SIGINT)
    try:
        code = serving.wait(STOPS_WITHIN)
        # make ends itself by the signal, once what it started has ended.
        problem = "" if code in (0, -signal.SIGINT) else f"it ended with {code}"
    except subprocess.TimeoutExpired:
        problem = "it did not stop"
    yield Step("make run: Ctrl-C", time.monotonic() - began, problem or _left(before))


def try_test(command: Sequence[str], env: Mapping[str, str], name: str) -> Iterator[Step]:
    """Give a command that ends by itself."""
    before = set(descendants())
    began = time.monotonic()
    code = subprocess.call(command, env=env)
    problem = f"it ended with {code}" if code else ""
    yield Step(name, time.monotonic() - began, problem or _left(before))


def wait_for(condition: Callable[[], bool], process: subprocess.Popen[bytes]) -> str:
    """Wait until a condition holds; return what is wrong when it never does."""
    last_moment = time.monotonic() + ANSWERS_WITHIN
    while not condition():
        if process.poll() is not None:
            return f"it ended by itself with {process.returncode}"
        if time.monotonic() > last_moment:
            return f"no answer in {ANSWERS_WITHIN:.0f} s"
        time.sleep(0.1)
    return ""


def answers(address: str) -> bool:
    """Tell whether there is a page at an address of this machine."""
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with direct.open(address, timeout=10) as page:
            return page.status == 200
    except OSError:
        return False


def _left(before: set[int]) -> str:
    """Kill the processes that did not run before; return which they were."""
    left = {pid: line for pid, line in descendants().items() if pid not in before}
    for pid in left:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return f"it left processes: {'; '.join(left.values())}" if left else ""


def descendants() -> dict[int, str]:
    """Return the running processes that came from this one, with their command lines.

    All are found only where this is the first process of its namespace (or a "subreaper"): what
    loses its parent becomes our child.
    """
    found: dict[int, str] = {}
    parents = dict(_parents())
    generation = {os.getpid()}
    while generation:
        generation = {pid for pid, parent in parents.items() if parent in generation}
        found |= {pid: _command(pid) for pid in generation}
    return {pid: line for pid, line in found.items() if line}


def _parents() -> Iterator[tuple[int, int]]:
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            # The name, in brackets, may hold anything.
            _, parent = path.read_text().rpartition(")")[2].split()[:2]
            yield int(path.parent.name), int(parent)


def _command(pid: int) -> str:
    """Return the command line of a process; a dead one has none."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ").strip()
    except OSError:
        return ""


def report(steps: Sequence[Step]) -> int:
    """Print how long each step took and what is wrong; return 0 when nothing is."""
    print("\nOn a bare Debian:")  # noqa: T201
    for step in steps:
        result = f"RED: {step.problem}" if step.problem else "green"
        print(f"  {step.name:40} {step.seconds:7.1f} s  {result}", flush=True)  # noqa: T201
    return 1 if any(step.problem for step in steps) else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
