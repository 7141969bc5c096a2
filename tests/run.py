"""`python -m tests.run [pytest's arguments]`: tests on PostgreSQL, then what touches the database
once more on SQLite. Brings its own servers and takes them away again."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from config.processes import die_with_parent
from tests.servers import postgresql, redis

CORES = os.cpu_count() or 1

ROOM = 4 << 30
"""Bytes that must be free in memory: the tests write a quarter of that at most, and need the rest
for themselves."""

NOTHING_COLLECTED = 5
"""Pytest's exit code when no test was chosen: no failure when somebody chose with -k."""


def main(arguments: Sequence[str]) -> int:
    """Run the tests twice; return 0 when both runs passed."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _interrupt)
    with temporary_folder() as folder, postgresql() as database, redis() as address:
        servers = {"PLI_TEST_REDIS_URL": f"{address}/0", "PLI_TEST_BROKER_URL": f"{address}/1"}
        migrated = Path(folder) / "migrated.sqlite3"
        # What PostgreSQL copies for every database that is made.
        _migrate(database.rsplit("/", 1)[0] + "/template1", f"sqlite:///{migrated}")
        servers["PLI_TEST_MIGRATED"] = str(migrated)
        codes = [
            # One worker more than there are cores: who watches a browser waits most of the time.
            _pytest("PostgreSQL", CORES + 1, arguments, servers | {"DATABASE_URL": database}),
            _pytest("SQLite", CORES, arguments, servers),
        ]
    return outcome(codes, chosen=bool(arguments))


@contextmanager
def temporary_folder(memory: str = "/dev/shm") -> Iterator[str]:  # noqa: S108
    """Make a folder for all temporary files and databases: in memory, where there is room.

    A slow disk would make tests fail that use a browser or SQLite.
    """
    before = tempfile.gettempdir()
    place = memory if has_room(memory) else before
    with tempfile.TemporaryDirectory(prefix="pli-", dir=place) as folder:
        Path(folder).chmod(0o711)  # PostgreSQL runs as another user
        os.environ["TMPDIR"] = tempfile.tempdir = folder
        try:
            yield folder
        finally:
            os.environ["TMPDIR"] = tempfile.tempdir = before


def has_room(folder: str) -> bool:
    """Tell whether a folder in memory can hold what the tests write, and programs among it."""
    try:
        files = os.statvfs(folder)
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        return False
    [available] = [line.split()[1] for line in lines if line.startswith("MemAvailable:")]
    room = min(files.f_bavail * files.f_frsize, int(available) * 1024)
    return room >= ROOM and not files.f_flag & os.ST_NOEXEC


def outcome(codes: Sequence[int], *, chosen: bool) -> int:
    """Return 0 when every run passed; one without tests counts only when none were chosen."""
    meant = [code for code in codes if not (chosen and code == NOTHING_COLLECTED)]
    # Not the greatest: that of a run that was killed is negative.
    return next(filter(None, meant), 0) if meant else NOTHING_COLLECTED


def _pytest(database: str, workers: int, arguments: Sequence[str], env: Mapping[str, str]) -> int:
    print(f"\nOn {database}:", flush=True)  # noqa: T201
    tests = subprocess.Popen(
        pytest_command(database, workers, arguments),
        env=_environment(env),
        start_new_session=True,  # Ctrl-C reaches us, and pytest once, through us
        preexec_fn=die_with_parent(),  # noqa: PLW1509
    )
    try:
        return tests.wait()
    except KeyboardInterrupt:
        tests.send_signal(signal.SIGINT)
        tests.wait()
        raise


def pytest_command(database: str, workers: int, arguments: Sequence[str]) -> list[str]:
    """Return the command that runs every test meant for a database but the long ones."""
    command = [sys.executable, "-m", "pytest", "--lane", "all"]
    command += ["-m", "not long"]  # a later -m replaces it: `make chaos` runs the long ones
    command += ["-n", str(workers), "--dist", "worksteal"]
    command += ["--output", f"test-results/{database.lower()}"]  # each run empties its own folder
    if database == "SQLite":
        command.append("--only-database")
    return [*command, *arguments]


def _migrate(*databases: str) -> None:
    """Bring databases to the newest version, all at once: workers copy them."""
    command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    working = [
        subprocess.Popen(
            command,
            env=_environment({"DATABASE_URL": database}),
            preexec_fn=die_with_parent(),  # noqa: PLW1509
        )
        for database in databases
    ]
    assert [one.wait() for one in working] == [0] * len(working), "the migrations fail"


def _environment(more: Mapping[str, str]) -> dict[str, str]:
    clean = {key: value for key, value in os.environ.items() if key not in _OURS}
    return clean | {"DJANGO_SETTINGS_MODULE": "config.settings.test"} | more


_OURS = (
    *("DATABASE_URL", "CELERY_BROKER_URL", "EMAIL_URL", "PLI_VAR", "PORT"),
    "PYTHONDONTWRITEBYTECODE",
)
"""What a developer's shell may hold for `make run`: it must not reach the tests. Nor must they
compile everything in each of their processes."""


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
