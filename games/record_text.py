"""The record of a game for people: turn by turn in words, and as a text to keep.

The text is headers ("Name: value", one a line), an empty line, the titles of the columns, and one
line an entry of the record, its columns separated by tabs: number, seat, notation, time, player
and words. Seat, notation and time are what the hashes
are made of (`games.services.record.turn_hash`).
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise

from django.utils.translation import gettext

from games.models import Game
from games.plain_text import one_line
from games.queries.positions import moment_between, turns_of, words_of_moment
from games.rules.entries import positions

IN_WORDS = 600
"""Longer records have no words: putting a turn into words means playing it again."""

COLUMNS = ("Turn", "Seat", "Notation", "Played", "In words")


@dataclass(frozen=True)
class Entry:
    """One entry of the record; `words` say what `player` did, without the subject."""

    number: int
    seat: int
    player: str
    notation: str
    words: str
    played_at: datetime

    @property
    def actions(self) -> list[str]:
        """The notation of each action."""
        return self.notation.split(", ")


def entries_of(game: Game) -> list[Entry]:
    """Return the whole record in the active language, first turn first."""
    turns = list(turns_of(game))
    words = [""] * len(turns)
    if len(turns) <= IN_WORDS:
        entries = [turn.notation for turn in turns]
        reached = pairwise(positions(game.rules, game.options, entries))
        words = [
            words_of_moment(game, moment_between(game.rules, before, after, entry))
            for entry, (before, after) in zip(entries, reached, strict=True)
        ]
    return [
        Entry(turn.number, turn.seat, one_line(turn.player), turn.notation, said, turn.played_at)
        for turn, said in zip(turns, words, strict=True)
    ]


def record_name(game: Game) -> str:
    """Return the name of the file: "taquet-12.txt"."""
    return f"{game.rules_slug}-{game.pk}.txt"


def record_text(game: Game, entries: Iterable[Entry], *, url: str) -> str:
    """Return the record as a text; the headers' names are English, names and words are not."""
    headers = {
        "Game": game.rules_slug,
        "Name": one_line(gettext(game.rules.name)),
        "Number": str(game.pk),
        "Link": url,
        "Options": json.dumps(game.options, sort_keys=True, ensure_ascii=False),
    }
    seats = game.all_seats
    for seat in seats:
        name = game.rules.seat_name(game.options, seat.number).translated(gettext)
        headers[f"Seat {seat.number}"] = one_line(f"{seat.user} ({name})")
    headers |= {
        "Begun": _instant(game.started_at),
        "Ended": _instant(game.ended_at),
        "Status": game.status,
        "Ending": game.ending,
    }
    for seat in seats:
        if seat.place is not None:
            points = "" if seat.points is None else f", points {seat.points}"
            headers[f"Result {seat.number}"] = f"place {seat.place}{points}"
    headers["Hash"] = game.head_hash
    rows = [COLUMNS]
    for entry in entries:
        said = f"{entry.player} {entry.words}" if entry.words else entry.player
        played_at = _instant(entry.played_at)
        rows.append((str(entry.number), str(entry.seat), entry.notation, played_at, said))
    head = "".join(f"{name}: {value}\n" for name, value in headers.items() if value)
    return head + "\n" + "".join("\t".join(row) + "\n" for row in rows)


def _instant(moment: datetime | None) -> str:
    return moment.astimezone(UTC).isoformat(timespec="microseconds") if moment else ""
