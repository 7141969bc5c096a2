"""The doorbell: tells the workers to look at the database now.

Nothing depends on it: what must happen is a row already, and the regular rounds find it. So a
dead broker must neither fail nor delay anybody: one try without a retry, short time-outs, and
after a failure silence for a while. Nor may many events at once fill the queues: a process sends
one message in MINIMUM_INTERVAL seconds for each bell, the last of them after the last event.
"""

import logging
import threading
import time
from collections.abc import Iterable

from celery import current_app
from django.conf import settings
from django.db import transaction
from kombu import pools

log = logging.getLogger(__name__)

BROKER_BACKOFF = 30.0
"""Seconds without ringing after the broker did not answer."""

BROKER_TIMEOUT = 0.5
"""Seconds that connecting, and then each answer, may take. Workers wait longer: they poll."""

MINIMUM_INTERVAL = 0.5
"""Seconds between two messages of one bell by one process."""

MESSAGE_EXPIRES = 5
"""Seconds after which a message is worth nothing: the regular rounds have come meanwhile."""

_silent_until = 0.0
_rung_at: dict[str, float] = {}
_timers: dict[str, threading.Timer] = {}
_lock = threading.Lock()


def notify_workers(bell: str) -> None:
    """Ring `bell` (a key of settings.BELLS) once the current transaction has committed."""
    if settings.CELERY_BROKER_URL:
        transaction.on_commit(lambda: _send_soon(bell), robust=True)


def reset() -> None:
    """Forget what was rung, what is to be rung, and that the broker did not answer."""
    global _silent_until  # noqa: PLW0603  (one broker, one memory of its silence, a process)
    with _lock:
        for timer in _timers.values():
            timer.cancel()
        _timers.clear()
        _rung_at.clear()
        _silent_until = 0.0


def _send_soon(bell: str) -> None:
    """Ring now, or MINIMUM_INTERVAL seconds after the last time.

    A worker that was woken then may have looked already: the last event has a message after it.
    """
    with _lock:
        if bell in _timers:
            return
        wait = _rung_at.get(bell, -MINIMUM_INTERVAL) + MINIMUM_INTERVAL - time.monotonic()
        if wait > 0:
            _timers[bell] = timer = threading.Timer(wait, _send_late, [bell])
            timer.daemon = True
            timer.start()
            return
        _rung_at[bell] = time.monotonic()
    _send_now(bell)


def _send_late(bell: str) -> None:
    with _lock:
        if _timers.pop(bell, None) is None:
            return
        _rung_at[bell] = time.monotonic()
    _send_now(bell)


def _send_now(bell: str) -> None:
    global _silent_until  # noqa: PLW0603  (one broker, one memory of its silence, a process)
    if time.monotonic() < _silent_until:
        return
    try:
        _send(settings.BELLS[bell])
    except Exception as error:  # whatever a broker's client raises
        _silent_until = time.monotonic() + BROKER_BACKOFF
        log.warning("the broker does not answer, no bells for %s s: %s", BROKER_BACKOFF, error)


def _send(tasks: Iterable[str]) -> None:
    line = current_app.connection_for_write(
        connect_timeout=BROKER_TIMEOUT,
        transport_options={
            "max_retries": 0,
            "socket_connect_timeout": BROKER_TIMEOUT,
            "socket_timeout": BROKER_TIMEOUT,
        },
    )
    with pools.producers[line].acquire(block=True, timeout=BROKER_TIMEOUT) as producer:
        for task in tasks:
            current_app.send_task(
                task, producer=producer, retry=False, expires=MESSAGE_EXPIRES, ignore_result=True
            )
