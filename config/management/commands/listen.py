"""`manage.py listen`: mail in, by SMTP or LMTP."""

import asyncio
import signal
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.startup import check_accounts
from notifications.listener import SocketAddress, listen, parse_socket_address


class Command(BaseCommand):
    help = "Take mail to our reply addresses (SMTP, or LMTP with lmtp://host:port)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("where", nargs="?", default=settings.LISTEN, help="host:port")

    def handle(self, *args: Any, where: str, **options: Any) -> None:
        check_accounts()
        try:
            asyncio.run(_until_told(parse_socket_address(where)))
        except (ValueError, OSError) as error:
            raise CommandError(str(error)) from error


async def _until_told(where: SocketAddress) -> None:
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopping.set)
    await listen(where, stopping)
