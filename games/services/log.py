"""The moderators' log: a chain of hashes, like a game's record."""

import hashlib
import json
from collections.abc import Iterator
from datetime import UTC, datetime

from django.db import transaction

from accounts.models import User
from games.models import Act, Event, Game
from games.services.errors import NoReason

FIRST = ""
"""What the first act's hash builds on."""


@transaction.atomic
def write(
    *,
    by: User,
    what: str,
    why: str,
    now: datetime,
    game: Game | None = None,
    person: User | None = None,
    details: dict[str, object] | None = None,
) -> Act:
    """Append an act, in the transaction that does it. Raises NoReason when `why` is empty.

    Two at once wait for each other: the first row is locked. (Locking the newest would not do:
    whoever waited for it would not see what was appended meanwhile.)
    """
    if not why.strip():
        raise NoReason
    Act.objects.select_for_update().filter(number=1).first()
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


def faults() -> Iterator[str]:
    """Yield what is wrong with the log, in words for a host: hopefully nothing.

    Of acts that were cut off its end the newest game that a moderator acted on knows.
    """
    previous, expected = FIRST, 1
    for act in Act.objects.order_by("number").iterator():
        if act.number != expected:
            yield f"act {expected} is missing"
            return
        if act.hash != act_hash(previous, act):
            yield f"act {act.number} does not match its hash"
            return
        previous, expected = act.hash, expected + 1
    told = Event.objects.filter(kind=Event.Kind.MODERATED).order_by("-pk").first()
    if told is not None and told.details.get("act", 0) >= expected:
        yield f"act {expected} is missing"
