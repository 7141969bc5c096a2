"""Everything that happened in and around one game, merged by time.

Each kind of thing is a `Source`. Another app adds its own with `register`, so that this one need
not know of it. A page costs one query a source.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.models import Event, Game, Message, Offer, Report, Turn
from games.moderation.action_names import action_label
from games.moderation.admin.base import mask_addresses
from games.moderation.admin.details import details_in_words, labelled
from games.templatetags.boards import entry

PAGE = 100
"""How many entries a page shows."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class TimelineRow:
    """What one row says. `address` is a mail address that belongs to `words`."""

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
    """Some entries, newest first, and where the older ones begin ("" if there are none)."""

    entries: list[TimelineEntry]
    older: str


SOURCES: list[Source] = []

Key = tuple[datetime, int, int]
"""A row's place: its time, its source's number, its primary key. Larger is newer."""


def register(source: Source) -> None:
    """Add a source, or replace the one of the same name."""
    SOURCES[:] = [*(known for known in SOURCES if known.name != source.name), source]


def timeline(
    game: Game, before: str = "", *, shows_addresses: bool = False, shows_reports: bool = True
) -> Page:
    """Return the newest page of what happened, or the one that begins at `before`.

    `before` is another page's `older`. Addresses are masked unless `shows_addresses`.
    """
    start = _parse_key(before)
    rows = sorted(_newest_rows(game, start), key=lambda row: row[0], reverse=True)
    page = list(islice(rows, PAGE))
    entries = []
    for key, row in page:
        source = SOURCES[key[1]]
        if source.name == "report" and not shows_reports:
            continue
        line = source.line(game, row)
        if not shows_addresses:
            line = replace(
                line, address=mask_addresses(line.address), note=mask_addresses(line.note)
            )
        if line.address:
            line = replace(line, words=labelled(line.words, line.address))
        entries.append(TimelineEntry(key[0], source, line))
    if len(rows) <= PAGE:
        return Page(entries, "")
    moment, number, pk = page[-1][0]
    return Page(entries, f"{(moment - _EPOCH) // timedelta(microseconds=1)}-{number}-{pk}")


def _parse_key(text: str) -> Key | None:
    """Return the place in a page's `older`; None for anything else."""
    try:
        moment, number, pk = (int(part) for part in text.split("-"))
        return _EPOCH + timedelta(microseconds=moment), number, min(pk, 2**63 - 1)
    except (ValueError, OverflowError):
        return None


def _newest_rows(game: Game, start: Key | None) -> Iterator[tuple[Key, Any]]:
    """Yield each source's newest rows before `start`, one more than a page has room for."""
    for number, source in enumerate(SOURCES):
        rows, at = source.rows(game), source.at
        if isinstance(rows, list):
            found = [((getattr(row, at), number, row.pk), row) for row in rows]
            kept = [each for each in found if start is None or each[0] < start]
            yield from sorted(kept, key=lambda each: each[0], reverse=True)[: PAGE + 1]
            continue
        if start is not None:
            moment, first, pk = start
            before = Q(**{f"{at}__lte" if number < first else f"{at}__lt": moment})
            if number == first:
                before |= Q(**{at: moment, "pk__lt": pk})
            rows = rows.filter(before)
        for row in rows.order_by(f"-{at}", "-pk")[: PAGE + 1]:
            yield (getattr(row, at), number, row.pk), row


# The sources of this app -------------------------------------------------------------------------

SHOWN_ELSEWHERE = ("notation", "rest", "status")
"""Details of events that the record shows, or nobody needs."""


def turn_row(game: Game, turn: Turn) -> TimelineRow:
    words = f"{turn.number}. {entry(turn)}"
    return TimelineRow(str(turn.player), words, f"{turn.get_via_display()} · {turn.hash[:12]}…")


def event_row(game: Game, event: Event) -> TimelineRow:
    # Everybody who sits or played there: the page has loaded all of them.
    seats, turns = game.seats.all(), game.turns.all()
    people = [*(turn.player for turn in turns), *(seat.played_by_partner for seat in seats)]
    people += [seat.user for seat in seats]
    names = {person.pk: str(person) for person in people if person is not None}

    def details(*left_out: str) -> str:
        return details_in_words(
            event.details,
            lambda key: names.get(key, f"#{key}"),
            left_out=(*SHOWN_ELSEWHERE, *left_out),
        )

    who = str(event.actor or "")
    if event.kind == Event.Kind.MODERATED:
        words = labelled(action_label(event.details.get("what", "")), event.details.get("why", ""))
        note = " · ".join(
            filter(None, [f"#{event.details.get('act')}", details("what", "why", "act")])
        )
        return TimelineRow(who, words, note)
    words, state, invitation = str(event.get_kind_display()), "", event.invitation
    if invitation is not None:
        state = str(invitation.get_state_display())
        if invitation.user is not None:
            words = labelled(words, invitation.user)
    note = " · ".join(filter(None, [state, details()]))
    return TimelineRow(who, words, note, address=invitation.email if invitation else "")


def message_row(game: Game, message: Message) -> TimelineRow:
    hidden = gettext("hidden from everybody") if message.hidden_at else ""
    return TimelineRow(str(message.author), message.text, hidden)


def offer_row(game: Game, offer: Offer) -> TimelineRow:
    kind, state = str(offer.get_kind_display()), str(offer.get_state_display())
    return TimelineRow(str(offer.seat.user or ""), kind, state)


def report_row(game: Game, report: Report) -> TimelineRow:
    if report.person:
        words = gettext("reports %(name)s") % {"name": report.person}
    else:
        words = gettext("reports the game")
    words = labelled(f"{words} ({report.get_reason_display()})", report.text)
    return TimelineRow(str(report.reporter), words, str(report.get_state_display()))


# The page has loaded all turns anyway, for the board.
register(
    Source("turn", _("turn played"), lambda game: list(game.turns.all()), "played_at", turn_row)
)
register(
    Source(
        "event",
        _("event"),
        # Turns and messages are sources of their own.
        lambda game: game.events.exclude(
            kind__in=[Event.Kind.TURN_PLAYED, Event.Kind.MESSAGE_SAID]
        ).select_related("actor", "invitation__user"),
        "at",
        event_row,
    )
)
register(
    Source(
        "message",
        _("message"),
        lambda game: game.messages.select_related("author"),
        "said_at",
        message_row,
    )
)
register(
    Source(
        "offer",
        _("offer"),
        lambda game: game.offers.select_related("seat__user"),
        "made_at",
        offer_row,
    )
)
register(
    Source(
        "report",
        _("report"),
        lambda game: game.reports.select_related("reporter", "person"),
        "made_at",
        report_row,
    )
)
