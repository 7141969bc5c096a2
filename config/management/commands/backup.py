"""`manage.py backup FILE`: the whole database as one file, while the service runs."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.server_time import server_now
from config.backup import BackupError, write_backup


class Command(BaseCommand):
    help = "Write the database, except sessions, to a new file that `restore` reads."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        try:
            rows = write_backup(file, now=server_now())
        except (BackupError, OSError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{file}: {rows['games.Game']} games, {rows.total()} rows in all.")
