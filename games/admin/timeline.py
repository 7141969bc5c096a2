"""Everything that happened in and around one game, merged by time.

Each kind of thing is a `Source`; another app adds its own with `register`, so that this one need
not know of it. A page costs one query a source.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.functional import Promise

from games.admin.addresses import masked
from games.admin.details import labelled
from games.models import Game

PAGE = 100
"""How many entries a page shows."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class TimelineRow:
    """What one row says: who did what, and the small print. `address` is a mail address in it."""

    who: str
    words: str
    note: str = ""
    url: str = ""
    address: str = ""


@dataclass(frozen=True)
class Source:
    """A kind of thing: its rows of a game, the name of their time, and what a row says.

    `rows` gives a query, or a list of all rows where they are loaded anyway.
    """

    name: str
    label: str | Promise
    rows: Callable[[Game], QuerySet[Any] | list[Any]]
    at: str
    line: Callable[[Game, Any], TimelineRow]


@dataclass(frozen=True)
class TimelineEntry:
    """One row of the timeline."""

    at: datetime
    source: Source
    line: TimelineRow


@dataclass(frozen=True)
class Page:
    """Some entries, newest first, and where the older ones begin (empty: there are none)."""

    entries: list[TimelineEntry]
    older: str


SOURCES: list[Source] = []

Key = tuple[datetime, int, int]
"""A row's place: its time, its source's number, its primary key. Larger is newer."""


def register(source: Source) -> None:
    """Let a kind of thing be shown; what has the same name already is replaced."""
    SOURCES[:] = [*(known for known in SOURCES if known.name != source.name), source]


def timeline(game: Game, before: str = "", *, shows_addresses: bool = False) -> Page:
    """Return a page of what happened: the newest, or what came before a page's `older`.

    Addresses are masked unless `shows_addresses`.
    """
    start = _read(before)
    rows = sorted(_newest(game, start), key=lambda row: row[0], reverse=True)
    shown = [(key, SOURCES[key[1]], row) for key, row in islice(rows, PAGE)]
    show = _with_address if shows_addresses else _masked
    entries = [
        TimelineEntry(key[0], source, show(source.line(game, row))) for key, source, row in shown
    ]
    return Page(entries, _written(shown[-1][0]) if len(rows) > PAGE else "")


def _with_address(line: TimelineRow) -> TimelineRow:
    return replace(line, words=labelled(line.words, line.address)) if line.address else line


def _masked(line: TimelineRow) -> TimelineRow:
    line = _with_address(replace(line, address=masked(line.address)))
    return replace(line, note=masked(line.note))


def without(page: Page, name: str) -> Page:
    """Return a page without the things of one kind."""
    return Page([entry for entry in page.entries if entry.source.name != name], page.older)


def _newest(game: Game, start: Key | None) -> Iterator[tuple[Key, Any]]:
    """Yield each source's newest rows before `start`, one more than a page has room for."""
    for number, source in enumerate(SOURCES):
        rows = source.rows(game)
        if isinstance(rows, list):
            yield from _of_list(rows, source.at, number, start)
            continue
        if start is not None:
            rows = rows.filter(_before(source.at, number, start))
        for row in rows.order_by(f"-{source.at}", "-pk")[: PAGE + 1]:
            yield (getattr(row, source.at), number, row.pk), row


def _of_list(rows: list[Any], at: str, number: int, start: Key | None) -> Iterator[tuple[Key, Any]]:
    found = [((getattr(row, at), number, row.pk), row) for row in rows]
    kept = [each for each in found if start is None or each[0] < start]
    yield from sorted(kept, key=lambda each: each[0], reverse=True)[: PAGE + 1]


def _before(at: str, number: int, start: Key) -> Q:
    moment, source, pk = start
    if number < source:
        return Q(**{f"{at}__lte": moment})
    earlier = Q(**{f"{at}__lt": moment})
    return earlier | Q(**{at: moment, "pk__lt": pk}) if number == source else earlier


def _written(key: Key) -> str:
    moment, source, pk = key
    return f"{(moment - _EPOCH) // timedelta(microseconds=1)}-{source}-{pk}"


def _read(text: str) -> Key | None:
    """Return what `_written` wrote; None for anything else."""
    try:
        moment, source, pk = (int(part) for part in text.split("-"))
        return _EPOCH + timedelta(microseconds=moment), source, min(pk, 2**63 - 1)
    except (ValueError, OverflowError):
        return None
