"""Reads what happened and writes down who must be told: one notice a person."""

import logging
import secrets
from collections.abc import Iterable
from datetime import datetime

from django.conf import settings
from django.db import transaction

from accounts.models import Language, User
from games.models import Event
from games.services import wakeups
from games.services.batches import drop_broken_connection
from notifications.kinds.base import MailKind
from notifications.kinds.lookup import kind_for
from notifications.models import Notice
from notifications.services.outbox.scheduling import due_at
from notifications.services.readers import gets_mail

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
        drop_broken_connection()
        return False


@transaction.atomic
def _notice(event_id: int, now: datetime) -> bool:
    """Write one event's notices, unless another process has; tell whether this call did."""
    if not Event.objects.filter(pk=event_id, noticed_at__isnull=True).update(noticed_at=now):
        return False
    event = Event.objects.select_related("game__creator", "actor", "invitation__by").get(
        pk=event_id
    )
    kind = kind_for(event.kind)
    if kind is None:
        return True
    notices = list(_notices(event, kind, now))
    Notice.objects.bulk_create(notices)
    if notices:
        wakeups.notify_workers("notices")
    return True


def _notices(event: Event, kind: MailKind, now: datetime) -> Iterable[Notice]:
    for reader in dict.fromkeys(kind.recipients(event)):
        if isinstance(reader, str):
            yield _of(event, kind, now, address=reader, language=_inviters_language(event))
        elif _is_told(reader, kind):
            yield _of(event, kind, now, user=reader, language=reader.language)


def _is_told(user: User, kind: MailKind) -> bool:
    """Tell whether a notice of a kind is written for this person.

    One that tells of a turn is, without an address too: that it reaches nobody stops the clock.
    """
    if kind.tells_to_move:
        return user.is_active and not user.is_bot
    return gets_mail(user)


def _of(
    event: Event,
    kind: MailKind,
    now: datetime,
    *,
    language: str,
    user: User | None = None,
    address: str = "",
) -> Notice:
    return Notice(
        kind=kind.kind,
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
