"""`manage.py demo`: fill an empty database with users and games."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.server_time import server_now
from config import demo


class Command(BaseCommand):
    help = "Make a few people with running games, if nobody lives here yet (`make run` only)."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            made = demo.seed(now=server_now())
        except demo.NoDemonstration as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(demo.accounts_in_words() if made else "Somebody lives here already.")
