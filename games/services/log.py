"""The moderators' log: a chain of hashes, like a game's record."""

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
from games.models import Act, Event, Game

FIRST = ""
"""What the first act's hash builds on."""

KNOWN_LENGTHS: list[Callable[[], int]] = []
"""Each returns how many acts the log has had at least. Another app that has noted it adds its own,
so that acts cut off the end are missed (`faults`)."""

SHORT = 16
"""So much of a hash an anchor tells: too much for anybody to find another log that has it, too."""


@dataclass(frozen=True)
class Anchor:
    """Where the log stood once, kept where nobody can bend it: a number and its hash's beginning.

    Whoever can write to the database can cut acts off the log's end, or write all of it anew: its
    hashes match then. An anchor that was mailed before shows it.
    """

    number: int
    hash: str

    def __str__(self) -> str:
        return f"{self.number}-{self.hash[:SHORT]}"


def newest_anchor() -> Anchor | None:
    """Return where the log stands, None while it is empty."""
    newest = Act.objects.order_by("-number").first()
    return Anchor(newest.number, newest.hash) if newest else None


def read_anchor(text: str) -> Anchor:
    """Return the anchor that somebody typed as it was mailed ("12-a1b2…"). Raises BadAnchor."""
    found = re.fullmatch(rf"#?([1-9][0-9]{{0,17}})-([0-9a-f]{{{SHORT},64}})", text.strip().lower())
    if found is None:
        raise errors.BadAnchor
    return Anchor(int(found[1]), found[2])


_LOCK = 0x506C694C6F67
"""The key of the log's advisory lock."""


def lock() -> None:
    """Let nobody else append until the transaction ends.

    On PostgreSQL this is an advisory lock, since an empty log has no row to lock. On SQLite every
    transaction that writes has the whole database (transaction_mode=IMMEDIATE).
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])


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
) -> Act:
    """Append an act, in the transaction that does it. Raises NoReason when `why` is empty."""
    if not why.strip():
        raise errors.NoReason
    lock()
    newest = Act.objects.order_by("-number").first()
    act = Act(
        number=newest.number + 1 if newest else 1,
        by=by,
        at=now,
        what=what,
        why=why.strip(),
        game=game,
        person=person,
        details=details or {},
    )
    act.hash = act_hash(newest.hash if newest else FIRST, act)
    act.save(force_insert=True)
    return act


def act_hash(previous: str, act: Act) -> str:
    """Return the SHA-256 (hex) of the JSON array of the hash before and everything an act says.

    Without spaces, keys sorted, in UTF-8, the time as ISO 8601 in UTC with microseconds.
    """
    instant = act.at.astimezone(UTC).isoformat(timespec="microseconds")
    said = [previous, act.number, act.by_id, instant, act.what, act.why]
    said += [act.game_id, act.person_id, act.details]
    text = json.dumps(said, separators=(",", ":"), ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def faults(anchor: Anchor | None = None) -> Iterator[str]:
    """Yield what is wrong with the log, in words for a host: hopefully nothing.

    Acts that were cut off its end are missed by the newest event that names an act, by
    KNOWN_LENGTHS, and by `anchor`, which shows too whether the log was written anew.
    """
    previous, expected = FIRST, 1
    for act in Act.objects.order_by("number").iterator():
        if act.number != expected:
            yield _missing(expected)
            return
        if act.hash != act_hash(previous, act):
            yield _("act %(number)s does not match its hash") % {"number": act.number}
            return
        if anchor and act.number == anchor.number and not act.hash.startswith(anchor.hash):
            yield _("act %(number)s is not the one that was told of") % {"number": act.number}
            return
        previous, expected = act.hash, expected + 1
    known = [_length_by_events(), *(length() for length in KNOWN_LENGTHS)]
    if max(*known, anchor.number if anchor else 0) >= expected:
        yield _missing(expected)


def _length_by_events() -> int:
    told = Event.objects.filter(kind=Event.Kind.MODERATED).order_by("-pk").first()
    return told.details.get("act", 0) if told is not None else 0


def _missing(number: int) -> str:
    return _("act %(number)s is missing") % {"number": number}
