"""`manage.py drain`: run periodic tasks without a broker."""

import threading
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import connections

from config import background
from config.processes import (
    STOP_TIMEOUT,
    ForkedProcess,
    limit_thinking,
    stop_on_signals,
)
from config.schedule import PROGRAMS_QUEUE, QUEUES
from config.startup import check_accounts
from config.worker import note_start, periodic_tasks, run_queues, run_until_idle, threads_of


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
        if once:
            everything = [task for queue in names for task in periodic_tasks(queue)]
            self.stdout.write(str(run_until_idle(everything, stopping)))
            return
        note_start(names)
        if names == [PROGRAMS_QUEUE]:
            limit_thinking()
            run_queues(threads_of(names), stopping)
        elif PROGRAMS_QUEUE in names:
            self.run_beside_programs([one for one in names if one != PROGRAMS_QUEUE], stopping)
        else:
            run_queues(threads_of(names), stopping)

    def run_beside_programs(self, names: list[str], stopping: threading.Event) -> None:
        """Run these queues here, and the programs in a process of their own."""
        connections.close_all()  # before the fork
        programs = ForkedProcess(lambda: background.think(None))
        try:
            run_queues(threads_of(names), stopping)
        finally:
            programs.terminate()
            programs.wait(STOP_TIMEOUT)
