"""The doorbell: tells the workers to look at the database now.

Nothing depends on it: what must happen is a row already, and the regular rounds find it. So a
dead broker must neither fail nor delay anybody: one try without a retry, short time-outs, and
after a failure silence for a while.
"""

import logging
import time
from collections.abc import Iterable

from celery import current_app
from django.conf import settings
from django.db import transaction
from kombu import pools

log = logging.getLogger(__name__)

SILENCE = 30.0
"""Seconds without ringing after the broker did not answer."""

PATIENCE = 0.5
"""Seconds that connecting, and then each answer, may take. Workers wait longer: they poll."""

_silent_until = 0.0


def ring(bell: str) -> None:
    """Ring `bell` (a key of settings.BELLS) once the current transaction has committed."""
    if settings.CELERY_BROKER_URL:
        transaction.on_commit(lambda: _ring_now(bell), robust=True)


def _ring_now(bell: str) -> None:
    global _silent_until  # noqa: PLW0603  (one broker, one memory of its silence, a process)
    if time.monotonic() < _silent_until:
        return
    try:
        _send(settings.BELLS[bell])
    except Exception as error:  # whatever a broker's client raises
        _silent_until = time.monotonic() + SILENCE
        log.warning("the broker does not answer, no bells for %s s: %s", SILENCE, error)


def _send(tasks: Iterable[str]) -> None:
    line = current_app.connection_for_write(
        connect_timeout=PATIENCE,
        transport_options={
            "max_retries": 0,
            "socket_connect_timeout": PATIENCE,
            "socket_timeout": PATIENCE,
        },
    )
    with pools.producers[line].acquire(block=True, timeout=PATIENCE) as producer:
        for task in tasks:
            current_app.send_task(
                task, producer=producer, retry=False, expires=60, ignore_result=True
            )
