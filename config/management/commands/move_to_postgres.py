"""`manage.py move_to_postgres URL`: from SQLite, or any database, to an empty PostgreSQL one."""

import os
import subprocess
import sys
from typing import Any

import environ
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, connections

from accounts.server_time import server_now
from config.backup import BackupError, copy_database

TARGET = "move_target"


class Command(BaseCommand):
    help = "Copy the database, except sessions, into an empty PostgreSQL database and check it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("url", help="such as postgres://pli:secret@localhost/pli")

    def handle(self, *args: Any, url: str, **options: Any) -> None:
        target = environ.Env.db_url_config(url)
        if not target.get("ENGINE", "").endswith("postgresql"):
            raise CommandError("The address must begin with postgres://")
        # In processes of their own: migrations and checks work on the default database.
        _run("migrate", "--no-input", "--verbosity", "0", database_url=url)
        _run("createcachetable", database_url=url)
        connections.settings[TARGET] = connections.configure_settings({"default": target})[
            "default"
        ]
        try:
            rows = copy_database("default", TARGET, now=server_now())
        except (BackupError, DatabaseError) as error:
            raise CommandError(str(error)) from error
        finally:
            connections[TARGET].close()
        self.stdout.write(f"{rows['games.Game']} games, {rows.total()} rows in all.")
        self.stdout.flush()
        _run("records", "check", database_url=url)
        self.stdout.write("Set DATABASE_URL to the new database and start Pli again.")


def _run(*command: str, database_url: str) -> None:
    """Run a command of ours on another database. Raises CommandError when it fails."""
    done = subprocess.run(  # noqa: S603  (our own command)
        [sys.executable, "manage.py", *command],
        cwd=settings.BASE_DIR,
        env=os.environ | {"DATABASE_URL": database_url},
        check=False,
    )
    if done.returncode:
        raise CommandError(f"“{' '.join(command)}” failed on the new database: do not use it.")
