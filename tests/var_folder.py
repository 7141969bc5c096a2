"""A site's folder as a first start leaves it, made once for all the processes of a run."""

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from django.conf import settings

INHERITED = ("PATH", "HOME", "LANG")
"""All that our own processes find of a developer's environment."""


def environment(folder):
    """Return what a process of the site in this folder finds."""
    inherited = {key: os.environ[key] for key in INHERITED if key in os.environ}
    # A service that starts or is stopped is an outage to the checks: only their own tests ask.
    unasked = {"PLI_PROBE_URL": "", "PLI_PROBE_SMTP": ""}
    return inherited | unasked | {"PLI_VAR": str(folder)}


def processes_of(folder):
    """Return the processes that work in a folder, by what their environment says."""
    mark, found = f"PLI_VAR={folder}".encode(), []
    for process in Path("/proc").iterdir():
        with suppress(OSError):  # it has ended, or is no process
            if process.name.isdigit() and mark in (process / "environ").read_bytes().split(b"\0"):
                found.append(int(process.name))
    return found


def migrate(folder):
    """Put a migrated database without users into a new folder."""
    folder.mkdir(parents=True)
    if migrated := os.environ.get("PLI_TEST_MIGRATED"):
        shutil.copy(migrated, folder / "pli.sqlite3")
    else:
        _manage("migrate", folder)


def furnish(folder):
    """Put a migrated database with the demonstration into a new folder."""
    migrated = os.environ.get("PLI_TEST_MIGRATED")
    if not migrated:
        _make(Path(folder))
        return
    ready = Path(migrated).parent / "furnished"
    with (ready.parent / "furnished.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # until it is closed
        if not ready.exists():
            with tempfile.TemporaryDirectory(dir=ready.parent) as making:
                _make(Path(making) / "var")
                (Path(making) / "var").rename(ready)
    shutil.copytree(ready, folder)


def _make(folder):
    migrate(folder)
    _manage("demo", folder)


def _manage(command, folder):
    subprocess.run(
        [sys.executable, "manage.py", command],
        cwd=settings.BASE_DIR,
        env=environment(folder),
        check=True,
        stdout=subprocess.DEVNULL,
    )
