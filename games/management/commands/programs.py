"""`programs`: lets two programs play each other, and computes the tables of the solved games."""

import time
from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.models import User
from accounts.server_time import server_now
from games.errors import Refusal
from games.management.commands.rules import read_options
from games.models import Game
from games.rules.base import Options
from games.rules.matches import Contestant, level_of, play_match
from games.rules.registry import UnknownGame, all_rules, program_for
from games.rules.solved import SolvedProgram, write_table
from games.services.program_matches import match_games, score_of, start_match_game

GRACE = 60.0
"""So many seconds after a turn's time is over, a match no longer waits for the service."""

LOOKS_EVERY = 0.5
"""So many seconds pass until a match looks at its game again."""


class Command(BaseCommand):
    help = "Let two programs play each other, or compute the solved games."
    requires_system_checks = ()  # levels play without pages and database

    def add_arguments(self, parser: ArgumentParser) -> None:
        tasks = parser.add_subparsers(dest="task", required=True)
        match = tasks.add_parser("match", help="play games, and print the first one's score")
        match.add_argument("first", help="a level from 1 to 5, or the account of a program")
        match.add_argument(
            "second", help="the same: a level, which has all other seats, or an account"
        )
        match.add_argument("--games", type=int, default=20, metavar="N")
        match.add_argument("--game", default="super-morpion", metavar="SLUG")
        match.add_argument("--seed", type=int, default=0, help="the number of the first opening")
        match.add_argument("-o", "--option", action="append", default=[], metavar="KEY=VALUE")
        match.add_argument("--minutes", type=int, default=5, help="for a turn between accounts")
        match.add_argument(
            "--from", dest="since", type=int, metavar="GAME",
            help="go on with the match between accounts whose first game has this number",
        )  # fmt: skip
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
        are_levels = {options[one].isdecimal() for one in ("first", "second")}
        if len(are_levels) > 1:
            raise CommandError("Name two levels, or the accounts of two programs.")
        if are_levels == {False}:
            self.play_on_the_server(options, chosen)
            return
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

    def play_on_the_server(self, options: dict[str, Any], chosen: Options) -> None:
        """Let two accounts play one game after the other; write the first one's score.

        The programs play through the API, and the service ends a game whose time is over. What is
        left when this stops can be played later, with `--from`.
        """
        accounts = User.objects.filter(owner__isnull=False, is_active=True)
        programs = []
        for name in (options["first"], options["second"]):
            program = accounts.filter(username__iexact=name).first()
            if program is None:
                raise CommandError(f"There is no program with an account “{name}”.")
            programs.append(program)
        if programs[0] == programs[1]:
            raise CommandError("A program plays no match against itself.")
        slug, since = options["game"], options["since"]
        allowance = timedelta(minutes=options["minutes"])
        reason = ""
        try:
            while not reason:
                games = match_games(programs, slug, chosen, since)
                running = games.running().first()
                if running is not None:
                    reason = self._wait(running, allowance)
                    if not reason:
                        self.stderr.write(f"game {running.pk} is over")
                elif games.count() < options["games"]:
                    made = start_match_game(
                        programs=programs, rules_slug=slug, options=dict(chosen),
                        number=games.count(), allowance=allowance, now=server_now(),
                    )  # fmt: skip
                    since = since or made.pk
                else:
                    break
        except Refusal as refusal:
            reason = str(refusal)
        except KeyboardInterrupt:
            reason = "Stopped."
        score = score_of(match_games(programs, slug, chosen, since), programs[0])
        if score.games:
            self.stdout.write(f"{programs[0]} against {programs[1]}: {score}")
        if reason:
            hint = f" To go on: the same command with --from {since}." if since else ""
            raise CommandError(f"{reason}{hint}")

    def _wait(self, game: Game, allowance: timedelta) -> str:
        """Wait until a game is over; return why it is waited for no longer, if it is not."""
        turns, last = game.turn_number, time.monotonic()
        while time.monotonic() < last + allowance.total_seconds() + GRACE:
            time.sleep(LOOKS_EVERY)
            game.refresh_from_db(fields=["status", "turn_number"])
            if game.status == Game.Status.ABORTED:  # nobody began: the next game would be the same
                break
            if game.is_over:
                return ""
            if game.turn_number != turns:
                turns, last = game.turn_number, time.monotonic()
        return f"Nobody plays in game {game.pk}: do both programs and the service run?"

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
