"""`records`: checks the games' records, and rebuilds their cached positions."""

from argparse import ArgumentParser
from contextlib import suppress
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games import errors
from games.models import Game
from games.rules.base import BadRecord
from games.rules.registry import UnknownGame
from games.services import log, record


class Command(BaseCommand):
    help = (
        "Checks the records of all games, or of some, and the moderators' log, or rebuilds what is "
        "cached of the games."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=["check", "rebuild"])
        parser.add_argument("game_ids", nargs="*", type=int, metavar="GAME_ID")
        parser.add_argument(
            "--anchor",
            metavar="NUMBER-HASH",
            help="an earlier end of the moderators' log, as in one of their digests",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        games = Game.objects.order_by("pk")
        if options["game_ids"]:
            games = games.filter(pk__in=options["game_ids"])
            missing = sorted(set(options["game_ids"]) - {game.pk for game in games})
            if missing:
                raise CommandError(f"There is no game {', '.join(map(str, missing))}.")
        try:
            anchor = log.read_anchor(options["anchor"]) if options["anchor"] else None
        except errors.BadAnchor as refusal:
            raise CommandError(refusal.sentence) from refusal
        faults: list[str] = []
        for game in games:
            if options["action"] == "rebuild" and game.started_at is not None:
                # What is wrong with a record that cannot be played, the check says below.
                with suppress(BadRecord, UnknownGame):
                    record.rebuild(game)
            try:
                for fault in record.faults_of(game):
                    faults.append(f"game {fault.game_id}: {fault.what}")
            except UnknownGame:
                faults.append(f"game {game.pk}: no game “{game.rules_slug}” is installed here")
        if options["action"] == "check":
            faults += [f"log: {what}" for what in log.faults(anchor)]
        for line in faults:
            self.stdout.write(line)
        self.stdout.write(f"{len(games)} games, {len(faults)} faults")
        if faults:
            raise SystemExit(1)
