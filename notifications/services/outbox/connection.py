"""The way to the mail server."""

import contextlib
import smtplib
import threading
from collections.abc import Iterator
from types import TracebackType
from typing import Self

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend

from notifications.services.outbox import smtp
from notifications.services.outbox.smtp_errors import describe_error

DJANGOS_SMTP = "django.core.mail.backends.smtp.EmailBackend"
OUR_SMTP = f"{smtp.__name__}.EmailBackend"

MAIL_LASTS = 120.0
"""Seconds that one mail may take, with the connection when it is the first.

EMAIL_TIMEOUT bounds each wait for the server: five commands, or an answer that comes byte by byte,
may take many times as long. With ROUND_TIMEOUT it must stay well below CLAIM_TIMEOUT.
"""


class ServerDown(Exception):
    """The mail server takes no mail at all now."""


class MailConnection:
    """One connection to the mail server for a whole round, opened when first needed."""

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
            with contextlib.suppress(OSError, ServerDown), _bounded(self._connection):
                self._connection.close()

    @property
    def unconfirmed(self) -> bool:
        """Whether the last mail was sent whole to a server that has not answered."""
        return isinstance(self._connection, smtp.EmailBackend) and self._connection.unconfirmed

    def send(self, message: EmailMessage) -> None:
        """Send one message. Raises ServerDown where there is no connection, else what it met."""
        connection = self._connection or _backend()
        with _bounded(connection):
            if self._connection is None:
                _open(connection)
                self._connection = connection
            connection.send_messages([message])


def _backend() -> BaseEmailBackend:
    """Return the backend that the host chose; of Django's for SMTP, our version."""
    ours = OUR_SMTP if settings.EMAIL_BACKEND == DJANGOS_SMTP else None
    backend: BaseEmailBackend = get_connection(ours)
    return backend


def _open(connection: BaseEmailBackend) -> None:
    try:
        connection.open()
    except (OSError, smtplib.SMTPException) as error:
        with contextlib.suppress(OSError):  # it is open in part at most
            connection.close()
        raise ServerDown(describe_error(error)) from error


@contextlib.contextmanager
def _bounded(connection: BaseEmailBackend) -> Iterator[None]:
    """Hang up after MAIL_LASTS. Raises ServerDown then."""
    if not isinstance(connection, smtp.EmailBackend):
        yield
        return
    timer = threading.Timer(MAIL_LASTS, connection.hang_up)
    timer.daemon = True
    timer.start()
    try:
        yield
    except (OSError, ServerDown) as error:
        if connection.hung_up:
            raise ServerDown(f"the mail server took more than {MAIL_LASTS:g} s") from error
        raise
    finally:
        timer.cancel()
