"""Read new events and write a notice for each person who must be told."""

import logging
from datetime import datetime

from django.db import transaction

from accounts.models import Language, User
from games import wakeups
from games.models import Event
from games.services.batches import drop_broken_connection
from notifications.kinds.base import kind_for
from notifications.models import Notice
from notifications.outbox.scheduling import due_at
from notifications.services.addresses import gets_mail

log = logging.getLogger(__name__)

BATCH = 200
"""How many events one call takes up."""


def make_notices(*, now: datetime) -> int:
    """Write the notices of every event that has none yet, oldest first; return how many events.

    Safe in any number of processes. An event that cannot be read is logged and left for the next
    call; it does not delay the others.
    """
    fresh = Event.objects.filter(noticed_at__isnull=True).order_by("pk")
    done = 0
    for event_id in list(fresh.values_list("pk", flat=True)[:BATCH]):
        try:
            done += write_notices(event_id, now)
        except Exception:
            log.exception("nobody could be told of event %s", event_id)
            drop_broken_connection()
    return done


@transaction.atomic
def write_notices(event_id: int, now: datetime) -> bool:
    """Write one event's notices; return False if another process has done it."""
    # A compare-and-set: only one process takes the event.
    if not Event.objects.filter(pk=event_id, noticed_at__isnull=True).update(noticed_at=now):
        return False
    events = Event.objects.select_related("game__creator", "actor", "invitation__by")
    event = events.get(pk=event_id)
    kind = kind_for(event.kind)
    if kind is None:
        return True
    inviters_language = event.invitation.by.language if event.invitation else Language.ENGLISH
    notices = []
    for reader in dict.fromkeys(kind.recipients(event)):
        user = reader if isinstance(reader, User) else None
        if user is not None:
            # A mail about a turn has a notice without an address too: that it cannot be delivered
            # stops the clock.
            can_be_told = user.is_active and not user.is_bot
            if not (can_be_told if kind.tells_to_move else gets_mail(user)):
                continue
        notice = Notice.new(
            kind.kind,
            user=user,
            address="" if user else reader,
            language=user.language if user else inviters_language,
            event=event,
            game=event.game,
            turn_number=event.turn_number,
            due_at=due_at(kind, user, event, now=now),
            now=now,
        )
        if kind.numbered_games(notice):
            # It is told with nothing else of its event's game, as a digest is not.
            notice.game = notice.turn_number = None
        notices.append(notice)
    Notice.objects.bulk_create(notices)
    if notices:
        wakeups.notify_workers("notices")
    return True
