"""The signature of a message to a webhook (https://www.standardwebhooks.com, symmetric `v1`)."""

import hmac
from base64 import b64decode, b64encode
from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256

from django.utils.crypto import salted_hmac

from notifications.models.webhook import Webhook

PREFIX = "whsec_"


def secret_of(webhook: Webhook) -> str:
    """Return the secret that a webhook's messages are signed with: `whsec_` and 32 bytes, base64.

    It is derived from SECRET_KEY, so the database alone gives it to nobody.
    """
    key = salted_hmac("notifications.webhooks", webhook.salt, algorithm="sha256").digest()
    return PREFIX + b64encode(key).decode()


def sign(secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    """Return the signature of a message, with its version, as the header carries it."""
    key = b64decode(secret.removeprefix(PREFIX))
    signed = b".".join((message_id.encode(), str(timestamp).encode(), body))
    return "v1," + b64encode(hmac.digest(key, signed, sha256)).decode()


def headers_of(
    webhook: Webhook, message_id: str, body: bytes, *, now: datetime
) -> Mapping[str, str]:
    """Return the headers of a message that is sent now."""
    timestamp = int(now.timestamp())
    return {
        "Content-Type": "application/json",
        "User-Agent": "Pli-Webhooks/1",
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": sign(secret_of(webhook), message_id, timestamp, body),
    }
