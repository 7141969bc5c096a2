"""`results`: compares the counts of players' results with their games, and repairs them."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from games.services.result_counts import wrong_counts


class Command(BaseCommand):
    help = "Compares the counts of players' results with the finished games, or repairs them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=["check", "repair"])

    def handle(self, *args: Any, **options: Any) -> None:
        is_repaired = options["action"] == "repair"
        wrong = 0
        for one in wrong_counts(repair=is_repaired):
            wrong += 1
            kept, counted = one.kept or "nothing", one.counted or "nothing"
            self.stdout.write(
                f"user {one.player_id}, {one.what}: {kept} is kept, the games make {counted}"
            )
        done = "repaired" if is_repaired else "wrong"
        self.stdout.write(f"{wrong} counts are {done}" if wrong else "All counts are right.")
        if wrong and not is_repaired:
            raise SystemExit(1)
