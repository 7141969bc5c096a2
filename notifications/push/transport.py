"""Encrypt a push message and hand it to the push service of a browser.

RFC 8030 (the request), RFC 8291 (encryption), RFC 8292 (VAPID: who sends it).
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from datetime import datetime, timedelta
from email.utils import parseaddr
from urllib.parse import SplitResult, urlsplit

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from py_vapid import Vapid02

from notifications.models.push import PushSubscription
from notifications.public_http import Answer, post

KEY_SIZE, SECRET_SIZE = 32, 16
"""Bytes of a private key, and of the secret that a browser shares with us."""

MAX_PAYLOAD = 3993
"""Bytes of a message before it is encrypted: 4096 afterwards (RFC 8291, section 4)."""

TOKEN_LIFETIME = timedelta(hours=12)
"""At most a day is allowed (RFC 8292, section 2)."""

KEPT = timedelta(days=1)
"""How long the push service keeps a message for a browser that is not running."""


# Keys --------------------------------------------------------------------------------------------


def decode_key(text: str) -> bytes:
    """Return the bytes of base64url with or without padding. Raises ValueError."""
    try:
        return urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
    except (Base64Error, UnicodeEncodeError) as error:
        raise ValueError("not base64url") from error


def encode_key(key: bytes) -> str:
    """Return bytes as base64url without padding."""
    return urlsafe_b64encode(key).rstrip(b"=").decode()


def private_key_of(text: str) -> ec.EllipticCurvePrivateKey:
    """Return the key that PLI_PUSH_KEY holds: 32 bytes as base64url. Raises ValueError."""
    key = decode_key(text)
    if len(key) != KEY_SIZE:
        raise ValueError("not 32 bytes")
    return ec.derive_private_key(int.from_bytes(key), ec.SECP256R1())


def public_key() -> str:
    """Return the key by which browsers know this site, as base64url."""
    public = private_key_of(settings.PUSH_KEY).public_key()
    return encode_key(public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


# The request -------------------------------------------------------------------------------------


def encrypt_push(payload: bytes, subscription: PushSubscription) -> bytes:
    """Return a message that only this browser can read (aes128gcm)."""
    encrypted: bytes = http_ece.encrypt(
        payload,
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=decode_key(subscription.p256dh),
        auth_secret=decode_key(subscription.auth),
        version="aes128gcm",
    )
    return encrypted


def authorization(parts: SplitResult, now: datetime) -> str:
    """Return the header that says who sends the message, and how to reach them."""
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int((now + TOKEN_LIFETIME).timestamp()),
        "sub": f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}",
    }
    # Not strict: `make run` writes from games@localhost.
    vapid = Vapid02(private_key_of(settings.PUSH_KEY), {"no-strict": True})
    header: str = vapid.sign(claims)["Authorization"]
    return header


def send(subscription: PushSubscription, payload: bytes, *, topic: str, now: datetime) -> Answer:
    """Send a message to a browser's push service; return its answer.

    `topic` (32 characters of base64url at most) replaces what still waits there under the same.
    Raises OSError or HTTPException if there is no answer.
    """
    parts = urlsplit(subscription.endpoint)
    headers = {
        "Authorization": authorization(parts, now),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(int(KEPT.total_seconds())),
        "Topic": topic,
        "Urgency": "normal",
    }
    return post(subscription.endpoint, encrypt_push(payload, subscription), headers)
