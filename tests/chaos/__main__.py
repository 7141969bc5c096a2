"""`python -m tests.chaos [--minutes 30] [--seed 1]`: break everything, then check the history."""

import argparse
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from tests.chaos.service import cluster
from tests.journeys.processes import until

QUIET = 900.0
"""Seconds until nothing waits any more: a killed worker's claim expires after ten minutes."""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=25)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--players", type=int, default=12)
    parser.add_argument("--copies", type=int, default=2, help="how many of each process")
    parser.add_argument("--pause", type=float, default=12, help="longest pause between faults")
    parser.add_argument("--hurry", action="store_true", help="let a killed worker's claims expire")
    chosen = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        cluster(Path(folder) / "service", copies=chosen.copies) as service,
    ):
        service.start()
        return run(service, chosen)


def run(service, chosen):
    """Let the crowd play while parts fail, wait until it is quiet, and check; 0: all is well."""
    from django.db import connections

    from tests.chaos.faults import Faults
    from tests.chaos.history import DeadlineWatch, History, is_quiet, waiting
    from tests.chaos.players import Crowd

    began = time.time()
    crowd = Crowd(service, chosen.seed, chosen.players)
    watch = DeadlineWatch(service.postgres.url)
    faults = Faults(service, chosen.seed)
    crowd.run()
    faults.run(began + chosen.minutes * 60, pause=(chosen.pause / 3, chosen.pause))
    crowd.stop()
    connections.close_all()  # PostgreSQL has been stopped meanwhile
    until(
        partial(is_quiet, hurry=chosen.hurry),
        "nothing waits any more",
        timeout=QUIET,
        every=1.0,
        told=lambda: f"{waiting()}\n{service.processes.words()}",
    )
    worst = watch.stop()
    history = History(crowd.journal, service.sink, worst).check().finish(began)
    for _, _, what in faults.done:
        history.figures["faults"] += 1
        history.figures[f"fault: {what.split()[0]}"] += 1
    print(history.report(), flush=True)
    if history.faults:
        print(service.processes.words(), flush=True)
    return 1 if history.faults else 0


if __name__ == "__main__":
    sys.exit(main())
