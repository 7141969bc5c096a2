"""Metrics for Prometheus: counters of every process, and the state of the queues.

Processes of one machine share their counters through files in PROMETHEUS_MULTIPROC_DIR, which
`manage.py serve` sets; a process started without it reports its own counters only. The state of
the queues is read from the database at each request, so every process reports the same.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from django.db import connections
from prometheus_client import (
    REGISTRY,
    CollectorRegistry,
    Histogram,
    generate_latest,
    start_http_server,
)
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from config.health import measure_health
from notifications.listener import parse_socket_address

FOLDER = "PROMETHEUS_MULTIPROC_DIR"

REQUESTS = Histogram(
    "pli_request_seconds", "Requests by view, method and status.", ["view", "method", "status"]
)


class StateCollector(Collector):
    """Reads the ages of the queues at each request of Prometheus.

    `alone` says that each request has a thread of its own, whose database connection is closed.
    """

    def __init__(self, *, alone: bool) -> None:
        self.alone = alone

    def collect(self) -> Iterator[Metric]:
        """Yield a gauge for each measured value; what could not be measured is left out."""
        try:
            measured = measure_health().values
        finally:
            if self.alone:
                connections.close_all()
        for name, value in measured.items():
            if value is not None:
                yield GaugeMetricFamily(f"pli_{name}", name.replace("_", " "), value=value)


class _AllCounters(Collector):
    """Reads the counters of all processes that share a folder, else those of this process."""

    def collect(self) -> Iterator[Metric]:
        folder = os.environ.get(FOLDER)
        if folder:
            yield from MultiProcessCollector(None, path=folder).collect()
        else:
            yield from REGISTRY.collect()


def all_metrics(*, alone: bool = False) -> CollectorRegistry:
    """Return a registry of all metrics; `alone` as for StateCollector."""
    registry = CollectorRegistry()
    registry.register(_AllCounters())
    registry.register(StateCollector(alone=alone))
    return registry


def render_metrics() -> bytes:
    """Return all metrics in Prometheus' text format."""
    return generate_latest(all_metrics())


def listen_for_prometheus(where: str) -> None:
    """Answer /metrics at host:port from a thread of this process; do nothing for "".

    Raises ValueError for an invalid address, OSError where it cannot listen.
    """
    if where:
        at = parse_socket_address(where)
        start_http_server(at.port, at.host, all_metrics(alone=True))


def share_counters(folder: Path) -> None:
    """Have the processes that are started from now on share their counters in a folder.

    A folder that the environment names already is used instead. It is emptied first: old files
    would be counted again.
    """
    folder = Path(os.environ.setdefault(FOLDER, str(folder)))
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for file in folder.glob("*.db"):
        file.unlink()
