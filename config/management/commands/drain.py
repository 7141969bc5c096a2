"""`manage.py drain`: what must happen later, without a broker."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from config.drain import chores, drain_forever, drain_once
from config.processes import stop_on_signals


class Command(BaseCommand):
    help = "Do what is due (mails, deadlines, programs) in one loop, until stopped."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--once", action="store_true", help="stop when nothing is left to do")

    def handle(self, *args: Any, once: bool, **options: Any) -> None:
        stopping = stop_on_signals()
        if once:
            self.stdout.write(str(drain_once(chores(), stopping)))
        else:
            drain_forever(chores(), stopping)
