"""How much work Pli's pages are, as ratios to a bare Django project of one file.

`make bench-web` runs it. It brings PostgreSQL and Redis; Pli has the settings of production. Both
sites are on granian with two workers of eight threads, and take turns at each case, so that what
else the machine does weighs on both alike. What is compared is the processor time of a request
(web server and PostgreSQL together), and how many requests a second there are.
"""

import argparse
import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from statistics import median

from tests.bench.web.load import CASES, Answers, Case, chosen, load
from tests.bench.web.sites import HERE, ROOT, Bench, Site, interpreter, missing_programs


def options() -> argparse.Namespace:
    """Return what the command line says."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.web", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=8, help="of each case, site and round")
    parser.add_argument("--cases", default="", help="such as turn,home-1; all without it")
    parser.add_argument("--checkout", type=Path, default=ROOT, help="another Pli to measure")
    parser.add_argument(
        "--profile", metavar="CASE", help="show where the time of turn, home, game or news goes"
    )
    parser.add_argument("--requests", type=int, default=200, help="how many to profile")
    return parser.parse_args()


def measure(
    bench: Bench, sites: Sequence[Site], cases: Sequence[Case], rounds: int, seconds: float
) -> dict[tuple[str, str], list[Answers]]:
    """Return the answers of each case and site, a round after the other."""
    found: dict[tuple[str, str], list[Answers]] = {}
    for case in {case.kind: case for case in cases}.values():
        for site in sites:
            load(bench, site, case, max(4, seconds / 4))  # fills caches; is not counted
    for number in range(rounds):
        for case in cases:
            for site in sites if number % 2 else sites[::-1]:
                answers = load(bench, site, case, seconds)
                found.setdefault((case.name, site.name), []).append(answers)
    return found


def show(case: Case, names: Sequence[str], found: dict[tuple[str, str], list[Answers]]) -> None:
    """Print a line for each of two sites, and the ratios of the second to the first."""
    for name in names:
        rows = found[case.name, name]
        rate, p50, p99, web, database, size = (
            median(getattr(row, field) for row in rows)
            for field in ("rate", "p50", "p99", "web", "database", "size")
        )
        print(
            f"{case.title:34} {name:6} {web:6.2f} + {database:5.2f} ms CPU {rate:8.1f}/s "
            f"p50 {p50:7.2f} p99 {p99:7.2f} ms {size:6.1f} kB  {rows[-1].statuses}"
        )
    first, second = (found[case.name, name] for name in names)
    cpu, rate = ratios(first, second)
    print(f"{'':34} {'ratio':6} {cpu:.2f} by CPU, {rate:.2f} by rate", flush=True)


def ratios(first: Sequence[Answers], second: Sequence[Answers]) -> tuple[float, float]:
    """Return how many times as much the second's requests cost, by CPU and by rate.

    Each is the median of the rounds' ratios: within a round the machine is as busy for both.
    """
    rounds = list(zip(first, second, strict=True))
    cpu = median(other.cpu / one.cpu for one, other in rounds)
    return cpu, median(one.rate / other.rate for one, other in rounds)


def versions(bench: Bench) -> str:
    """Return what all was measured with."""
    return (
        f"Python {platform.python_version()}, Django {version('django')}, PostgreSQL "
        f"{bench.postgresql_version}, granian {version('granian')}, {os.cpu_count()} cores"
    )


def main() -> int:
    """Measure and print the table, or a profile; 1 if something is missing."""
    if missing := missing_programs():
        print(f"Missing: {', '.join(missing)}. On Debian: apt install wrk redis-server")
        return 1
    asked = options()
    checkout = asked.checkout.resolve()
    with Bench() as bench:
        print(versions(bench), flush=True)
        if asked.profile:
            file = bench.seed_pli(checkout)
            profiled = [interpreter(checkout), str(HERE / "profile_pli.py"), asked.profile]
            profiled += [str(file), str(asked.requests)]
            env = bench.environment(checkout, "Pli")
            return subprocess.run(profiled, cwd=checkout, env=env, check=False).returncode
        cases = chosen(asked.cases) if asked.cases else CASES
        sites = [bench.bare(), bench.pli(checkout)]
        found = measure(bench, sites, cases, asked.rounds, asked.seconds)
        for case in cases:
            show(case, [site.name for site in sites], found)
        print(f"medians of {asked.rounds} rounds of {asked.seconds:g} s for each site and case")
    return 0


if __name__ == "__main__":
    sys.exit(main())
