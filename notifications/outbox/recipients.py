"""Read new events; write notices, push messages and messages to webhooks for all their readers."""

import logging
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.db.models import prefetch_related_objects

from accounts.models import Language, User
from games import wakeups
from games.models import Event
from games.services.batches import drop_broken_connection
from notifications.kinds.base import MailKind, kind_for
from notifications.kinds.game_mail import details_of, player_to_move
from notifications.models import Notice, Push, PushSubscription, Webhook, WebhookMessage
from notifications.outbox.scheduling import at_most_half, due_at
from notifications.services.addresses import with_address
from notifications.services.shared_reads import Wishes
from notifications.webhooks.sending import TYPES

log = logging.getLogger(__name__)

BATCH = 200
"""How many events one call takes up."""


def make_notices(*, now: datetime) -> int:
    """Write the notices of every event that has none yet, oldest first; return how many events.

    Safe in any number of processes. An event that cannot be read is logged and left for the next
    call; it does not delay the others.
    """
    fresh = Event.objects.filter(noticed_at__isnull=True).order_by("pk")
    keys = list(fresh.values_list("pk", flat=True)[:BATCH])
    return make_notices_of(keys, now) if keys else 0


def make_notices_of(keys: Sequence[int], now: datetime) -> int:
    """Write the notices of these events together, in halves if that fails; return how many."""
    try:
        return write_notices(keys, now)
    except Exception:
        drop_broken_connection()
        if len(keys) == 1:
            log.exception("nobody could be told of event %s", keys[0])
            return 0
    middle = len(keys) // 2
    return make_notices_of(keys[:middle], now) + make_notices_of(keys[middle:], now)


@transaction.atomic
def write_notices(keys: Sequence[int], now: datetime) -> int:
    """Write the notices of these events; return of how many.

    An event that another process takes, or has taken, is left out.
    """
    fresh = Event.objects.filter(pk__in=keys, noticed_at__isnull=True)
    taken = fresh.select_for_update(of=("self",), skip_locked=True).order_by("pk")
    events = list(taken.select_related("game__creator", "actor", "invitation__by"))
    Event.objects.filter(pk__in=[event.pk for event in events]).update(noticed_at=now)
    told = [event for event in events if kind_for(event.kind) is not None]
    prefetch_related_objects(told, "game__seats__user", "game__seats__played_by_partner")
    readers = [(event, reader) for event in told for reader in readers_of(event)]
    users = [reader for _, reader in readers if isinstance(reader, User)]
    able, wishes = with_address(users), Wishes.of(users)
    notices = [
        new_notice(event, reader, wishes, now)
        for event, reader in readers
        if can_be_told(event, reader, able)
    ]
    # Rows that refer to games wait for those that lock them: in the order in which others lock
    # several, so that nobody waits for ever.
    Notice.objects.bulk_create(sorted(notices, key=lambda notice: notice.game_id or 0))
    if notices:
        wakeups.notify_workers("notices")
    write_pushes(readers, now)
    write_webhook_messages([*readers, *_reminded_together(told)], now)
    return len(events)


def write_pushes(readers: Sequence[tuple[Event, User | str]], now: datetime) -> None:
    """Write a push message for each browser in which a reader of an event wants one.

    It waits as long as a mail that is sent at once: until then a turn can be undone.
    """
    pushed = [
        (event, reader)
        for event, reader in readers
        if isinstance(reader, User) and kind_telling(event).is_pushed
    ]
    if not pushed or not settings.PUSH_KEY:
        return
    browsers: dict[int, list[PushSubscription]] = {}
    for browser in PushSubscription.objects.filter(user__in={reader for _, reader in pushed}):
        browsers.setdefault(browser.user_id, []).append(browser)
    pushes = [
        Push(
            subscription=browser,
            event=event,
            kind=kind_telling(event).kind,
            created_at=now,
            due_at=now + at_most_half(event.game, settings.MAIL_HOLD, now),
        )
        for event, reader in pushed
        for browser in browsers.get(reader.pk, ())
    ]
    Push.objects.bulk_create(pushes)
    if pushes:
        wakeups.notify_workers("pushes")


def _reminded_together(events: Sequence[Event]) -> list[tuple[Event, User]]:
    """Return the players to move whose reminder is in the mail about another game.

    The mail is one for several games, but webhooks get a message for each game.
    """
    return [
        (event, user)
        for event in events
        if event.kind == Event.Kind.REMINDER_DUE and "told_with" in details_of(event)
        for user in player_to_move(event)
    ]


def write_webhook_messages(readers: Sequence[tuple[Event, User | str]], now: datetime) -> None:
    """Write a message to each webhook of a reader of an event, also of a program's account.

    It waits as a push message does.
    """
    told = [
        (event, reader)
        for event, reader in readers
        if isinstance(reader, User) and kind_telling(event).kind in TYPES
    ]
    if not told:
        return
    webhooks: dict[int, list[Webhook]] = {}
    for webhook in Webhook.objects.filter(
        user__in={reader for _, reader in told}, switched_off_at=None
    ):
        webhooks.setdefault(webhook.user_id, []).append(webhook)
    messages = [
        WebhookMessage(
            webhook=webhook,
            event=event,
            kind=kind_telling(event).kind,
            created_at=now,
            due_at=now + at_most_half(event.game, settings.MAIL_HOLD, now),
        )
        for event, reader in told
        for webhook in webhooks.get(reader.pk, ())
    ]
    WebhookMessage.objects.bulk_create(messages)
    if messages:
        wakeups.notify_workers("pushes")


def kind_telling(event: Event) -> MailKind:
    """Return the kind of mail that tells of an event, of which one does."""
    kind = kind_for(event.kind)
    assert kind is not None  # noqa: S101  (others are left out)
    return kind


def readers_of(event: Event) -> Iterable[User | str]:
    """Return who is told of an event, each once."""
    return dict.fromkeys(kind_telling(event).recipients(event))


def can_be_told(event: Event, reader: User | str, able: Collection[int]) -> bool:
    """Tell whether a reader gets a notice; `able` are the keys of users who get mail.

    A mail about a turn has a notice without an address too: that it cannot be delivered stops the
    clock.
    """
    if isinstance(reader, str):
        return True
    if kind_telling(event).tells_to_move:
        return reader.can_get_mail
    return reader.pk in able


def new_notice(event: Event, reader: User | str, wishes: Wishes, now: datetime) -> Notice:
    """Return the unsaved notice of an event for a reader, due when they want it."""
    kind = kind_telling(event)
    user = reader if isinstance(reader, User) else None
    inviters_language = event.invitation.by.language if event.invitation else Language.ENGLISH
    notice = Notice.new(
        kind.kind,
        user=user,
        address="" if isinstance(reader, User) else reader,
        language=user.language if user else inviters_language,
        event=event,
        game=event.game,
        turn_number=event.turn_number,
        due_at=due_at(kind, user, event, now=now, wishes=wishes),
        now=now,
    )
    if kind.numbered_games(notice):
        # It is told with nothing else of its event's game, as a digest is not.
        notice.game = notice.turn_number = None
    return notice
