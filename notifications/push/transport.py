"""Encrypt a push message and hand it to the push service of a browser.

RFC 8030 (the request), RFC 8291 (encryption), RFC 8292 (VAPID: who sends it). The address of the
push service comes from a browser, so anybody can name one: only public addresses of the internet
are connected to, no redirect is followed, and every request has a limit of time.
"""

import socket
import ssl
import threading
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import parseaddr
from http import HTTPStatus
from http.client import HTTPConnection, HTTPSConnection
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from py_vapid import Vapid02

from notifications.models.push import PushSubscription

KEY_SIZE, SECRET_SIZE = 32, 16
"""Bytes of a private key, and of the secret that a browser shares with us."""

MAX_PAYLOAD = 3993
"""Bytes of a message before it is encrypted: 4096 afterwards (RFC 8291, section 4)."""

STEP_TIMEOUT, TOTAL_TIMEOUT = 5.0, 10.0
"""Seconds that connecting, or waiting for an answer, may take; and all of a request."""

TOKEN_LIFETIME = timedelta(hours=12)
"""At most a day is allowed (RFC 8292, section 2)."""

KEPT = timedelta(days=1)
"""How long the push service keeps a message for a browser that is not running."""


class UnsafeAddress(OSError):
    """The name of a push service leads to no public address."""


@dataclass(frozen=True)
class Answer:
    """What a push service answered: the status, and the header Retry-After."""

    status: int
    retry_after: str

    @property
    def is_taken(self) -> bool:
        """Whether the message will be delivered."""
        return HTTPStatus.OK <= self.status < HTTPStatus.MULTIPLE_CHOICES

    @property
    def is_gone(self) -> bool:
        """Whether the browser has ended its subscription."""
        return self.status in (HTTPStatus.NOT_FOUND, HTTPStatus.GONE)

    @property
    def asks_to_wait(self) -> bool:
        """Whether the service gets too much from this site."""
        return self.status == HTTPStatus.TOO_MANY_REQUESTS

    @property
    def is_error_there(self) -> bool:
        """Whether the service has an error of its own, which may pass."""
        return self.status >= HTTPStatus.INTERNAL_SERVER_ERROR


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


# The address -------------------------------------------------------------------------------------


def is_test_service(endpoint: str) -> bool:
    """Return whether an address is that of the push service of the tests, on this machine."""
    service = settings.PUSH_TEST_SERVICE
    return bool(service) and endpoint.startswith(f"{service}/")


def is_endpoint(endpoint: str) -> bool:
    """Return whether this may be the address of a push service: https, a name, the usual port."""
    try:
        parts = urlsplit(endpoint)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return False
    if not (endpoint.isascii() and endpoint.isprintable() and " " not in endpoint):
        return False
    if is_test_service(endpoint):
        return True
    is_name = "." in host and ":" not in host and host.rpartition(".")[2].isalnum()
    is_plain = parts.scheme == "https" and port in (None, 443) and "@" not in parts.netloc
    return is_plain and is_name and not host.rpartition(".")[2].isdigit() and not parts.fragment


def public_address(host: str, port: int) -> str:
    """Return an address of a host, all of whose addresses are public. Raises OSError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    texts = [str(entry[4][0]) for entry in found]
    for text in texts:
        address = ip_address(text.partition("%")[0])
        if not address.is_global or address.is_multicast:
            raise UnsafeAddress(f"{host} leads to {address}")
    return texts[0]


@contextmanager
def connection_to(parts: SplitResult) -> Iterator[HTTPConnection]:
    """Yield a connection that is closed after TOTAL_TIMEOUT at the latest. Raises OSError.

    It goes to the very address that was checked: a name may lead elsewhere the next time.
    """
    host, port = parts.hostname or "", parts.port or 443
    is_test = is_test_service(f"{parts.scheme}://{parts.netloc}/")
    address = host if is_test else public_address(host, port)
    connected = socket.create_connection((address, port), timeout=STEP_TIMEOUT)
    connection: HTTPConnection = HTTPConnection(host, port)
    if parts.scheme == "https":
        context = ssl.create_default_context()
        connected = context.wrap_socket(connected, server_hostname=host)
        connection = HTTPSConnection(host, port, context=context)
    connection.sock = connected
    # An answer that comes byte by byte would never reach STEP_TIMEOUT.
    limit = threading.Timer(TOTAL_TIMEOUT, shut_down, [connected])
    limit.start()
    try:
        yield connection
    finally:
        limit.cancel()
        connection.close()


def shut_down(connected: socket.socket) -> None:
    """End a connection, also while another thread waits for an answer on it."""
    with suppress(OSError):
        connected.shutdown(socket.SHUT_RDWR)


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
    target = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
    with connection_to(parts) as connection:
        connection.request("POST", target, encrypt_push(payload, subscription), headers)
        response = connection.getresponse()
        return Answer(response.status, response.getheader("Retry-After", ""))
