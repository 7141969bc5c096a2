"""The periodic tasks: how often each runs, and in which queue.

`manage.py drain` and Celery's beat both follow this one list. Each queue has its own worker (or
thread of `drain`), so that none waits for another.
"""

from collections.abc import Mapping

Period = tuple[str, float]
"""A task's name with the seconds between two runs."""

DEFAULT_QUEUE = "chores"
PROGRAMS_QUEUE = "programs"

QUEUES: Mapping[str, tuple[Period, ...]] = {
    # Must run within a minute, whatever else is slow.
    "clocks": (
        ("games.tasks.beat_heart", 20),
        ("games.tasks.check_services", 30),
        ("games.tasks.recount_after_outage", 10),
        ("games.tasks.end_stops", 30),
        ("games.tasks.time_out_games", 10),
        ("games.tasks.send_reminders", 30),
        ("games.tasks.recount_clocks", 5),
        ("games.tasks.expire_tables", 60),
    ),
    DEFAULT_QUEUE: (
        ("games.tasks.answer_for_bots", 2),
        ("games.tasks.close_guests", 60),
        ("games.tasks.make_puzzles", 60),
        ("games.tasks.run_leagues", 60),
        ("games.tasks.run_ladders", 60),
        ("games.tasks.pair_wishes", 60),
        ("games.tasks.run_tournaments", 60),
        ("games.tasks.run_clubs", 60),
        ("games.tasks.rate_games", 5),
        ("notifications.tasks.make_notices", 2),
        ("notifications.tasks.tell_reporters", 30),
        ("notifications.tasks.tell_leagues", 60),
        ("notifications.tasks.tell_ladders", 30),
        ("notifications.tasks.tell_tournaments", 60),
        ("notifications.tasks.tell_clubs", 30),
        ("notifications.tasks.write_puzzle_letters", 30),
        ("notifications.tasks.send_digests", 30),
        ("notifications.tasks.write_staff_digest", 60),
        ("notifications.tasks.process_mails", 2),
        ("notifications.tasks.tidy_mails", 60),
        ("notifications.tasks.make_exports", 10),
        ("notifications.tasks.delete_accounts", 60),
        ("accounts.tasks.delete_expired_sessions", 60),
        ("accounts.tasks.delete_old_security_events", 60),
        ("accounts.tasks.delete_old_api_answers", 60),
    ),
    # Waits for a mail server's answers.
    "mail": (
        ("notifications.tasks.send_notices", 2),
        ("notifications.tasks.poll_mailbox", 60),
    ),
    # Waits for push services of browsers and for webhooks, which mails must not wait for.
    "push": (
        ("notifications.tasks.send_pushes", 2),
        ("notifications.tasks.send_webhooks", 2),
    ),
    # Thinks: a turn takes up to a minute of a processor, and has a process of its own.
    PROGRAMS_QUEUE: (
        ("games.tasks.run_programs", 2),
        ("games.tasks.judge_turns", 2),
    ),
}
"""The tasks of each queue. Each task returns how many things it did."""

PERIODIC_TASKS: tuple[Period, ...] = tuple(task for tasks in QUEUES.values() for task in tasks)

MESSAGE_EXPIRES = 600
"""Seconds after which a worker discards beat's messages.

Much longer than any period: one that expires shows that the machines' clocks differ, or that there
are too few workers, and the worker warns of it.
"""

PERIOD = "period"
"""The header of beat's messages that says how often the task runs. Messages that piled up cost
nothing: a worker skips one while the last run is younger than half of that."""


def beat_schedule() -> dict[str, dict[str, object]]:
    """Return the tasks as Celery's beat wants them."""
    return {
        task: {
            "task": task,
            "schedule": seconds,
            "options": {"expires": MESSAGE_EXPIRES, "headers": {PERIOD: seconds}},
        }
        for task, seconds in PERIODIC_TASKS
    }


def routes() -> dict[str, dict[str, str]]:
    """Return the queue of each task, as Celery's `task_routes` wants it."""
    return {task: {"queue": queue} for queue, tasks in QUEUES.items() for task, _ in tasks}


def late_after(task: str) -> float:
    """Return after how many seconds without a successful run a task is late.

    A round of mail may take three minutes (notifications.outbox.delivery), and one of the programs
    two thoughts.
    """
    seconds = dict(PERIODIC_TASKS)[task]
    is_slow = task in dict((*QUEUES["mail"], *QUEUES["push"], *QUEUES[PROGRAMS_QUEUE]))
    least = 300 if is_slow else 60
    return max(least, 3 * seconds)
