"""Wake the workers, so that they look at the database now.

Nothing depends on it: what must happen is a row already, and the periodic tasks find it. So a
dead broker must neither raise nor delay: there is one try without a retry, with short time-outs,
and after a failure no further try for a while. Nor may many events at once fill the queues: a
process sends one message per wake-up in MINIMUM_INTERVAL seconds, the last one after the last
event. The processes of one `manage.py serve` need no broker: a pipe tells its worker
(config.local_wakeups).
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable

from celery import current_app
from django.conf import settings
from django.db import transaction
from kombu import pools

log = logging.getLogger(__name__)

BROKER_BACKOFF = 30.0
"""Seconds without a message after the broker did not answer."""

BROKER_TIMEOUT = 0.25
"""Seconds for connecting, and then for each answer: both together must not delay a click.

Workers wait longer: they poll."""

MINIMUM_INTERVAL = 0.5
"""Seconds between two messages of one wake-up by one process."""

MESSAGE_EXPIRES = 5
"""Seconds after which a message is useless: the periodic tasks have run meanwhile."""

_no_message_before = 0.0
_sent_at: dict[str, float] = {}
_timers: dict[str, threading.Timer] = {}
_lock = threading.Lock()
_tell: Callable[[str], None] | None = None


def tell_worker_by(tell: Callable[[str], None] | None) -> None:
    """Call this from now on to tell the worker of a wake-up, instead of a broker; None: do not."""
    global _tell  # noqa: PLW0603  (each process has one worker to tell)
    _tell = tell


def notify_workers(wakeup: str) -> None:
    """Send `wakeup` (a key of settings.WAKEUP_TASKS) once the current transaction has committed."""
    if settings.CELERY_BROKER_URL or _tell:
        transaction.on_commit(lambda: _send_soon(wakeup), robust=True)


def reset() -> None:
    """Forget what was sent, what is to be sent, and that the broker did not answer."""
    global _no_message_before  # noqa: PLW0603  (each process has one broker)
    with _lock:
        for timer in _timers.values():
            timer.cancel()
        _timers.clear()
        _sent_at.clear()
        _no_message_before = 0.0


def _send_soon(wakeup: str) -> None:
    """Send now, or MINIMUM_INTERVAL seconds after the last time.

    A worker that was woken then may have looked already: the last event has a message after it.
    """
    with _lock:
        if wakeup in _timers:
            return
        wait = _sent_at.get(wakeup, -MINIMUM_INTERVAL) + MINIMUM_INTERVAL - time.monotonic()
        if wait > 0:
            _timers[wakeup] = timer = threading.Timer(wait, _send_late, [wakeup])
            timer.daemon = True
            timer.start()
            return
        _sent_at[wakeup] = time.monotonic()
    _send_now(wakeup)


def _send_late(wakeup: str) -> None:
    with _lock:
        if _timers.pop(wakeup, None) is None:
            return
        _sent_at[wakeup] = time.monotonic()
    _send_now(wakeup)


def _send_now(wakeup: str) -> None:
    global _no_message_before  # noqa: PLW0603  (each process has one broker)
    if _tell:
        _tell(wakeup)
        return
    if time.monotonic() < _no_message_before:
        return
    try:
        _send(settings.WAKEUP_TASKS[wakeup])
    except Exception as error:  # whatever a broker's client raises
        _no_message_before = time.monotonic() + BROKER_BACKOFF
        log.warning("the broker does not answer, no wake-ups for %s s: %s", BROKER_BACKOFF, error)


def _send(tasks: Iterable[str]) -> None:
    connection = current_app.connection_for_write(
        connect_timeout=BROKER_TIMEOUT,
        transport_options={
            "max_retries": 0,
            "socket_connect_timeout": BROKER_TIMEOUT,
            "socket_timeout": BROKER_TIMEOUT,
        },
    )
    with pools.producers[connection].acquire(block=True, timeout=BROKER_TIMEOUT) as producer:
        for task in tasks:
            current_app.send_task(
                task, producer=producer, retry=False, expires=MESSAGE_EXPIRES, ignore_result=True
            )
