"""`leagues`: opens the league of a game, closes it, and lists the leagues with their seasons."""

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.server_time import server_now
from games import errors
from games.clock.durations import pace_in_words
from games.clock.time_control import PaceKind, TimeControl, per_turn
from games.management.commands.rules import read_options
from games.models import Terms
from games.queries.leagues import league_cards
from games.rules.registry import UnknownGame, rules_for
from games.services.leagues.entries import close_league, open_league


class Command(BaseCommand):
    help = "Open or close the league of a game, or list the leagues."

    def add_arguments(self, parser: ArgumentParser) -> None:
        tasks = parser.add_subparsers(dest="task", required=True)
        tasks.add_parser("list", help="the leagues and their seasons")
        closing = tasks.add_parser("close", help="play no more seasons after the one that runs")
        opening = tasks.add_parser("open", help="open the league of a game")
        for task in (opening, closing):
            task.add_argument("game", help="a slug of `rules list`, such as taquet")
        opening.add_argument("-o", "--option", action="append", default=[], metavar="KEY=VALUE")
        opening.add_argument("--days", type=int, default=3, help="days for each turn (3)")
        opening.add_argument("--total", type=int, help="days for the whole game instead")
        opening.add_argument("--months", type=int, default=1, help="months of a season: 1 or 2")
        opening.add_argument("--size", type=int, default=8, help="most players a division: 6 to 8")
        opening.add_argument("--legs", type=int, default=1, help="games of each pair: 1 or 2")
        opening.add_argument("--no-vacations", action="store_true", help="vacations do not count")
        opening.add_argument("--no-days-off", action="store_true", help="days off do not count")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if options["task"] == "open":
                self.open(options)
            elif options["task"] == "close":
                close_league(rules_slug=options["game"], now=server_now())
        except errors.Refusal as refusal:
            raise CommandError(refusal.sentence) from None
        for card in league_cards():
            league = card.league
            state = "" if league.closed_at is None else " (closed)"
            pace = pace_in_words(league.terms.pace)
            self.stdout.write(f"{league.rules_slug}{state}: {pace}, {league.games_at_once} at once")
            for season in filter(None, (card.running, card.coming)):
                dates = f"{season.starts_at:%Y-%m-%d} to {season.final_at:%Y-%m-%d}"
                self.stdout.write(f"  season {season.number}, {dates}")

    def open(self, options: dict[str, Any]) -> None:
        """Open a league; its first season can be joined at once."""
        try:
            chosen = read_options(rules_for(options["game"]), options["option"])
        except UnknownGame:
            raise CommandError(f"There is no game “{options['game']}”.") from None
        pace = per_turn(timedelta(days=options["days"]))
        if options["total"] is not None:
            pace = TimeControl(PaceKind.TOTAL, bank=timedelta(days=options["total"]))
        open_league(
            rules_slug=options["game"],
            options=dict(chosen),
            terms=Terms(pace, not options["no_vacations"], not options["no_days_off"]),
            months=options["months"],
            division_size=options["size"],
            legs=options["legs"],
            now=server_now(),
        )
