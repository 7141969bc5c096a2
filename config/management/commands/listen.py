"""`manage.py listen`: receive mail by SMTP or LMTP."""

import asyncio
import signal
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.startup import check_accounts
from notifications.listener import listen, parse_socket_address


class Command(BaseCommand):
    help = "Take mail to our reply addresses (SMTP, or LMTP with lmtp://host:port)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("where", nargs="?", default=settings.LISTEN, help="host:port")

    def handle(self, *args: Any, where: str, **options: Any) -> None:
        check_accounts()

        async def listen_until_stopped() -> None:
            stopping, loop = asyncio.Event(), asyncio.get_running_loop()

            def stop(*_: object) -> None:
                # Not by loop.add_signal_handler(): a second signal that comes while the loop closes
                # would write a traceback, or kill this process.
                if not loop.is_closed():
                    loop.call_soon_threadsafe(stopping.set)

            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, stop)
            await listen(parse_socket_address(where), stopping)

        try:
            asyncio.run(listen_until_stopped())
        except (ValueError, OSError) as error:
            raise CommandError(str(error)) from error
