"""A real SMTP server for the tests: it keeps what it takes, and refuses or hangs when told to."""

import logging
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from email import message_from_bytes, policy

from aiosmtpd.controller import Controller

from tests.servers import free_port

logging.getLogger("mail.log").setLevel(logging.ERROR)


class Sink:
    """What an SMTP server has taken, raw, in order; `refused` maps addresses to its answers."""

    def __init__(self, refused: Mapping[str, str] | None = None, *, mute: bool = False):
        self.refused = dict(refused or {})
        self.mute = mute
        self.raw = []
        self.connections = 0
        self.reached = threading.Event()
        self._closing = threading.Event()

    @property
    def messages(self):
        return [message_from_bytes(raw, policy=policy.default) for raw in self.raw]

    async def handle_EHLO(self, server, session, envelope, hostname, responses):
        self.connections += 1
        session.host_name = hostname
        return responses

    async def handle_RCPT(self, server, session, envelope, address, options):
        if address in self.refused:
            return self.refused[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        self.reached.set()
        if self.mute:
            await server.loop.run_in_executor(None, self._closing.wait)
            return "451 closing"
        self.raw.append(envelope.original_content)
        return "250 Taken"

    def close(self):
        self._closing.set()


@contextmanager
def running(sink: Sink, port: int | None = None) -> Iterator[int]:
    """Let the sink answer at a port of this machine; the value is the port."""
    port = port or free_port()
    controller = Controller(sink, hostname="127.0.0.1", port=port, enable_SMTPUTF8=False)
    controller.start()
    try:
        yield port
    finally:
        sink.close()
        controller.stop()
