"""The moderators' log: a chain of hashes, like a game's record.

An entry's hash is the SHA-256 (hex) of a JSON array: the hash before ("" for the first entry) and
everything the entry says (`entry_hash`).
"""

import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from django.db import connection, transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.models import User
from games import errors
from games.models import Event, Game, ModerationLogEntry, Seat, Substitution
from games.moderation.action_names import UserAction

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


def delete_words_about(person: User, names: Collection[str], *, now: datetime) -> None:
    """Let the log no longer say anything of a user whose account is deleted.

    Who did what to whom stays. The reasons of what concerned the user are deleted; at games that
    they played, each of their `names` is replaced by a sign. So is it in what players were told.
    """
    played = Seat.objects.filter(user=person).values("game")
    lost = Substitution.objects.filter(former=person).values("seat__game")
    about = Q(person=person) | Q(game__in=played) | Q(game__in=lost)
    for entry in ModerationLogEntry.objects.filter(about, words_deleted_at=None).order_by("number"):
        is_about_them = entry.person_id == person.pk
        why = "" if is_about_them else without_names(entry.why, names)
        has_names = is_about_them and entry.what in (UserAction.RENAME, UserAction.ACCOUNT)
        details = {} if has_names else entry.details
        if (why, details) == (entry.why, entry.details):
            continue
        with transaction.atomic():
            one = ModerationLogEntry.objects.filter(pk=entry.pk, words_deleted_at=None)
            one.update(why=why, details=details, words_deleted_at=now)
            told = Event.objects.filter(game=entry.game_id, kind=Event.Kind.MODERATED)
            for event in told if entry.game_id else ():
                if event.details.get("act") == entry.number:
                    event.details["why"] = why
                    event.save(update_fields=["details"])


def without_names(text: str, names: Collection[str]) -> str:
    """Return a text in which each of these names, where it is a word, is replaced by a sign."""
    longest_first = sorted(filter(None, names), key=len, reverse=True)
    if not longest_first:
        return text
    any_name = "|".join(map(re.escape, longest_first))
    return re.sub(rf"(?<!\w)(?:{any_name})(?!\w)", "[…]", text, flags=re.IGNORECASE)


def faults(anchor: Anchor | None = None) -> Iterator[str]:
    """Yield what is wrong with the log, in the active language.

    Entries that were cut off its end are noticed by the newest event that names an entry, by
    KNOWN_LENGTHS and by `anchor`, which also shows whether the log was written anew. An entry that
    lost words with a deleted account keeps its hash, which nobody can compute any more.
    """
    missing = _("entry %(number)s is missing")
    previous, expected = "", 1
    for entry in ModerationLogEntry.objects.order_by("number").iterator():
        if entry.number != expected:
            yield missing % {"number": expected}
            return
        is_whole = entry.words_deleted_at is None
        if is_whole and entry.hash != entry_hash(previous, entry):
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
