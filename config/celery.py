"""The Celery app. Its tasks only say "look now": what there is to do is in the database."""

import logging
import os
import time
from typing import Any

import django
from celery import Celery, Task, signals
from django.conf import settings

from config.processes import limit_thinking
from config.runs import runs
from config.schedule import PERIOD, PROGRAMS_QUEUE, beat_schedule
from config.startup import load
from config.timeouts import ProcessRole, set_process_role

log = logging.getLogger(__name__)

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.prod")

WARN_EVERY = 60.0
"""Seconds between two warnings about expired messages."""


class RecordedTask(Task):
    """A task of the schedule: its runs are recorded, also when it is called on the spot."""

    abstract = True

    def __call__(self, *args: Any, **kwargs: Any) -> int:
        """Run, unless the last run ended here less than half a period ago.

        That happens to messages of beat's that have piled up.
        """
        period = 0.0 if self.request.called_directly else self.request.get(PERIOD) or 0.0
        if runs.seconds_since(self.name) < period / 2:
            return 0
        return runs.run(self.name, lambda: self.run(*args, **kwargs))


# Connected before the app is made, and so before Celery's own set-up of Django.
@signals.import_modules.connect(weak=False)
def set_up_django(**signal: Any) -> None:
    """Set Django up in a worker or beat, and end the process if it may not start."""
    load(django.setup)


app = Celery("pli", task_cls=RecordedTask)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.beat_schedule = beat_schedule()
app.autodiscover_tasks()


@signals.celeryd_init.connect
@signals.beat_init.connect
def limit_database(**more: Any) -> None:
    """Give beat, and the workers that are forked after this, the limits of periodic tasks."""
    set_process_role(ProcessRole.CHORES)


@signals.celeryd_init.connect
def leave_taken_messages(**more: Any) -> None:
    """Keep a worker from returning or acknowledging messages over a connection that it has lost.

    kombu tries to, and the worker ends with an AttributeError. No message is missed: each says only
    "look now", and beat says it again.
    """
    # Imported here: other processes need no transport.
    from kombu.transport.redis import Channel, QoS

    acknowledge = QoS.ack

    def acknowledge_if_connected(qos: QoS, delivery_tag: str) -> None:
        if qos.channel.connection is not None:
            acknowledge(qos, delivery_tag)

    Channel.do_restore = False
    QoS.ack = acknowledge_if_connected  # type: ignore[method-assign]


@signals.worker_ready.connect
def answer_prometheus(**more: Any) -> None:
    """Serve the counters of this worker and its children at PLI_METRICS_LISTEN."""
    # Imported here: this module is loaded before the models are.
    from config.metrics import listen_for_prometheus

    listen_for_prometheus(settings.METRICS_LISTEN)


@signals.worker_ready.connect
def note_worker_start(sender: Any, **more: Any) -> None:
    """Record the start of a worker of the clocks, before it takes a task."""
    from config import worker

    worker.note_start(sender.app.amqp.queues.consume_from)


@signals.worker_ready.connect
def limit_programs(sender: Any, **more: Any) -> None:
    """Let a worker that only thinks for programs run after all others, with little memory."""
    if set(sender.app.amqp.queues.consume_from) == {PROGRAMS_QUEUE}:
        limit_thinking()


@signals.worker_shutting_down.connect
def stop_thinking(**more: Any) -> None:
    """Let programs give back what they think about: it would take longer than a worker has."""
    # Imported here, as above.
    from games.services import thinking

    thinking.stopping.set()


_warned_at: dict[str, float] = {}


@signals.task_revoked.connect
def warn_of_expired(sender: Task, request: Any, *, expired: bool, **more: Any) -> None:
    """Warn, once in WARN_EVERY for each task, that beat's messages expire before they are taken."""
    age = time.monotonic() - _warned_at.get(sender.name, -WARN_EVERY)
    if not expired or not request.get(PERIOD) or age < WARN_EVERY:
        return
    _warned_at[sender.name] = time.monotonic()
    log.warning(
        "%s expired before a worker took it: start more workers, or set the machines' clocks",
        sender.name,
    )
