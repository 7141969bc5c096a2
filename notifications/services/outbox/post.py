"""The way to the mail server."""

import contextlib
import smtplib
from types import TracebackType
from typing import Self

from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend

from notifications.services.outbox.verdicts import words


class ServerDown(Exception):
    """The mail server takes no mail at all now."""


class Post:
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
            with contextlib.suppress(OSError):  # it may be broken already
                self._connection.close()

    def send(self, message: EmailMessage) -> None:
        """Send one message. Raises ServerDown where there is no connection, else what it met."""
        if self._connection is None:
            self._connection = self._open()
        self._connection.send_messages([message])

    def _open(self) -> BaseEmailBackend:
        connection: BaseEmailBackend = get_connection()
        try:
            connection.open()
        except (OSError, smtplib.SMTPException) as error:
            raise ServerDown(words(error)) from error
        return connection
