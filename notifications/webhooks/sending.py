"""Send the messages to webhooks that are due (`notifications.http_queue`).

One that is sent twice has the same `webhook-id` both times. A message that is given up is told to
the webhook's owner; `GET /api/v1/me/turns` says in any case what is to be done.
"""

import json
import logging
from datetime import UTC, datetime, timedelta
from http.client import HTTPException

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse

from accounts.models import User
from games.models import Event
from games.queries.seats import player_at
from notifications.emails.formatting import plain
from notifications.http_queue import HttpQueue, is_still_true, notice_of
from notifications.kinds.account.kind import KIND as ACCOUNT_MAIL
from notifications.kinds.game_mail import skip_unless_their_turn
from notifications.kinds.registry import Kind
from notifications.models import Webhook, WebhookMessage
from notifications.models.webhook import WEBHOOK_CLAIM_TIMEOUT
from notifications.public_http import Answer, post
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

RETRY_SECONDS = (5, 60, 300, 1200, 3600, 2 * 3600, 4 * 3600, 6 * 3600, 10 * 3600)
"""How long a message waits after the first failure, the second, and so on: a day in all."""

GIVEN_UP_AFTER = timedelta(days=1)
"""How old a message gets at most."""

SWITCHED_OFF_AFTER = timedelta(hours=23)
"""A webhook that took nothing for so long is switched off with the first message that is given up,
which was tried for 23 hours and 26 minutes."""

OWNER_TOLD_EVERY = timedelta(days=1)
"""An owner is not told more often than this that messages to a webhook were given up."""


class WebhookQueue(HttpQueue[WebhookMessage]):
    """The messages to webhooks that wait to be sent."""

    round_timeout = 15.0  # push messages use the same queue of Celery
    server_pause = timedelta(seconds=30)
    claim_timeout = WEBHOOK_CLAIM_TIMEOUT
    most_lost = 3
    address = "webhook__url"

    def waiting(self) -> QuerySet[WebhookMessage]:
        """Return all messages."""
        return WebhookMessage.objects.select_related(
            "webhook__user", "webhook__owner", "event__game"
        )

    def due(self, now: datetime) -> QuerySet[WebhookMessage]:
        """Return the messages that are due."""
        return WebhookMessage.objects.due(now).select_related("webhook")

    def address_of(self, message: WebhookMessage) -> str:
        """Return the address that a message is sent to."""
        return message.webhook.url

    def deliver(self, message: WebhookMessage, now: datetime) -> tuple[bool, bool]:
        """Send a claimed message if it is still wanted."""
        webhook = message.webhook
        if not is_still_wanted(message, now):
            return self.finish(message, "dropped"), True
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
            return self.finish(message, "sent"), True
        error = f"HTTP {answer.status}"
        if answer.is_gone:
            return abandon_message(message, error, now, switch_off=True), True
        return retry_message(message, error, now, answer), not answer.asks_to_wait

    def try_after_error(self, message: WebhookMessage, now: datetime) -> bool:
        """Try later; return whether the message is given up instead."""
        return retry_message(message, "error of this site", now)

    def count(self, message: WebhookMessage, outcome: str) -> None:
        """Count what became of a message."""
        count_webhook(message, outcome)


QUEUE = WebhookQueue()


def send_webhooks(*, now: datetime) -> int:
    """Send the messages that are due; return how many are done."""
    return QUEUE.send_due(now)


def is_still_wanted(message: WebhookMessage, now: datetime) -> bool:
    """Return whether a message still says something true to somebody who may use the site.

    Raises TurnUndone.
    """
    user, event = message.webhook.user, message.event
    for person in {user, message.webhook.owner}:
        if not person.is_active or person.is_barred(now):
            return False
    if message.kind == Kind.REMINDER:  # of this game, where a mail may tell of several
        return skip_unless_their_turn(notice_of(message, user)) is None
    return event is None or is_still_true(message, user)


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

    A webhook that took nothing for a day is switched off, with all that waits for it, if this
    message was tried all that time.
    """
    webhook = Webhook.objects.select_for_update(of=("self",)).get(pk=message.webhook_id)
    since, long_ago = webhook.failing_since, now - SWITCHED_OFF_AFTER
    if switch_off or (since is not None and max(since, message.created_at) <= long_ago):
        webhook.switched_off_at = now
        webhook.messages.exclude(pk=message.pk).delete()
    webhook.last_error = error[:200]
    told = webhook.owner_told_at
    if webhook.switched_off_at or told is None or told <= now - OWNER_TOLD_EVERY:
        webhook.owner_told_at = now
        tell_owner(webhook, now)
    webhook.save(update_fields=["switched_off_at", "last_error", "owner_told_at"])
    return QUEUE.finish(message, "failed")


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
