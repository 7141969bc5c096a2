"""The listener: a small SMTP (or LMTP) server that keeps mail to our reply addresses, no other.

Its "250" means that the mail is committed. It is meant to run behind a mail server that faces the
world, or on the loopback of one machine.
"""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple, ParamSpec, TypeVar

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session
from django.db import DatabaseError, InterfaceError, close_old_connections

from accounts.server_time import server_now
from notifications.incoming import receiving
from notifications.models import IncomingMail

log = logging.getLogger(__name__)

P = ParamSpec("P")
R = TypeVar("R")

UNKNOWN = "550 5.1.1 No such address here"
UNANSWERABLE = "553 5.6.7 No answer can be sent to an address with such letters before the @"
TOO_LARGE = f"552 5.3.4 More than {receiving.MAX_SIZE} bytes"
TOO_MANY = "450 4.7.1 Too many mails to this address, come again later"
ONE_AT_A_TIME = "452 4.5.3 One recipient at a time"
LATER = "451 4.3.0 Cannot be kept now, come again later"
TAKEN = "250 2.0.0 Kept"
BUSY = b"421 4.7.0 Too many connections, come again later\r\n"

THREADS = 4
"""Mails that are written to the database at once."""

MOST_CONNECTIONS = 30
"""Connections at a time; each may hold a mail of MAX_SIZE in memory. Postfix opens 20."""

IDLE = 60.0
"""Seconds between two commands, and for a whole mail."""

LONGEST = 600.0
"""Seconds after which a connection is closed."""

MOST_COMMANDS = 200
"""How often a connection may give the same command."""


class SocketAddress(NamedTuple):
    """Where the listener listens, and whether it speaks LMTP."""

    host: str
    port: int
    lmtp: bool = False


def parse_socket_address(text: str) -> SocketAddress:
    """Parse "host:port" or "lmtp://host:port". Raises ValueError."""
    scheme, found, rest = text.rpartition("://")
    host, _, port = rest.rpartition(":")
    if not host or not port.isdigit() or (found and scheme not in ("smtp", "lmtp")):
        raise ValueError(f"not an address to listen at: {text!r} (host:port or lmtp://host:port)")
    return SocketAddress(host.strip("[]"), int(port), scheme == "lmtp")


class InboundHandler:
    """What the listener does with a recipient and with a mail (aiosmtpd's handler)."""

    def __init__(self, clock: Callable[[], datetime] = server_now) -> None:
        self._clock = clock
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="mail")

    async def handle_MAIL(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Refuse a sender to whom we cannot write (`accounts.addresses`): their server tells them.

        A domain may have any letters (RFC 6531).
        """
        local, _, domain = address.rpartition("@")
        if not local.isascii() or not is_utf8(domain):
            return UNANSWERABLE
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 2.1.0 OK"

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Accept an address that we gave out, and refuse any other at once."""
        if envelope.rcpt_tos:
            return ONE_AT_A_TIME
        if not is_utf8(address) or not await self._in_thread(receiving.is_known_recipient, address):
            return UNKNOWN
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        """Keep the mail; answer only once that is committed."""
        keep = partial(
            receiving.receive,
            recipient=envelope.rcpt_tos[0],
            envelope_from=(envelope.mail_from or "").strip("<>"),
            door=IncomingMail.Door.SMTP,
            now=self._clock(),
        )
        try:
            await self._in_thread(keep, envelope.original_content or b"")
        except receiving.UnknownRecipient:
            return UNKNOWN
        except receiving.MailTooLarge:
            return TOO_LARGE
        except receiving.TooMany:
            return TOO_MANY
        return TAKEN

    async def handle_exception(self, error: Exception) -> str:
        """Ask the sender to come again, whatever went wrong: no mail may be lost."""
        if isinstance(error, DatabaseError | InterfaceError):
            log.warning("no mail can be kept now: %s", error)
        else:
            log.error("a mail could not be kept", exc_info=error)
        return LATER

    async def _in_thread(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        def with_fresh_connection() -> R:
            close_old_connections()
            try:
                return work(*args, **kwargs)
            finally:
                close_old_connections()

        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, with_fresh_connection)


def is_utf8(text: str) -> bool:
    """Tell whether a command was UTF-8: aiosmtpd decodes anything else to lone surrogates."""
    return not any("\udc80" <= letter <= "\udcff" for letter in text)


class Connections:
    """Makes the protocol of each connection and counts them."""

    def __init__(
        self, handler: InboundHandler, *, lmtp: bool = False, most: int = MOST_CONNECTIONS
    ) -> None:
        self._handler = handler
        self._kind: type[_Limited] = _Lmtp if lmtp else _Smtp
        self.most = most
        self.open: set[SMTP] = set()

    def __call__(self) -> SMTP:
        """Return the protocol of a new connection."""
        return self._kind(
            self._handler,
            connections=self,
            data_size_limit=receiving.MAX_SIZE,
            enable_SMTPUTF8=True,
            hostname="pli",
            ident="Pli",
            timeout=IDLE,
            command_call_limit=MOST_COMMANDS,
            loop=asyncio.get_running_loop(),
        )


class _Limited(SMTP):
    """An SMTP connection that counts itself and ends after a while."""

    line_length_limit = 65_536
    """Many mail programs write longer lines than they should; no turn is lost by that."""

    def __init__(
        self, handler: InboundHandler, *, connections: Connections, **options: Any
    ) -> None:
        super().__init__(handler, **options)
        self._connections = connections
        self._end: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin, or refuse when there are too many."""
        super().connection_made(transport)
        if len(self._connections.open) >= self._connections.most:
            log.warning("too many connections: %s", len(self._connections.open))
            if isinstance(transport, asyncio.WriteTransport):
                transport.write(BUSY)
            transport.close()
            return
        self._connections.open.add(self)
        self._end = self.loop.call_later(LONGEST, transport.close)

    def connection_lost(self, error: Exception | None) -> None:
        """Forget the connection."""
        self._connections.open.discard(self)
        if self._end is not None:
            self._end.cancel()
        super().connection_lost(error)


class _Smtp(_Limited):
    pass


class _Lmtp(_Limited, LMTP):
    pass


async def listen(where: SocketAddress, stopping: asyncio.Event) -> None:
    """Listen until told to stop. A mail that was on its way then has no answer: it comes again."""
    connections = Connections(InboundHandler(), lmtp=where.lmtp)
    loop = asyncio.get_running_loop()
    server = await loop.create_server(connections, where.host, where.port)
    async with server:
        await stopping.wait()
