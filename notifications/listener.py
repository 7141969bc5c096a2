"""The listener: a small SMTP (or LMTP) server that keeps mail to our reply addresses, no other.

Its "250" means that the mail is committed. Meant to stand behind a mail server that speaks
to the world, or on the loopback of one machine.
"""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from functools import partial
from typing import ParamSpec, TypeVar

from aiosmtpd.smtp import SMTP, Envelope, Session
from django.db import DatabaseError, InterfaceError, close_old_connections

from accounts.server_time import server_now
from notifications.models import IncomingMail
from notifications.services.incoming import receiving

log = logging.getLogger(__name__)

P = ParamSpec("P")
R = TypeVar("R")

UNKNOWN = "550 5.1.1 No such address here"
TOO_LARGE = f"552 5.3.4 More than {receiving.MAX_SIZE} bytes"
TOO_MANY = "450 4.7.1 Too many mails to this address, come again later"
ONE_AT_A_TIME = "452 4.5.3 One recipient at a time"
LATER = "451 4.3.0 Cannot be kept now, come again later"
TAKEN = "250 2.0.0 Kept"

THREADS = 4
"""How many mails can be written to the database at once."""


class InboundHandler:
    """What the listener does with a recipient and with a mail (aiosmtpd's handler)."""

    def __init__(self, clock: Callable[[], datetime] = server_now) -> None:
        self._clock = clock
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="mail")

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Take an address that we gave out, and refuse any other at once."""
        if envelope.rcpt_tos:
            return ONE_AT_A_TIME
        if not await self._in_a_thread(receiving.is_known_recipient, address):
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
            await self._in_a_thread(keep, envelope.original_content or b"")
        except receiving.UnknownRecipient:
            return UNKNOWN
        except receiving.MailTooLarge:
            return TOO_LARGE
        except receiving.TooMany:
            return TOO_MANY
        return TAKEN

    async def handle_exception(self, error: Exception) -> str:
        """Ask the sender to come again, whatever went wrong: no mail may be lost by it."""
        if isinstance(error, DatabaseError | InterfaceError):
            log.warning("no mail can be kept now: %s", error)
        else:
            log.error("a mail could not be kept", exc_info=error)
        return LATER

    async def _in_a_thread(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, partial(_afresh, work, *args, **kwargs))


def _afresh(work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Do the work on a connection that was not broken before."""
    close_old_connections()
    try:
        return work(*args, **kwargs)
    finally:
        close_old_connections()
