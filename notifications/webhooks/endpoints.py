"""Add, test, renew and remove webhooks."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from accounts.models import User
from accounts.users import lock_user
from games import wakeups
from notifications import errors
from notifications.models import Webhook, WebhookMessage
from notifications.models.webhook import LONGEST_URL, new_salt
from notifications.public_http import is_public_url
from notifications.webhooks.signing import secret_of

MOST_WEBHOOKS = 5
"""How many webhooks an owner can have."""


def accounts_of(owner: User) -> Sequence[User]:
    """Return the accounts whose events an owner's webhooks may be told: with their programs."""
    return [owner, *User.objects.filter(owner=owner, is_active=True).order_by("pk")]


@transaction.atomic
def add_webhook(*, owner: User, username: str, url: str, now: datetime) -> tuple[Webhook, str]:
    """Add a webhook for the events of one of the owner's accounts; return it with its secret.

    Raises GuestsHaveNoWebhooks, NotYourAccount, BadWebhookAddress, WebhookExists, TooManyWebhooks.
    """
    if owner.is_guest:
        raise errors.GuestsHaveNoWebhooks
    lock_user(owner.pk)
    url = url.strip()
    user = next((one for one in accounts_of(owner) if one.username == username), None)
    if user is None:
        raise errors.NotYourAccount
    if len(url) > LONGEST_URL or not is_public_url(url):
        raise errors.BadWebhookAddress
    if Webhook.objects.filter(user=user, url=url).exists():
        raise errors.WebhookExists
    if Webhook.objects.filter(owner=owner).count() >= MOST_WEBHOOKS:
        raise errors.TooManyWebhooks(most=MOST_WEBHOOKS)
    webhook = Webhook.objects.create(user=user, owner=owner, url=url, created_at=now)
    return webhook, secret_of(webhook)


@transaction.atomic
def renew_secret(*, owner: User, webhook_id: int) -> tuple[Webhook, str]:
    """Give a webhook a new secret and return both; the old one ends at once. Raises NoWebhook."""
    webhook = lock_webhook(owner, webhook_id)
    webhook.salt = new_salt()
    webhook.save(update_fields=["salt"])
    return webhook, secret_of(webhook)


@transaction.atomic
def switch_webhook_on(*, owner: User, webhook_id: int) -> None:
    """Send messages again to a webhook that was switched off. Raises NoWebhook."""
    webhook = lock_webhook(owner, webhook_id)
    webhook.switched_off_at = webhook.failing_since = None
    webhook.last_error = ""
    webhook.save(update_fields=["switched_off_at", "failing_since", "last_error"])


@transaction.atomic
def remove_webhook(*, owner: User, webhook_id: int) -> None:
    """Remove a webhook with the messages that wait for it. Raises NoWebhook."""
    lock_webhook(owner, webhook_id).delete()


@transaction.atomic
def send_test_message(*, owner: User, webhook_id: int, now: datetime) -> None:
    """Have a test sent to a webhook. Raises NoWebhook, WebhookIsOff."""
    webhook = lock_webhook(owner, webhook_id)
    if webhook.switched_off_at is not None:
        raise errors.WebhookIsOff
    WebhookMessage.objects.create(webhook=webhook, created_at=now, due_at=now)
    wakeups.notify_workers("pushes")


def lock_webhook(owner: User, webhook_id: int) -> Webhook:
    """Lock the row of one of the owner's webhooks and return it. Raises NoWebhook."""
    found = Webhook.objects.select_for_update(of=("self",)).filter(owner=owner, pk=webhook_id)
    if (webhook := found.first()) is None:
        raise errors.NoWebhook
    return webhook
