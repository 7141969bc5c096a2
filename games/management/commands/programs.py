"""`programs`: lets two programs play each other, and computes the tables of the solved games."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.management.commands.rules import read_options
from games.rules.matches import Contestant, level_of, play_match
from games.rules.registry import UnknownGame, all_rules, program_for
from games.rules.solved import SolvedProgram, write_table


class Command(BaseCommand):
    help = "Let two levels of a game's program play each other, or compute the solved games."
    requires_system_checks = ()  # the rules need neither pages nor a database

    def add_arguments(self, parser: ArgumentParser) -> None:
        tasks = parser.add_subparsers(dest="task", required=True)
        match = tasks.add_parser("match", help="play games, and print the first one's score")
        match.add_argument("first", help="a level from 1 to 5")
        match.add_argument("second", help="a level from 1 to 5; it has all the other seats")
        match.add_argument("--games", type=int, default=20, metavar="N")
        match.add_argument("--game", default="super-morpion", metavar="SLUG")
        match.add_argument("--seed", type=int, default=0, help="the number of the first opening")
        match.add_argument("-o", "--option", action="append", default=[], metavar="KEY=VALUE")
        tasks.add_parser("tables", help="solve the games that can be, and write their tables")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["task"] == "tables":
            self.write_tables()
        else:
            self.play(options)

    def play(self, options: dict[str, Any]) -> None:
        """Play a match; write the score with its interval, and the time of both."""
        slug, games = options["game"], options["games"]
        try:
            program = program_for(slug)
        except UnknownGame:
            known = ", ".join(rules.slug for rules in all_rules())
            raise CommandError(f"There is no game “{slug}”. The games are: {known}.") from None
        if games < 1:
            raise CommandError("A match has one game at least.")
        chosen = read_options(program.rules, options["option"])
        first, second = (_contestant(slug, options[one]) for one in ("first", "second"))
        score = None
        for score in play_match(
            program.rules,
            chosen,
            first,
            second,
            games,
            seed=options["seed"],
            opening_turns=program.opening_turns,
        ):
            if score.games % 50 == 0 and score.games < games:
                self.stderr.write(f"after {score.games}: {score}")
        self.stdout.write(f"{first.name} against {second.name}: {score}")
        for one in (first, second):
            if one.turns:
                each = one.seconds / one.turns
                self.stdout.write(
                    f"{one.name}: {each:.3f} s CPU a turn, at most {one.slowest:.2f} s"
                )

    def write_tables(self) -> None:
        """Solve every game that can be solved, and write its table."""
        for rules in all_rules():
            program = program_for(rules.slug)
            if isinstance(program, SolvedProgram):
                table = program.solve()
                write_table(program.table_file, table)
                size = program.table_file.stat().st_size
                self.stdout.write(
                    f"{rules.slug}: {len(table)} won and lost positions, {size} bytes"
                )


def _contestant(slug: str, text: str) -> Contestant:
    """Return who plays under this name: a level of the game's program."""
    program = program_for(slug)
    if text not in {str(level.number) for level in program.levels}:
        raise CommandError(f"“{text}” is no level: the levels are 1 to {len(program.levels)}.")
    return level_of(program, int(text))
