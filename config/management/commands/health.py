"""`manage.py health`: whether the service, or the mail listener, works, for container checks."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.health import measure_health
from config.runs import late_tasks
from config.schedule import QUEUES
from config.serve import takes_mail


class Command(BaseCommand):
    help = (
        "Exit with 0 if all is well, else say what is wrong. Without a word this asks what /readyz "
        "does; `listen`: whether the mail listener takes connections; `beat`: whether periodic "
        "tasks run; the name of a queue: whether all of its periodic tasks succeed."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "what", nargs="?", choices=["all", "listen", "beat", *QUEUES], default="all"
        )

    def handle(self, *args: Any, what: str, **options: Any) -> None:
        if what == "listen":
            if not takes_mail({"PLI_LISTEN": settings.LISTEN}):
                raise CommandError(f"Nothing takes mail at {settings.LISTEN}.")
            return
        if what in QUEUES:
            names = dict(QUEUES[what])
            problems = [
                f"{late.name} has not succeeded since {late.since or 'ever'}."
                for late in late_tasks()
                if late.name in names
            ]
        else:
            found = measure_health().problems
            # Without the database nothing is known of the heartbeat.
            wanted = ("database", "heartbeat") if what == "beat" else tuple(found)
            problems = [sentence for name, sentence in found.items() if name in wanted]
        if problems:
            raise CommandError("\n".join(problems))
