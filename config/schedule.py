"""What must be looked at again and again, and how often.

The loop without a broker (`manage.py drain`) and Celery's beat both follow this one list.
"""

CHORES: tuple[tuple[str, float], ...] = (
    ("games.tasks.beat_heart", 60),
    ("games.tasks.recount_after_outage", 10),
    ("games.tasks.end_stops", 30),
    ("games.tasks.time_out_games", 10),
    ("games.tasks.send_reminders", 30),
    ("games.tasks.recount_clocks", 5),
    ("games.tasks.expire_tables", 60),
    ("games.tasks.run_programs", 2),
    ("notifications.tasks.make_notices", 2),
    ("notifications.tasks.tell_reporters", 30),
    ("notifications.tasks.send_digests", 30),
    ("notifications.tasks.write_staff_digest", 60),
    ("notifications.tasks.send_notices", 2),
    ("notifications.tasks.process_mails", 2),
    ("notifications.tasks.tidy_mails", 60),
    ("notifications.tasks.poll_mailbox", 60),
)
"""Task names with the seconds between two looks. Each task returns how many things it did."""


def beat_schedule() -> dict[str, dict[str, object]]:
    """Return the chores as Celery's beat wants them.

    A message that nobody took before the next one comes expires: after an hour without a worker
    there is one look to make, not thousands.
    """
    return {
        task: {"task": task, "schedule": seconds, "options": {"expires": seconds}}
        for task, seconds in CHORES
    }
