"""A push service on this machine (RFC 8030), and browsers that read what is sent to them."""

import base64
import json
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import http_ece
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


def decoded(text: str) -> bytes:
    """Return the bytes of base64url without padding."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def encoded(content: bytes) -> str:
    """Return bytes as base64url without padding."""
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


class Browser:
    """A browser's half of a subscription: its keys, and the address that it was given."""

    def __init__(self, origin: str = "https://push.example.org") -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.secret = secrets.token_bytes(16)
        self.endpoint = f"{origin}/browsers/{secrets.token_urlsafe(12)}"

    @property
    def subscription(self) -> dict[str, str]:
        """What the browser tells the site."""
        public = self.key.public_key()
        point = public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        keys = {"p256dh": encoded(point), "auth": encoded(self.secret)}
        return {"endpoint": self.endpoint, **keys}

    def read(self, encrypted: bytes) -> dict[str, str]:
        """Return a message that was sent to this browser."""
        said = http_ece.decrypt(
            encrypted, private_key=self.key, auth_secret=self.secret, version="aes128gcm"
        )
        message: dict[str, str] = json.loads(said)
        return message


@dataclass
class Request:
    """What the push service was asked."""

    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class PushService:
    """What came in, oldest first; `answers` are given to the next requests, then 201."""

    origin: str = ""
    requests: list[Request] = field(default_factory=list)
    answers: list[tuple[int, dict[str, str]]] = field(default_factory=list)

    def take(self, request: Request) -> tuple[int, dict[str, str]]:
        self.requests.append(request)
        return self.answers.pop(0) if self.answers else (201, {})

    def read(self, browser: Browser) -> list[dict[str, str]]:
        """Return the messages to a browser, oldest first."""
        path = browser.endpoint.removeprefix(self.origin)
        return [browser.read(one.body) for one in self.requests if one.path == path]


def verified_claims(authorization: str, public_key: str) -> dict[str, object]:
    """Return what a VAPID header claims, signed with ES256 by this key (RFC 8292, RFC 7515)."""
    scheme, _, parameters = authorization.partition(" ")
    assert scheme == "vapid"
    given = dict(part.strip().split("=", 1) for part in parameters.split(","))
    assert given["k"] == public_key
    header, claims, signature = given["t"].split(".")
    assert json.loads(decoded(header)) == {"typ": "JWT", "alg": "ES256"}
    halves = decoded(signature)
    r, s = int.from_bytes(halves[:32]), int.from_bytes(halves[32:])
    point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(public_key))
    signed = f"{header}.{claims}".encode()
    point.verify(encode_dss_signature(r, s), signed, ec.ECDSA(hashes.SHA256()))
    found: dict[str, object] = json.loads(decoded(claims))
    return found


@contextmanager
def running() -> Iterator[PushService]:
    """Run a push service."""
    service = PushService()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            status, headers = service.take(Request(self.path, dict(self.headers), body))
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        service.origin = f"http://127.0.0.1:{server.server_address[1]}"
        threading.Thread(target=server.serve_forever, args=[0.02], daemon=True).start()
        try:
            yield service
        finally:
            server.shutdown()


@contextmanager
def dripping() -> Iterator[str]:
    """Run a server that answers one byte at a time, without end; the value is its origin."""
    is_over = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.wfile.write(b"HTTP/1.1 201 ")
            with suppress(OSError):
                while not is_over.wait(0.05):
                    self.wfile.write(b"x")

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=[0.02], daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            is_over.set()
            server.shutdown()
