"""The moderators' log: a chain of hashes, like a game's record.

An entry's hash is the SHA-256 (hex) of a JSON array: the hash before ("" for the first entry) and
everything the entry says (`entry_hash`).
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from django.db import connection, transaction
from django.utils.translation import gettext as _

from accounts.models import User
from games import errors
from games.models import Event, Game, ModerationLogEntry

KNOWN_LENGTHS: list[Callable[[], int]] = []
"""Each returns a number of entries that the log had once. An app that has kept one adds its own
function, so that `faults` finds entries missing at the end."""

ANCHOR_DIGITS = 16
"""Digits of the hash in an anchor: enough that nobody can find another log with the same ones."""

LOCK_KEY = 0x506C694C6F67
"""The key of the log's advisory lock."""


@dataclass(frozen=True)
class Anchor:
    """The log's end at some time, kept outside of the database: an entry's number and hash.

    The chain alone does not show that entries were cut off its end, or that all of it was written
    anew. An anchor that was mailed before does.
    """

    number: int
    hash: str

    def __str__(self) -> str:
        return f"{self.number}-{self.hash[:ANCHOR_DIGITS]}"


def newest_anchor() -> Anchor | None:
    """Return the log's end, None while it is empty."""
    newest = ModerationLogEntry.objects.order_by("-number").first()
    return Anchor(newest.number, newest.hash) if newest else None


def read_anchor(text: str) -> Anchor:
    """Return the anchor that was typed as a digest shows it ("12-a1b2…"). Raises BadAnchor."""
    pattern = rf"#?([1-9][0-9]{{0,17}})-([0-9a-f]{{{ANCHOR_DIGITS},64}})"
    found = re.fullmatch(pattern, text.strip().lower())
    if found is None:
        raise errors.BadAnchor
    return Anchor(int(found[1]), found[2])


def lock() -> None:
    """Let nobody else append until the transaction ends.

    On PostgreSQL this is an advisory lock, since an empty log has no row to lock. On SQLite every
    transaction that writes has the whole database (transaction_mode=IMMEDIATE).
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK_KEY])


@transaction.atomic
def write_entry(
    *,
    by: User,
    what: str,
    why: str,
    now: datetime,
    game: Game | None = None,
    person: User | None = None,
    details: dict[str, object] | None = None,
) -> ModerationLogEntry:
    """Append an entry, in the transaction of the action. Raises NoReason if `why` is empty."""
    if not why.strip():
        raise errors.NoReason
    lock()
    newest = ModerationLogEntry.objects.order_by("-number").first()
    entry = ModerationLogEntry(
        number=newest.number + 1 if newest else 1,
        by=by,
        at=now,
        what=what,
        why=why.strip(),
        game=game,
        person=person,
        details=details or {},
    )
    entry.hash = entry_hash(newest.hash if newest else "", entry)
    entry.save(force_insert=True)
    return entry


def entry_hash(previous: str, entry: ModerationLogEntry) -> str:
    """Return the SHA-256 (hex) of the JSON array of the hash before and everything an entry says.

    Without spaces, keys sorted, in UTF-8, the time as ISO 8601 in UTC with microseconds.
    """
    instant = entry.at.astimezone(UTC).isoformat(timespec="microseconds")
    said = [previous, entry.number, entry.by_id, instant, entry.what, entry.why]
    said += [entry.game_id, entry.person_id, entry.details]
    text = json.dumps(said, separators=(",", ":"), ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def faults(anchor: Anchor | None = None) -> Iterator[str]:
    """Yield what is wrong with the log, in the active language.

    Entries that were cut off its end are noticed by the newest event that names an entry, by
    KNOWN_LENGTHS and by `anchor`, which also shows whether the log was written anew.
    """
    missing = _("entry %(number)s is missing")
    previous, expected = "", 1
    for entry in ModerationLogEntry.objects.order_by("number").iterator():
        if entry.number != expected:
            yield missing % {"number": expected}
            return
        if entry.hash != entry_hash(previous, entry):
            yield _("entry %(number)s does not match its hash") % {"number": entry.number}
            return
        if anchor and entry.number == anchor.number and not entry.hash.startswith(anchor.hash):
            yield _("entry %(number)s is not the one in the digest") % {"number": entry.number}
            return
        previous, expected = entry.hash, expected + 1
    newest_event = Event.objects.filter(kind=Event.Kind.MODERATED).order_by("-pk").first()
    known = [newest_event.details.get("act", 0) if newest_event else 0]
    known += [length() for length in KNOWN_LENGTHS]
    if max(*known, anchor.number if anchor else 0) >= expected:
        yield missing % {"number": expected}
