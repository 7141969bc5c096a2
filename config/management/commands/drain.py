"""`manage.py drain`: run periodic tasks without a broker."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from config.processes import stop_on_signals
from config.schedule import QUEUES
from config.startup import check_accounts
from config.worker import note_start, periodic_tasks, run_queues, run_until_idle


class Command(BaseCommand):
    help = "Do what is due (mails, deadlines, bots), each queue in a loop, until stopped."

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
        names = [queue for queue in QUEUES if not only or queue in only]
        queues = [periodic_tasks(queue) for queue in names]
        if once:
            everything = [task for queue in queues for task in queue]
            self.stdout.write(str(run_until_idle(everything, stopping)))
        else:
            note_start(names)
            run_queues(queues, stopping)
