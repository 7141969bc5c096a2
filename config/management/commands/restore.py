"""`manage.py restore FILE`: fill an empty database from a backup."""

from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.backup import BackupError, restore_backup


class Command(BaseCommand):
    help = "Migrate an empty database, fill it from a file of `backup`, and check every record."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        call_command("migrate", interactive=False, verbosity=0)
        call_command("createcachetable", verbosity=0)
        try:
            rows = restore_backup(file)
        except BackupError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{rows['games.Game']} games, {rows.total()} rows in all.")
        call_command("records", "check", stdout=self.stdout)
