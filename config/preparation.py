"""What `manage.py serve` does before it starts: tables and static files as this version needs them.

What was done is noted in PLI_VAR with what it was done for. A start that finds the same code, the
same packages, the same settings and every migration in the database leaves it as it is.
"""

import io
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cached_property
from hashlib import sha256
from importlib.metadata import distributions
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.commands.check import Command as Check
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder

CODE = ("accounts", "config", "games", "notifications")
"""The folders whose files may change what a database needs: tables, permissions, checks."""

STEPS_TOLD = 5
"""How often it is told how far the migrations are."""


class Preparation:
    """Prepares what a service keeps in a folder. `say` is told what takes its time."""

    def __init__(self, folder: Path, say: Callable[[str], None]) -> None:
        self.say = say
        self._file = folder / "prepared.json"

    def run(self) -> None:
        """Do what has not been done yet; return when everything is there."""
        done = self.read_note()
        wanted = {"code": digest(self.state_of_code()), "static": ""}
        if not settings.DEVELOPMENT:
            wanted["static"] = digest(state_of_static_files())
        if done.get("code") != wanted["code"] or not self.is_migrated():
            self.forget()
            Check().check()
            self.migrate()
        if wanted["static"] and (
            done.get("static") != wanted["static"] or not manifest().is_file()
        ):
            self.forget()
            self.say("Packing static files …")
            call_command("collectstatic", interactive=False, verbosity=0)
        if done != wanted:
            self._file.write_text(json.dumps(wanted))

    def read_note(self) -> dict[str, str]:
        with suppress(OSError, ValueError):
            done = json.loads(self._file.read_text())
            if isinstance(done, dict):
                return done
        return {}

    def forget(self) -> None:
        """Forget what was done: if this start is interrupted, the next one does it again."""
        self._file.unlink(missing_ok=True)

    def state_of_code(self) -> Iterator[str]:
        """Yield all that tells one state of code, packages and settings from another."""
        database = settings.DATABASES["default"]
        yield from (str(database.get(key)) for key in ("ENGINE", "NAME", "HOST", "PORT"))
        yield from (sys.version, *settings.INSTALLED_APPS, *sorted(packages()))
        yield from (f"{name}={text}" for name, text in sorted(os.environ.items()) if is_ours(name))
        folders = [settings.BASE_DIR / name for name in CODE]
        folders += [Path(app.path) for app in apps.get_app_configs() if is_from_outside(app.path)]
        for folder in folders:
            yield from stamps_of(folder, ".py")

    @cached_property
    def _migrations(self) -> set[tuple[str, str]]:
        """The app and name of each migration that is installed."""
        return {
            (app.label, file.stem)
            for app in apps.get_app_configs()
            for file in (Path(app.path) / "migrations").glob("[!_]*.py")
        }

    def is_migrated(self) -> bool:
        """Return whether the database has every migration. Asks it in any case: it may be new."""
        name = str(connection.settings_dict["NAME"])
        if connection.vendor == "sqlite" and not Path(name).exists():
            return False
        return self._migrations <= self.applied()

    def applied(self) -> set[tuple[str, str]]:
        try:
            return set(MigrationRecorder(connection).applied_migrations())
        except DatabaseError:
            return set()  # a new database; what else is wrong with it stops the migration

    def migrate(self) -> None:
        missing = len(self._migrations - self.applied())
        if missing:
            self.say(f"Preparing the database: {missing} steps …")
        steps = _Steps(missing, self.say)
        call_command("migrate", interactive=False, verbosity=1, no_color=True, stdout=steps)
        call_command("createcachetable", verbosity=0)


class _Steps(io.StringIO):
    """Counts the migrations that `migrate` reports, and tells how far they are."""

    def __init__(self, total: int, say: Callable[[str], None]) -> None:
        super().__init__()
        self._total, self._say, self._count = total, say, 0

    def write(self, text: str) -> int:
        """Count one more migration for each OK."""
        if text.strip().endswith("OK"):
            self._count += 1
            each = max(1, self._total // STEPS_TOLD)
            if self._count % each == 0 and self._count < self._total:
                self._say(f"  {self._count} of {self._total}")
        return len(text)


def digest(parts: Iterator[str]) -> str:
    return sha256("\n".join(parts).encode()).hexdigest()


def is_ours(name: str) -> bool:
    return name.startswith("PLI_") and "KEY" not in name and "SECRET" not in name


def packages() -> Iterator[str]:
    for one in distributions():
        yield str(getattr(one, "_path", one))


def is_from_outside(path: str) -> bool:
    """Return whether an app is neither Pli's own nor of a package with a version."""
    place = Path(path)
    return "site-packages" not in place.parts and not place.is_relative_to(settings.BASE_DIR)


def stamps_of(folder: Path, suffix: str = "") -> Iterator[str]:
    """Yield path, size and time of each file below a folder, in a fixed order."""
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(files):
            if name.endswith(suffix):
                about = (Path(root) / name).stat()
                yield f"{root}/{name} {about.st_size} {about.st_mtime_ns}"


def state_of_static_files() -> Iterator[str]:
    """Yield all that tells one state of the static files, and of what packs them, from another."""
    yield from (str(settings.STATIC_ROOT), str(settings.STORAGES), *sorted(packages()))
    yield from stamps_of(settings.BASE_DIR / "config", "static_files.py")
    for finder in get_finders():
        for path, storage in finder.list(None):
            about = Path(storage.path(path)).stat()
            yield f"{path} {about.st_size} {about.st_mtime_ns}"


def manifest() -> Path:
    return Path(settings.STATIC_ROOT) / "staticfiles.json"
