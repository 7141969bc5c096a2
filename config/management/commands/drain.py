"""`manage.py drain`: what must happen later, without a broker."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from config.drain import drain_once, drain_queues, periodic_tasks
from config.processes import stop_on_signals
from config.schedule import QUEUES
from config.startup import check_accounts


class Command(BaseCommand):
    help = "Do what is due (mails, deadlines, programs), each queue in a loop, until stopped."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--once", action="store_true", help="stop when nothing is left to do")
        parser.add_argument(
            "--only",
            action="append",
            choices=list(QUEUES),
            help="leave the other queues to other processes; may be given several times",
        )

    def handle(self, *args: Any, once: bool, only: list[str] | None, **options: Any) -> None:
        check_accounts()
        stopping = stop_on_signals()
        queues = [periodic_tasks(queue) for queue in QUEUES if not only or queue in only]
        if once:
            everything = [chore for queue in queues for chore in queue]
            self.stdout.write(str(drain_once(everything, stopping)))
        else:
            drain_queues(queues, stopping)
