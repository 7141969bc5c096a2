"""The record of a game as a file that anybody can keep, and check against its hashes and the rules.

`docs/record-files.md` describes the file. Each entry's hash covers the game, its options and all
entries until then: `games.services.record` says how. Names and the result are not covered.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext

from games import errors
from games.models import Game, Turn
from games.rules.base import AnyRules, BadRecord, OptionError
from games.rules.entries import positions
from games.rules.registry import UnknownGame, rules_for
from games.services.record import opening_hash, turn_hash

FORMAT = "pli-record-1"

MOST_ENTRIES = 500
LONGEST_FILE = 150_000
"""Characters. Games that people play have a fraction of both."""


def record_file(game: Game, turns: Iterable[Turn] | None = None) -> dict[str, Any]:
    """Return the record of a game that has begun, as data for JSON.

    `turns` are all of its turns in their order, where they are known already.
    """
    return {
        "format": FORMAT,
        "site": settings.SITE_URL,
        "game": game.pk,
        "rules": game.rules_slug,
        "options": game.options,
        "players": [str(seat.user or "") for seat in game.all_seats],
        "status": game.status,
        "ending": game.ending,
        "places": [seat.place for seat in game.all_seats],
        "entries": [
            {
                "seat": turn.seat,
                "notation": turn.notation,
                "played_at": turn.played_at.astimezone(UTC).isoformat(timespec="microseconds"),
                "hash": turn.hash,
            }
            for turn in (game.turns.order_by("number") if turns is None else turns)
        ],
    }


@dataclass(frozen=True)
class CheckedRecord:
    """A record whose hashes are right and whose entries the rules allow.

    `ending` says in the active language how the rules ended the game; empty if they did not.
    `is_known`: this service has the same entries in its game `number`.
    """

    rules: AnyRules
    position: Any
    entries: int
    ending: str
    number: int
    is_known: bool


def check_record_file(text: str) -> CheckedRecord:
    """Return what a file says, if its hashes are right and the rules allow it.

    Raises NoRecordFile, UnknownRules, ChangedRecord, ImpossibleRecord.
    """
    file = _read(text)
    try:
        rules = rules_for(file.slug)
        options = rules.check_options(file.options)
    except UnknownGame:
        raise errors.UnknownRules from None
    except OptionError as error:
        raise errors.ImpossibleRecord(why=str(error)) from error
    expected = opening_hash(file.slug, file.options)
    for number, (seat, notation, played_at, claimed) in enumerate(file.entries, start=1):
        expected = turn_hash(expected, seat, notation, played_at)
        if claimed != expected:
            raise errors.ChangedRecord(number=number)
    try:
        *_, newest = positions(rules, options, [entry[1] for entry in file.entries])
    except BadRecord as error:
        raise errors.ImpossibleRecord(why=str(error)) from error
    outcome = rules.outcome(newest)
    same = Turn.objects.filter(game=file.number, number=len(file.entries), hash=expected)
    return CheckedRecord(
        rules=rules,
        position=newest,
        entries=len(file.entries),
        ending="" if outcome is None else rules.reason(outcome.reason).translated(gettext),
        number=file.number,
        is_known=same.exists(),
    )


@dataclass(frozen=True)
class _File:
    """What is read of a file: each entry has a seat, a notation, a time and a hash."""

    number: int
    slug: str
    options: dict[str, Any]
    entries: list[tuple[int, str, datetime, str]]


def _read(text: str) -> _File:
    """Return what a file has. Raises NoRecordFile."""
    try:
        if len(text) > LONGEST_FILE:
            raise ValueError
        data = json.loads(text)
        entries = data["entries"]
        json.dumps(data, ensure_ascii=False).encode()  # half a character has no hash
        is_ours = data["format"] == FORMAT and 0 < len(entries) <= MOST_ENTRIES
        if not is_ours or not 0 < data["game"] < 2**63:
            raise ValueError
        return _File(
            number=int(data["game"]),
            slug=str(data["rules"]),
            options=dict(data["options"]),
            entries=[
                (
                    int(one["seat"]),
                    str(one["notation"]),
                    _time(str(one["played_at"])),
                    str(one["hash"]),
                )
                for one in entries
            ],
        )
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
        raise errors.NoRecordFile(most=MOST_ENTRIES) from None


def _time(text: str) -> datetime:
    """Return a time in UTC. Raises ValueError or OverflowError if it has no zone or is none."""
    found = parse_datetime(text)
    if found is None or found.tzinfo is None:
        raise ValueError
    return found.astimezone(UTC)
