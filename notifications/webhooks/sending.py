"""Send the messages to webhooks that are due: claim, send outside any transaction, record.

A process that dies between claim and result may have sent its message: it is sent once more with
the same `webhook-id`, by which the receiver knows it. A message that is given up is told to the
webhook's owner; `GET /api/v1/me/turns` says in any case what is to be done.
"""

import json
import logging
import time
from datetime import UTC, datetime, timedelta
from http.client import HTTPException

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.urls import reverse

from accounts.models import User
from games.models import Event
from games.queries.seats import player_at
from games.services.batches import drop_broken_connection
from notifications.emails.formatting import plain
from notifications.emails.game_context import make_end_final
from notifications.kinds.account.kind import KIND as ACCOUNT_MAIL
from notifications.kinds.base import kind_of
from notifications.kinds.registry import Kind
from notifications.models import Notice, SkipReason, Webhook, WebhookMessage
from notifications.models.webhook import WEBHOOK_CLAIM_TIMEOUT
from notifications.outbox.delivery import stopping
from notifications.public_http import Answer, origin_of, post
from notifications.services.account import write_account_notice
from notifications.services.addresses import gets_mail, verified_address
from notifications.services.metrics import count_webhook
from notifications.webhooks.signing import headers_of

log = logging.getLogger(__name__)

TYPES = {
    Kind.YOUR_TURN: "turn.due",
    Kind.REMINDER: "turn.reminder",
    Kind.GAME_BEGUN: "game.started",
    Kind.GAME_OVER: "game.finished",
    Kind.CHALLENGE: "challenge.received",
    Kind.OFFER: "offer.changed",
    Kind.MESSAGE: "message.received",
    Kind.CLOCK: "clock.changed",
    Kind.PLAYER_LEFT: "player.left",
}
"""The kinds of mail of which webhooks are told, and the `type` of the message."""

TEST_TYPE = "test"

BATCH = 100
"""How many messages one call takes up."""

ROUND_TIMEOUT = 15.0
"""Seconds (of real time) after which a call claims no more: push messages use the same queue."""

RETRY_SECONDS = (5, 60, 300, 1200, 3600, 2 * 3600, 4 * 3600, 6 * 3600, 10 * 3600)
"""How long a message waits after the first failure, the second, and so on: a day in all."""

GIVEN_UP_AFTER = timedelta(days=1)
"""How old a message gets at most."""

MOST_LOST = 3
"""How many processes may die while they send one message."""

SWITCHED_OFF_AFTER = timedelta(hours=23)
"""A webhook that took nothing for so long is switched off with the first message that is given up,
which was tried for 23 hours and 26 minutes."""

SERVER_PAUSE = timedelta(seconds=30)
"""How long all messages wait whose server does not answer, or asks to wait."""

OWNER_TOLD_EVERY = timedelta(days=1)
"""An owner is not told more often than this that messages to a webhook were given up."""


def send_webhooks(*, now: datetime) -> int:
    """Send the messages that are due; return how many are done.

    Those of a server that does not answer wait, so that they delay no other's.
    """
    until = time.monotonic() + ROUND_TIMEOUT
    due = WebhookMessage.objects.due(now).select_related(
        "webhook__user", "webhook__owner", "event__game"
    )
    done = 0
    for message in due.order_by("due_at", "pk")[:BATCH]:
        if stopping.is_set() or time.monotonic() > until:
            break
        if not claim_message(message, now):  # also one that was put off since it was read
            continue
        try:
            is_done, is_answered = send_message(message, now)
        except Exception:
            log.exception("message %s to a webhook could not be sent", message.pk)
            drop_broken_connection()
            is_done, is_answered = retry_message(message, "error of this site", now), True
        done += is_done
        if not is_answered:
            server = origin_of(message.webhook.url)
            waiting = WebhookMessage.objects.due(now).filter(webhook__url__startswith=server)
            waiting.update(due_at=now + SERVER_PAUSE)
    return done


def claim_message(message: WebhookMessage, now: datetime) -> bool:
    """Claim a message; return False if another process has it, or if it was lost too often."""
    as_read = WebhookMessage.objects.filter(
        pk=message.pk, due_at=message.due_at, claims=message.claims
    )
    if message.claims > MOST_LOST:
        if as_read.delete()[0]:
            log.warning("message %s is given up: processes died sending it", message.pk)
            count_webhook(message, "failed")
        return False
    return as_read.update(due_at=now + WEBHOOK_CLAIM_TIMEOUT, claims=F("claims") + 1) == 1


def send_message(message: WebhookMessage, now: datetime) -> tuple[bool, bool]:
    """Send a claimed message if it is still wanted; return if it is done, if the server answered.

    It counts as answered if the server was not asked.
    """
    webhook = message.webhook
    if not is_still_wanted(message, now):
        return finish_message(message, "dropped"), True
    body = body_of(message)
    try:
        answer = post(webhook.url, body, headers_of(webhook, message.message_id, body, now=now))
    except (OSError, HTTPException) as failure:
        log.warning("webhook %s does not answer: %s", webhook.pk, failure)
        return retry_message(message, str(failure) or type(failure).__name__, now), False
    if answer.is_taken:
        Webhook.objects.filter(pk=webhook.pk).update(
            last_success_at=now, failing_since=None, last_error=""
        )
        return finish_message(message, "sent"), True
    error = f"HTTP {answer.status}"
    if answer.is_gone:
        return abandon_message(message, error, now, switch_off=True), True
    return retry_message(message, error, now, answer), not answer.asks_to_wait


def is_still_wanted(message: WebhookMessage, now: datetime) -> bool:
    """Return whether a message still says something true to somebody who may use the site.

    Raises TurnUndone.
    """
    user, event = message.webhook.user, message.event
    for person in {user, message.webhook.owner}:
        if not person.is_active or person.is_barred(now):
            return False
    if event is None:
        return True
    make_end_final(event.game, user)
    notice = Notice(
        kind=message.kind,
        user=user,
        language=user.language,
        event=event,
        game=event.game,
        turn_number=event.turn_number,
        created_at=message.created_at,
    )
    # A mail that told it does not matter: the message is sent beside it.
    return kind_of(message.kind).skip_reason(notice) in (None, SkipReason.TOLD_TOGETHER)


def body_of(message: WebhookMessage) -> bytes:
    """Return a message's JSON: what happened, where; never a turn, a text or a plan."""
    event, user = message.event, message.webhook.user
    if event is None:
        kind, at, data = TEST_TYPE, message.created_at, {}
    else:
        kind, at, data = TYPES[Kind(message.kind)], event.at, data_about(event, user)
    return json.dumps(
        {
            "type": kind,
            "timestamp": at.astimezone(UTC).isoformat().replace("+00:00", "Z"),
            "data": {"account": user.username, **data},
        }
    ).encode()


def data_about(event: Event, user: User) -> dict[str, object]:
    """Return which game an event is about, and whether it is the user's turn there now."""
    game = event.game
    is_theirs = game.seat_to_move is not None and player_at(game, game.seat_to_move) == user
    return {"game": game.pk, "turn": game.turn_number, "your_turn": is_theirs}


# The result --------------------------------------------------------------------------------------


def finish_message(message: WebhookMessage, outcome: str) -> bool:
    """Delete a message that needs nothing more; return True."""
    WebhookMessage.objects.filter(pk=message.pk).delete()
    count_webhook(message, outcome)
    return True


def retry_message(
    message: WebhookMessage, error: str, now: datetime, answer: Answer | None = None
) -> bool:
    """Let a message that failed wait, each time longer; return whether it is given up instead."""
    webhook = message.webhook
    Webhook.objects.filter(pk=webhook.pk).update(last_error=error[:200])
    Webhook.objects.filter(pk=webhook.pk, failing_since=None).update(failing_since=now)
    asked = answer.asked_wait(now) if answer else timedelta()
    last = message.created_at + GIVEN_UP_AFTER
    if message.attempts >= len(RETRY_SECONDS) or now >= last or now + asked > last:
        return abandon_message(message, error, now)
    wait = max(timedelta(seconds=RETRY_SECONDS[message.attempts]), asked)
    WebhookMessage.objects.filter(pk=message.pk).update(
        due_at=min(now + wait, last), claims=0, attempts=message.attempts + 1
    )
    count_webhook(message, "deferred")
    return False


@transaction.atomic
def abandon_message(
    message: WebhookMessage, error: str, now: datetime, *, switch_off: bool = False
) -> bool:
    """Delete a message that cannot be sent, and tell the owner; return True.

    A webhook that took nothing for a day is switched off, with all that waits for it.
    """
    webhook = Webhook.objects.select_for_update(of=("self",)).get(pk=message.webhook_id)
    since = webhook.failing_since
    if switch_off or (since is not None and since <= now - SWITCHED_OFF_AFTER):
        webhook.switched_off_at = now
        webhook.messages.exclude(pk=message.pk).delete()
    webhook.last_error = error[:200]
    told = webhook.owner_told_at
    if webhook.switched_off_at or told is None or told <= now - OWNER_TOLD_EVERY:
        webhook.owner_told_at = now
        tell_owner(webhook, now)
    webhook.save(update_fields=["switched_off_at", "last_error", "owner_told_at"])
    return finish_message(message, "failed")


def tell_owner(webhook: Webhook, now: datetime) -> None:
    """Write the mail that says that a message was given up, if the owner gets mail."""
    owner = webhook.owner
    if not gets_mail(owner):
        return
    write_account_notice(
        template_prefix=ACCOUNT_MAIL.template("webhook_failed"),
        address=verified_address(owner),
        reader=owner,
        language=owner.language,
        context={
            "reader": plain(owner),
            "webhook": webhook.url,
            "error": webhook.last_error,
            "is_off": webhook.switched_off_at is not None,
            "url": settings.SITE_URL + reverse("webhooks"),
        },
        group=None,  # limited by OWNER_TOLD_EVERY and MOST_WEBHOOKS
        now=now,
    )
