"""`ratings`: computes all ratings anew from the finished games, or those that are due."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from games.services.ratings import kinds_with_rated_games, rate_due, rebuild_ratings


class Command(BaseCommand):
    help = "Computes ratings from the finished games: those that are due, or all of them anew."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=["update", "rebuild"])

    def handle(self, *args: Any, **options: Any) -> None:
        if options["action"] == "rebuild":
            rated = sum(rebuild_ratings(kinds_with_rated_games()))
        else:
            rated = rate_due(seconds=float("inf"))
        self.stdout.write(f"{rated} games are rated.")
