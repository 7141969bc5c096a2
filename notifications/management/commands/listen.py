"""`manage.py listen`: mail in, by SMTP or LMTP."""

import asyncio
import signal
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from notifications.connections import Place, listen, place


class Command(BaseCommand):
    help = "Take mail to our reply addresses (SMTP, or LMTP with lmtp://host:port)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("where", nargs="?", default=settings.LISTEN, help="host:port")

    def handle(self, *args: Any, where: str, **options: Any) -> None:
        try:
            asyncio.run(_until_told(place(where)))
        except (ValueError, OSError) as error:
            raise CommandError(str(error)) from error


async def _until_told(where: Place) -> None:
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopping.set)
    await listen(where, stopping)
