"""Django's SMTP backend, which also knows whether the server took a mail, and can be hung up."""

import contextlib
import smtplib
import socket
from collections.abc import Callable
from functools import partial
from typing import Any

from django.core.mail.backends import smtp

END_OF_MAIL = b"\r\n.\r\n"


class EmailBackend(smtp.EmailBackend):
    """One connection to an SMTP server.

    `unconfirmed` is true once a whole mail was sent to the server, until the server answers: if
    the connection is lost meanwhile, nobody knows whether the server took the mail. `hung_up` is
    true once `hang_up` was called.
    """

    unconfirmed = False
    hung_up = False
    _socket: socket.socket | None = None

    @property
    def connection_class(self) -> Callable[..., smtplib.SMTP]:  # type: ignore[override]
        """Return what opens a connection that tells this backend what happens on it."""
        return partial(_SMTPS if self.use_ssl else _SMTP, self)

    def keep_socket(self, opened: socket.socket) -> None:
        """Keep a second handle of the connection, which stays valid when TLS begins."""
        self._drop_socket()
        self._socket = opened.dup()

    def hang_up(self) -> None:
        """End the connection from another thread: whoever waits for the server gets an OSError."""
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

    def _drop_socket(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None


class _SMTP(smtplib.SMTP):
    def __init__(self, backend: EmailBackend, *args: Any, **kwargs: Any) -> None:
        self._backend = backend
        smtplib.SMTP.__init__(self, *args, **kwargs)

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        opened: socket.socket = super()._get_socket(host, port, timeout)  # type: ignore[misc]
        self._backend.keep_socket(opened)
        return opened

    def send(self, s: Any) -> None:
        """Send something to the server; a mail's end tells that it has been sent whole."""
        super().send(s)
        if isinstance(s, bytes) and s.endswith(END_OF_MAIL):
            self._backend.unconfirmed = True

    def getreply(self) -> tuple[int, bytes]:
        """Return the server's answer: whatever it is, the mail's fate is known."""
        reply = super().getreply()
        self._backend.unconfirmed = False
        return reply


class _SMTPS(smtplib.SMTP_SSL, _SMTP):
    """TLS from the beginning: wraps the socket that `_SMTP` has kept."""

    def __init__(self, backend: EmailBackend, *args: Any, **kwargs: Any) -> None:
        self._backend = backend
        smtplib.SMTP_SSL.__init__(self, *args, **kwargs)
