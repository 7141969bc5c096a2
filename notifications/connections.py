"""The listener's connections: how many, how long, and in which dialect."""

import asyncio
import logging
from typing import Any, NamedTuple

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP

from notifications.listener import InboundHandler
from notifications.services.incoming.receiving import MAX_SIZE

log = logging.getLogger(__name__)

MOST = 100
"""Connections at a time."""

IDLE = 60.0
"""Seconds between two commands, and for a whole mail."""

LONGEST = 600.0
"""Seconds that a connection lasts."""

COMMANDS = 200
"""How often a connection may give the same command."""

BUSY = b"421 4.7.0 Too many connections, come again later\r\n"


class SocketAddress(NamedTuple):
    """Where the listener listens, and whether it speaks LMTP."""

    host: str
    port: int
    lmtp: bool = False


def parse_socket_address(words: str) -> SocketAddress:
    """Read "host:port" or "lmtp://host:port". Raises ValueError."""
    scheme, found, rest = words.rpartition("://")
    host, _, port = rest.rpartition(":")
    if not host or not port.isdigit() or (found and scheme not in ("smtp", "lmtp")):
        raise ValueError(f"not an address to listen at: {words!r} (host:port or lmtp://host:port)")
    return SocketAddress(host.strip("[]"), int(port), scheme == "lmtp")


class Connections:
    """Makes the protocol of each connection and counts them."""

    def __init__(self, door: InboundHandler, *, lmtp: bool = False, most: int = MOST) -> None:
        self._door = door
        self._kind: type[_Limited] = _Lmtp if lmtp else _Smtp
        self.most = most
        self.open: set[SMTP] = set()

    def __call__(self) -> SMTP:
        """Return the protocol of a new connection."""
        return self._kind(
            self._door,
            connections=self,
            data_size_limit=MAX_SIZE,
            hostname="pli",
            ident="Pli",
            timeout=IDLE,
            command_call_limit=COMMANDS,
            loop=asyncio.get_running_loop(),
        )


class _Limited(SMTP):
    """An SMTP connection that is one of so many and ends after a while."""

    line_length_limit = 65_536
    """Many mail programs write longer lines than they should; that loses nobody's turn."""

    def __init__(self, handler: InboundHandler, *, connections: Connections, **how: Any) -> None:
        super().__init__(handler, **how)
        self._connections = connections
        self._end: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin, or refuse when there are too many."""
        super().connection_made(transport)
        if len(self._connections.open) >= self._connections.most:
            log.warning("too many connections: %s", len(self._connections.open))
            _refuse(transport)
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


def _refuse(transport: asyncio.BaseTransport) -> None:
    if isinstance(transport, asyncio.WriteTransport):
        transport.write(BUSY)
    transport.close()


async def listen(
    where: SocketAddress, stopping: asyncio.Event, *, door: InboundHandler | None = None
) -> None:
    """Listen until told to stop. A mail that was on its way then has no answer: it comes again."""
    connections = Connections(door or InboundHandler(), lmtp=where.lmtp)
    loop = asyncio.get_running_loop()
    server = await loop.create_server(connections, where.host, where.port)
    async with server:
        await stopping.wait()
