"""The record of a game for people: turn by turn in words, and as a text to keep.

The text is headers ("Name: value", one a line), an empty line, the titles of the columns, and one
line an entry of the record, its columns parted by tabs: number, seat, notation, time, who did
what. With seat, notation and time anybody can count the hashes again
(`games.services.record.turn_hash`).
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise

from django.utils.translation import gettext

from games.models import Game, Seat, Turn
from games.plain_text import one_line
from games.queries import moment_between, turns_of, words_of_moment
from games.rules.base import positions

IN_WORDS = 600
"""Of longer records the notation must do: putting a turn into words means playing it again."""

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


def entries_of(game: Game) -> list[Entry]:
    """Return the whole record in the active language, first turn first."""
    turns = list(turns_of(game))
    words = _words(game, turns) if len(turns) <= IN_WORDS else ("" for _ in turns)
    return [
        Entry(turn.number, turn.seat, one_line(turn.player), turn.notation, said, turn.played_at)
        for turn, said in zip(turns, words, strict=True)
    ]


def _words(game: Game, turns: Iterable[Turn]) -> Iterator[str]:
    entries = [turn.notation for turn in turns]
    reached = pairwise(positions(game.rules, game.options, entries))
    for entry, (before, after) in zip(entries, reached, strict=True):
        yield words_of_moment(game, moment_between(game.rules, before, after, entry))


def record_name(game: Game) -> str:
    """Return the name of the file: "taquet-12.txt"."""
    return f"{game.rules_slug}-{game.pk}.txt"


def record_text(game: Game, entries: Iterable[Entry], *, url: str) -> str:
    """Return the record as a text; the headers' names are English, names and words are not."""
    headers = "".join(f"{name}: {value}\n" for name, value in _headers(game, url) if value)
    rows = [COLUMNS, *(_row(entry) for entry in entries)]
    return headers + "\n" + "".join("\t".join(row) + "\n" for row in rows)


def _row(entry: Entry) -> tuple[str, ...]:
    said = f"{entry.player} {entry.words}" if entry.words else entry.player
    when = _instant(entry.played_at)
    return str(entry.number), str(entry.seat), entry.notation, when, said


def _headers(game: Game, url: str) -> Iterator[tuple[str, str]]:
    yield "Game", game.rules_slug
    yield "Name", one_line(gettext(game.rules.name))
    yield "Number", str(game.pk)
    yield "Link", url
    yield "Options", json.dumps(game.options, sort_keys=True, ensure_ascii=False)
    for seat in game.seats.all():
        yield f"Seat {seat.number}", _seat(game, seat)
    yield "Begun", _instant(game.started_at)
    yield "Ended", _instant(game.ended_at)
    yield "Status", game.status
    yield "Ending", game.ending
    for seat in game.seats.all():
        yield f"Result {seat.number}", _result(seat)
    yield "Hash", game.head_hash


def _seat(game: Game, seat: Seat) -> str:
    name = game.rules.seat_name(game.options, seat.number).translated(gettext)
    return one_line(f"{seat.user} ({name})")


def _result(seat: Seat) -> str:
    if seat.place is None:
        return ""
    points = "" if seat.points is None else f", points {seat.points}"
    return f"place {seat.place}{points}"


def _instant(moment: datetime | None) -> str:
    return moment.astimezone(UTC).isoformat(timespec="microseconds") if moment else ""
