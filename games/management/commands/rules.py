"""`rules`: lists games, checks one against the contract, counts and traces its actions."""

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.rulebook import rulebook_faults
from games.rules.base import AnyRules, MoveError, OptionError, Options
from games.rules.contract import CHECKS, GAMES, check
from games.rules.program_contract import CHECKS as PROGRAM_CHECKS
from games.rules.program_contract import check_program
from games.rules.random_games import perft
from games.rules.registry import UnknownGame, all_rules, program_for, rules_for


class Command(BaseCommand):
    help = "List the games, check one, count the ways it can go, or trace it action by action."
    requires_system_checks = ()  # the rules need neither pages nor a database

    def add_arguments(self, parser: ArgumentParser) -> None:
        tasks = parser.add_subparsers(dest="task", required=True)
        tasks.add_parser("list", help="the installed games and their options")
        counting = tasks.add_parser("perft", help="sequences of legal actions, a line a depth")
        tracing = tasks.add_parser("trace", help="actions from standard input to JSON lines")
        for task in (counting, tracing):
            task.add_argument("game", help="a slug of the list, such as super-morpion")
            task.add_argument("-o", "--option", action="append", default=[], metavar="KEY=VALUE")
        counting.add_argument("depth")
        checking = tasks.add_parser("check", help="what a game breaks of the contract for authors")
        checking.add_argument("game", help="a slug of the list, such as super-morpion")
        checking.add_argument("--games", default=str(GAMES), help="how many random games to play")
        checking.add_argument("--seed", default="0", help="the number of the first random game")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["task"] == "list":
            self.list_games()
            return
        try:
            rules = rules_for(options["game"])
        except UnknownGame:
            known = ", ".join(rules.slug for rules in all_rules())
            raise CommandError(
                f"There is no game “{options['game']}”. The games are: {known}."
            ) from None
        if options["task"] == "check":
            games = _whole_number("number of games", options["games"], least=1)
            self.check_contract(rules, _whole_number("seed", options["seed"], least=0), games)
            return
        chosen = read_options(rules, options["option"])
        if options["task"] == "perft":
            self.count(rules, chosen, _whole_number("depth", options["depth"], least=1))
        else:
            self.trace(rules, chosen)

    def list_games(self) -> None:
        """Write one line a game, its options indented below."""
        for rules in all_rules():
            seats = rules.seats(rules.check_options({}))
            self.stdout.write(f"{rules.slug}  {rules.name}, {seats} seats")
            for option in rules.options():
                if option.choices:
                    values = "|".join(value for value, _ in option.choices)
                elif isinstance(option.default, bool):
                    values = "yes|no"
                else:
                    values = f"{option.minimum}..{option.maximum}"
                only = ""
                if option.only_with is not None:
                    only = " (only with {}={})".format(*option.only_with)
                self.stdout.write(f"    {option.key}={values}  {option.label}{only}")

    def check_contract(self, rules: AnyRules, seed: int, games: int) -> None:
        """Write a line for each fault, of rules and rulebooks; stop with status 1 if any."""
        faults = [str(fault) for fault in check(rules, seed=seed, games=games)]
        if not faults:  # a program cannot be judged by rules that are wrong
            faults += [f"Program: {fault}" for fault in check_program(program_for(rules.slug))]
        faults += [f"Rulebook: {fault}" for fault in rulebook_faults(rules.slug)]
        if faults:
            self._write_now("\n".join(faults))
            raise SystemExit(1)
        self._write_now(
            f"{rules.slug} keeps the contract: {len(CHECKS)} checks in {games} random games, "
            f"{len(PROGRAM_CHECKS)} of its program, and its rulebooks."
        )

    def count(self, rules: AnyRules, options: Options, depth: int) -> None:
        """Write the perft of every depth up to `depth`, one a line."""
        start = rules.initial(options)
        for number in range(1, depth + 1):
            self._write_now(f"{number} {perft(rules, start, number)}")

    def trace(self, rules: AnyRules, options: Options) -> None:
        """Play the actions of standard input; stop with status 1 at the first refused one."""
        position = rules.initial(options)
        self._write_json(_state(rules, position, 0))
        for number, line in enumerate(sys.stdin.buffer, start=1):
            text = line.decode("utf-8", errors="replace").rstrip("\r\n")
            try:
                position = rules.play(position, rules.parse(position, text))
            except MoveError as error:
                self._write_json({"n": number, "error": error.kind, "message": str(error)})
                raise SystemExit(1) from None
            self._write_json(_state(rules, position, number))

    def _write_json(self, row: dict[str, Any]) -> None:
        self._write_now(json.dumps(row, separators=(",", ":")))

    def _write_now(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()


def read_options(rules: AnyRules, given: list[str]) -> Options:
    """Return the options of a game with what is given as KEY=VALUE. Raises CommandError."""
    pairs = [text.partition("=") for text in given]
    for key, equals, _ in pairs:
        if not equals:
            raise CommandError(f"Write the option “{key}” with its value: {key}=VALUE.")
    try:
        return rules.check_options({key: value for key, _, value in pairs})
    except OptionError as error:
        raise CommandError(str(error)) from None


def _whole_number(name: str, text: str, *, least: int) -> int:
    if not (text.isascii() and text.isdigit() and int(text[:9]) >= least):
        raise CommandError(f"The {name} is a number from {least}, not “{text}”.")
    return int(text[:9])


def _state(rules: AnyRules, position: Any, number: int) -> dict[str, Any]:
    outcome = rules.outcome(position)
    return {
        "n": number,
        "seat": rules.to_move(position),
        "turn": rules.turn(position),
        "legal": sorted(rules.format(position, action) for action in rules.legal_actions(position)),
        "outcome": outcome
        and {
            "places": outcome.places,
            "winners": outcome.winners,
            "points": outcome.points,
            "reason": outcome.reason,
        },
    }
