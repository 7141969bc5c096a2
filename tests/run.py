"""`python -m tests.run [pytest's arguments]`: everything on PostgreSQL, then what touches the
database once more on SQLite. Brings its own servers and takes them away again."""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from types import FrameType

from config.processes import die_with_parent
from tests.servers import postgresql, redis

CORES = os.cpu_count() or 1

NOTHING_COLLECTED = 5
"""Pytest's exit code when no test was chosen: no failure when somebody chose with -k."""


def main(arguments: Sequence[str]) -> int:
    """Run the tests twice; return 0 when both runs passed."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _interrupt)
    with postgresql() as database, redis() as address:
        servers = {"PLI_TEST_REDIS_URL": f"{address}/0", "PLI_TEST_BROKER_URL": f"{address}/1"}
        codes = [
            # One worker more than there are cores: who watches a browser waits most of the time.
            _pytest("PostgreSQL", CORES + 1, arguments, servers | {"DATABASE_URL": database}),
            _pytest("SQLite", CORES, ["--only-database", *arguments], servers),
        ]
    chosen = {code for code in codes if not (arguments and code == NOTHING_COLLECTED)}
    return max(chosen) if chosen else NOTHING_COLLECTED


def _pytest(database: str, workers: int, arguments: Sequence[str], env: Mapping[str, str]) -> int:
    print(f"\nOn {database}:", flush=True)  # noqa: T201
    clean = {key: value for key, value in os.environ.items() if key not in _OURS}
    all_of_it = clean | {"DJANGO_SETTINGS_MODULE": "config.settings.test"} | env
    command = [sys.executable, "-m", "pytest", "-n", str(workers), "--dist", "worksteal"]
    command += ["--output", f"test-results/{database.lower()}"]  # each run empties its own folder
    command += arguments
    tests = subprocess.Popen(
        command,
        env=all_of_it,
        start_new_session=True,  # Ctrl-C reaches us, and pytest once, through us
        preexec_fn=die_with_parent(),  # noqa: PLW1509
    )
    try:
        return tests.wait()
    except KeyboardInterrupt:
        tests.send_signal(signal.SIGINT)
        tests.wait()
        raise


_OURS = ("DATABASE_URL", "CACHE_URL", "CELERY_BROKER_URL", "EMAIL_URL", "PLI_VAR", "PORT")
"""What a developer's shell may hold for `make run`: it must not reach the tests."""


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
