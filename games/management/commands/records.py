"""`records`: checks the games' records, and writes their cached positions anew."""

from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games import errors
from games.models import Game
from games.moderation import log
from games.rules.base import BadRecord
from games.rules.registry import UnknownGame
from games.services import record


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
            help="where the moderators' log stood, as one of their digests told it",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        games, anchor = _chosen(options["game_ids"]), _anchor(options["anchor"])
        if options["action"] == "rebuild":
            faults = [fault for game in games for fault in _rebuild(game)]
        else:
            faults = [fault for game in games for fault in _check(game)]
            faults += [f"log: {what}" for what in log.faults(anchor)]
        for line in faults:
            self.stdout.write(line)
        self.stdout.write(f"{len(games)} games, {len(faults)} faults")
        if faults:
            raise SystemExit(1)


def _chosen(game_ids: list[int]) -> list[Game]:
    games = Game.objects.order_by("pk")
    if not game_ids:
        return list(games)
    found = list(games.filter(pk__in=game_ids))
    missing = sorted(set(game_ids) - {game.pk for game in found})
    if missing:
        raise CommandError(f"There is no game {', '.join(map(str, missing))}.")
    return found


def _anchor(text: str | None) -> log.Anchor | None:
    try:
        return log.read_anchor(text) if text else None
    except errors.BadAnchor as refusal:
        raise CommandError(refusal.sentence) from refusal


def _check(game: Game) -> Iterator[str]:
    try:
        for fault in record.faults_of(game):
            yield f"game {fault.game_id}: {fault.what}"
    except UnknownGame:
        yield f"game {game.pk}: nobody taught this house {game.rules_slug}"


def _rebuild(game: Game) -> Iterator[str]:
    """Rebuild a game that has begun, then tell what is wrong all the same."""
    with suppress(BadRecord, UnknownGame):  # the check says it better
        if game.started_at is not None:
            record.rebuild(game)
    yield from _check(game)
