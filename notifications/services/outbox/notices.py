"""Reads what happened and writes down who must be told: one notice a person."""

import logging
import secrets
from collections.abc import Iterable
from datetime import datetime

from django.conf import settings
from django.db import transaction

from accounts.models import Language, User
from games.models import Event
from games.services import bell
from notifications.models import Kind, Notice
from notifications.services.outbox.cadence import due_at
from notifications.services.outbox.concerned import TOLD
from notifications.services.outbox.readers import is_told

log = logging.getLogger(__name__)

BATCH = 200
"""How many events one call takes up."""


def make_notices(*, now: datetime) -> int:
    """Write the notices of every event that has none yet, oldest first; return how many events.

    Safe in any number of processes: each event is taken by a compare-and-set. An event that
    cannot be read is logged and left for the next call; it does not hold up the others.
    """
    fresh = Event.objects.filter(noticed_at__isnull=True).order_by("pk")
    return sum(_take(pk, now) for pk in list(fresh.values_list("pk", flat=True)[:BATCH]))


def _take(event_id: int, now: datetime) -> bool:
    try:
        return _notice(event_id, now)
    except Exception:
        log.exception("nobody could be told of event %s", event_id)
        return False


@transaction.atomic
def _notice(event_id: int, now: datetime) -> bool:
    """Write one event's notices, unless another process has; tell whether this call did."""
    if not Event.objects.filter(pk=event_id, noticed_at__isnull=True).update(noticed_at=now):
        return False
    event = Event.objects.select_related("game__maker", "actor", "invitation__by").get(pk=event_id)
    kind, who = TOLD.get(event.kind, (None, None))
    if kind is None or who is None:
        return True
    notices = list(_notices(event, kind, who(event), now))
    Notice.objects.bulk_create(notices)
    if notices:
        bell.ring("notices")
    return True


def _notices(
    event: Event, kind: Kind, readers: Iterable[User | str], now: datetime
) -> Iterable[Notice]:
    for reader in dict.fromkeys(readers):
        if isinstance(reader, str):
            yield _of(event, kind, now, address=reader, language=_inviters_language(event))
        elif is_told(reader, kind):
            yield _of(event, kind, now, user=reader, language=reader.language)


def _of(
    event: Event,
    kind: Kind,
    now: datetime,
    *,
    language: str,
    user: User | None = None,
    address: str = "",
) -> Notice:
    return Notice(
        kind=kind,
        event=event,
        game=event.game,
        turn_number=event.turn_number,
        message_id=new_message_id(),
        created_at=now,
        due_at=due_at(kind, user, event, now=now),
        user=user,
        address=address,
        language=language,
    )


def _inviters_language(event: Event) -> str:
    return event.invitation.by.language if event.invitation else Language.ENGLISH


def new_message_id() -> str:
    """Return a Message-ID for one notice, the same however often it is tried."""
    return f"<notice.{secrets.token_hex(12)}@{settings.MAIL_DOMAIN}>"
