"""Requests to addresses that users name: push services of browsers, and webhooks.

Anybody can name any address, so only public addresses of the internet are connected to, no redirect
is followed, and every request has a limit of time.
"""

import socket
import ssl
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from http.client import HTTPConnection, HTTPSConnection
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

STEP_TIMEOUT, TOTAL_TIMEOUT = 5.0, 10.0
"""Seconds that connecting, or waiting for an answer, may take; and all of a request."""

LONGEST_WAIT = timedelta(days=1000)
"""What a server can ask for at most; times of more would leave the calendar."""


class UnsafeAddress(OSError):
    """The name of a server leads to no public address."""


@dataclass(frozen=True)
class Answer:
    """What a server answered: the status, and the header Retry-After."""

    status: int
    retry_after: str

    @property
    def is_taken(self) -> bool:
        """Whether the server took the message."""
        return HTTPStatus.OK <= self.status < HTTPStatus.MULTIPLE_CHOICES

    @property
    def is_gone(self) -> bool:
        """Whether nobody wants messages at this address any more."""
        return self.status == HTTPStatus.GONE

    @property
    def asks_to_wait(self) -> bool:
        """Whether the server gets too much from this site."""
        return self.status == HTTPStatus.TOO_MANY_REQUESTS

    @property
    def is_error_there(self) -> bool:
        """Whether the server has an error of its own, which may pass."""
        return self.status >= HTTPStatus.INTERNAL_SERVER_ERROR

    def asked_wait(self, now: datetime) -> timedelta:
        """Return how long Retry-After asks to wait: seconds or a date (RFC 9110, 10.2.3)."""
        if self.retry_after.isascii() and self.retry_after.isdigit():
            return min(timedelta(seconds=int(self.retry_after[:9])), LONGEST_WAIT)
        with suppress(ValueError, OverflowError):
            date = parsedate_to_datetime(self.retry_after)
            wait = (date if date.tzinfo else date.replace(tzinfo=UTC)) - now
            return min(max(timedelta(), wait), LONGEST_WAIT)
        return timedelta()


def origin_of(url: str) -> str:
    """Return the server of an address: scheme and host, without a slash."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def is_test_server(url: str) -> bool:
    """Return whether an address is at the server of the tests, on this machine."""
    server = settings.PUBLIC_HTTP_TEST_SERVER
    return bool(server) and url.startswith(f"{server}/")


def is_public_url(url: str) -> bool:
    """Return whether messages may be sent to this address: https, a name, the usual port."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return False
    if not (url.isascii() and url.isprintable() and " " not in url):
        return False
    if is_test_server(url):
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
        if not _is_public(address):
            raise UnsafeAddress(f"{host} leads to {address}")
    return texts[0]


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    """Return whether an address is one of the internet.

    Those of IPv6 in which one of IPv4 is hidden (NAT64, 6to4) could lead into the host's network.
    """
    if isinstance(address, IPv6Address) and (
        address.is_reserved or address.is_site_local or address.sixtofour
    ):
        return False
    return address.is_global and not address.is_multicast


@contextmanager
def connection_to(parts: SplitResult) -> Iterator[HTTPConnection]:
    """Yield a connection that is closed after TOTAL_TIMEOUT at the latest. Raises OSError.

    It goes to the very address that was checked: a name may lead elsewhere the next time.
    """
    host, port = parts.hostname or "", parts.port or 443
    is_test = is_test_server(f"{parts.scheme}://{parts.netloc}/")
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


def post(url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    """Send a message; return the answer, of which the body is not read.

    Raises OSError or HTTPException if there is no answer.
    """
    parts = urlsplit(url)
    target = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
    with connection_to(parts) as connection:
        connection.request("POST", target, body, dict(headers))
        response = connection.getresponse()
        return Answer(response.status, response.getheader("Retry-After", ""))
