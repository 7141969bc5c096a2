"""The schedule with every period cut to a second: `python -m tests.hurried drain` is
`manage.py drain`, and `celery -A tests.hurried beat` is beat."""

import os
import sys

from config import schedule

LONGEST = 1.0
"""Seconds between two runs of any task."""


def hurry():
    """Shorten the periods before anything has read them."""
    schedule.QUEUES = {
        queue: tuple((task, min(seconds, LONGEST)) for task, seconds in tasks)
        for queue, tasks in schedule.QUEUES.items()
    }
    schedule.PERIODIC_TASKS = tuple(task for tasks in schedule.QUEUES.values() for task in tasks)


def celery_app():
    from config.celery import app

    for entry in app.conf.beat_schedule.values():
        entry["schedule"] = min(entry["schedule"], LONGEST)
        entry["options"] = entry["options"] | {"headers": {schedule.PERIOD: entry["schedule"]}}
    return app


if __name__ == "__main__":
    from django.core.management import execute_from_command_line

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.dev")
    hurry()
    execute_from_command_line(["manage.py", *sys.argv[1:]])
else:
    app = celery_app()
