"""The connection to the mail server, and what its errors mean.

Django's SMTP backend is extended: it knows whether the server confirmed a mail, and another thread
can close it.
"""

import contextlib
import re
import smtplib
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from types import TracebackType
from typing import Any, Literal, Self

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends import smtp
from django.core.mail.backends.base import BaseEmailBackend
from django.core.mail.message import sanitize_address

from notifications.emails.base import InlineImageEmail
from notifications.emails.wire import wire_bytes
from notifications.mail_parser.refusals import is_no_such_address
from notifications.tokens import redact_tokens

MAIL_TIMEOUT = 120.0
"""Seconds that one mail may take, with opening the connection when it is the first.

EMAIL_TIMEOUT bounds each wait for the server: five commands, or an answer that comes byte by byte,
may take many times as long. With ROUND_TIMEOUT it must stay well below CLAIM_TIMEOUT.
"""

DJANGOS_SMTP = "django.core.mail.backends.smtp.EmailBackend"
_PLAIN_ADDRESS = re.compile(
    r"[A-Za-z0-9_+-]+(\.[A-Za-z0-9_+-]+)*@[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*"
)
END_OF_MAIL = b"\r\n.\r\n"


class ServerDown(Exception):
    """The mail server takes no mail at all now."""


class MailConnection:
    """One connection to the mail server for many mails, opened when first needed."""

    def __init__(self) -> None:
        self._connection: BaseEmailBackend | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._connection is not None:
            # It may be broken already.
            with contextlib.suppress(OSError, ServerDown), time_limit(self._connection):
                self._connection.close()

    @property
    def unconfirmed(self) -> bool:
        """Whether the last mail was sent completely to a server that has not answered."""
        return isinstance(self._connection, EmailBackend) and self._connection.unconfirmed

    def send(self, message: EmailMessage) -> None:
        """Send one message. Raises ServerDown without a connection, else the error that it met."""
        connection = self._connection
        if connection is None:
            # The backend of the settings; for Django's SMTP backend, ours.
            is_smtp = settings.EMAIL_BACKEND == DJANGOS_SMTP
            connection = get_connection(f"{__name__}.EmailBackend" if is_smtp else None)
        with time_limit(connection):
            if self._connection is None:
                try:
                    connection.open()
                except (OSError, smtplib.SMTPException) as error:
                    with contextlib.suppress(OSError):  # it is open in part at most
                        connection.close()
                    raise ServerDown(describe_error(error)) from error
                self._connection = connection
            connection.send_messages([message])


@contextlib.contextmanager
def time_limit(connection: BaseEmailBackend) -> Iterator[None]:
    """Close the connection after MAIL_TIMEOUT and raise ServerDown then."""
    if not isinstance(connection, EmailBackend):
        yield
        return
    timer = threading.Timer(MAIL_TIMEOUT, connection.hang_up)
    timer.daemon = True
    timer.start()
    try:
        yield
    except (OSError, ServerDown) as error:
        if connection.hung_up:
            raise ServerDown(f"the mail server took more than {MAIL_TIMEOUT:g} s") from error
        raise
    finally:
        timer.cancel()


class EmailBackend(smtp.EmailBackend):
    """One connection to an SMTP server.

    `unconfirmed` is true from when a mail was sent completely until the server answers: if the
    connection is lost meanwhile, nobody knows whether the server took the mail. `hung_up` is true
    once `hang_up` was called.
    """

    unconfirmed = False
    hung_up = False
    _socket: socket.socket | None = None

    @property
    def connection_class(self) -> Callable[..., smtplib.SMTP]:  # type: ignore[override]
        """Return what opens a connection that reports to this backend."""
        return partial(ReportingSMTPS if self.use_ssl else ReportingSMTP, self)

    def keep_socket(self, opened: socket.socket) -> None:
        """Keep a second handle of the connection, which stays valid when TLS begins."""
        self._drop_socket()
        self._socket = opened.dup()

    def hang_up(self) -> None:
        """End the connection from another thread: a call that waits for it gets an OSError."""
        self.hung_up = True
        if self._socket is not None:
            with contextlib.suppress(OSError):  # it has ended already
                self._socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Close the connection to the server."""
        try:
            super().close()
        finally:
            self._drop_socket()

    def _send(self, email_message: EmailMessage) -> bool:
        """Send a mail; ours are put together by `wire_bytes`. Returns whether it has a reader."""
        if not isinstance(email_message, InlineImageEmail) or self.fail_silently:
            return bool(super()._send(email_message))  # type: ignore[misc]
        readers = [envelope_address(address) for address in email_message.recipients()]
        if readers:
            assert self.connection is not None  # noqa: S101  (it is open when this is called)
            sender = envelope_address(email_message.from_email)
            self.connection.sendmail(sender, readers, wire_bytes(email_message))
        return bool(readers)

    def _drop_socket(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None


def envelope_address(address: str) -> str:
    """Return an address as the envelope has it. Raises ValueError for none."""
    # Parsing takes longer than sending: an address as almost all are is that already.
    if _PLAIN_ADDRESS.fullmatch(address):
        return address
    return str(sanitize_address(address, settings.DEFAULT_CHARSET))


class ReportingSMTP(smtplib.SMTP):
    """Tells its backend of the socket, and whether a mail was confirmed."""

    def __init__(self, backend: EmailBackend, *args: Any, **kwargs: Any) -> None:
        self._backend = backend
        smtplib.SMTP.__init__(self, *args, **kwargs)

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        opened: socket.socket = super()._get_socket(host, port, timeout)  # type: ignore[misc]
        self._backend.keep_socket(opened)
        return opened

    def send(self, s: Any) -> None:
        """Send something; after the end of a mail the backend waits for confirmation."""
        super().send(s)
        if isinstance(s, bytes) and s.endswith(END_OF_MAIL):
            self._backend.unconfirmed = True

    def getreply(self) -> tuple[int, bytes]:
        """Return the server's answer: whatever it is, the result is known."""
        reply = super().getreply()
        self._backend.unconfirmed = False
        return reply


class ReportingSMTPS(smtplib.SMTP_SSL, ReportingSMTP):
    """With TLS from the beginning: wraps the socket that `ReportingSMTP` has kept."""

    def __init__(self, backend: EmailBackend, *args: Any, **kwargs: Any) -> None:
        self._backend = backend
        smtplib.SMTP_SSL.__init__(self, *args, **kwargs)


# What an error means ---------------------------------------------------------------------------

LONGEST_REASON = 500
"""Characters of an error that are kept."""

REFUSED, CLOSING = 500, 421

Meaning = Literal["refused", "later", "server", "ours"]
"""refused: for good; later: this mail, another time; server: no mail at all for a while; ours: the
server said nothing, the error is our own."""


@dataclass(frozen=True)
class ErrorClass:
    """What to do after an error, and the reason to show to administrators.

    `no_such_address`: the address takes no mail, whatever is sent there.
    """

    meaning: Meaning
    reason: str
    no_such_address: bool = False


def classify_error(error: Exception) -> ErrorClass:
    """Return what an error while sending means. Only the mail server's own refusal is final."""
    reason = describe_error(error)
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        code, _ = first_refusal(error)
        is_gone = code >= REFUSED and is_no_such_address(reason)
        return ErrorClass(meaning_of(code), reason, is_gone)
    if isinstance(error, smtplib.SMTPSenderRefused):
        # Our own address: an administrator must correct that, and no mail may be lost meanwhile.
        return ErrorClass("later", reason)
    if isinstance(error, smtplib.SMTPHeloError):
        return ErrorClass("server", reason)  # it refuses us, not this mail
    if isinstance(error, smtplib.SMTPResponseException):
        return ErrorClass(meaning_of(error.smtp_code), reason)
    if isinstance(error, smtplib.SMTPNotSupportedError):
        return ErrorClass("ours", reason)  # we asked for what this server has never offered
    return ErrorClass("server" if isinstance(error, OSError) else "ours", reason)


def meaning_of(code: int) -> Meaning:
    """Return what an SMTP reply code means for a mail."""
    if code == CLOSING:
        return "server"
    return "refused" if code >= REFUSED else "later"


def first_refusal(error: smtplib.SMTPRecipientsRefused) -> tuple[int, bytes | str]:
    """Return code and text of the first refusal: our mails have one recipient each."""
    return next(iter(error.recipients.values()), (REFUSED, b""))


def describe_error(error: Exception) -> str:
    """Return an error as text for the admin: what the server said, if it said something."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        code, text = first_refusal(error)
    elif isinstance(error, smtplib.SMTPResponseException):
        code, text = error.smtp_code, error.smtp_error
    else:
        return redact_tokens(f"{type(error).__name__}: {error}")[:LONGEST_REASON]
    if isinstance(text, bytes):
        text = text.decode("utf-8", "replace")
    return redact_tokens(f"{code} {text}")[:LONGEST_REASON]
