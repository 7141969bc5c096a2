"""A real SMTP server for the tests: it keeps what it takes, and refuses or hangs when told to."""

import asyncio
import logging
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from email import message_from_bytes, policy
from typing import Any

from aiosmtpd.controller import Controller

from tests.servers import free_port

logging.getLogger("mail.log").setLevel(logging.ERROR)


class Sink:
    """What an SMTP server has taken, raw, in order; `refused` maps addresses to its answers.

    It thinks for `slow` seconds before it answers a command, calls `on_data` when it has a mail,
    and hangs up then instead of confirming it if it is `unreliable`.
    """

    def __init__(
        self, refused: Mapping[str, str] | None = None, *, mute: bool = False, slow: float = 0
    ):
        self.refused = dict(refused or {})
        self.mute = mute
        self.slow = slow
        self.on_data = None
        self.unreliable = False
        self.raw = []
        self.connections = 0
        self.reached = threading.Event()
        self._closing = threading.Event()

    @property
    def messages(self):
        return [message_from_bytes(raw, policy=policy.default) for raw in self.raw]

    async def handle_EHLO(self, server, session, envelope, hostname, responses):
        self.connections += 1
        await asyncio.sleep(self.slow)
        session.host_name = hostname
        return responses

    async def handle_MAIL(self, server, session, envelope, address, options):
        await asyncio.sleep(self.slow)
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(self, server, session, envelope, address, options):
        await asyncio.sleep(self.slow)
        if address in self.refused:
            return self.refused[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        self.reached.set()
        if self.mute:
            await server.loop.run_in_executor(None, self._closing.wait)
            return "451 closing"
        await asyncio.sleep(self.slow)
        self.raw.append(envelope.original_content)
        if self.on_data:
            await server.loop.run_in_executor(None, self.on_data)
        if self.unreliable:
            server.transport.abort()
        return "250 Taken"

    def close(self):
        self._closing.set()


@contextmanager
def running(sink: Sink, port: int | None = None, **options: Any) -> Iterator[int]:
    """Let the sink answer at a port of this machine; the value is the port.

    `options` are aiosmtpd's for each connection.
    """
    port = port or free_port()
    # Without a name aiosmtpd looks up the machine's for each connection, before it greets: where a
    # name server loses the question, that takes longer than the client waits.
    options = {"server_hostname": "sink", "enable_SMTPUTF8": False, **options}
    controller = Controller(sink, hostname="127.0.0.1", port=port, **options)
    controller.start()
    try:
        yield port
    finally:
        sink.close()
        controller.stop()
