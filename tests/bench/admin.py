"""How long the moderators' pages take with 1,000,000 games, as ratios to the same with 1,000.

`make bench-admin` runs it; it brings its own PostgreSQL. The pages are all that a host can open:
`tests.bench.pages` finds them. A page with at most `MOST_RATIO` times the time, and at most
`MOST_QUERIES` questions to the database, passes; the exit status says whether all did.
"""

import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

from tests.servers import postgresql

SMALL = {"games": 1_000, "people": 100}
LARGE = {"games": 1_000_000, "people": 100_000}
MOST_RATIO = 1.5
MOST_QUERIES = 12
ROUNDS = 7
MORE_ROUNDS = 15
"""How often a page is measured again that has missed: what else the machine does may be why."""

CHOICES = 5
"""How many choices are measured of a filter by one field."""

Ask = Callable[[str], int]
"""Gets a page and tells how many questions that asked."""


@dataclass(frozen=True)
class MeasuredSite:
    """A database that is filled, and how to get its pages, and which there are."""

    name: str
    ask: Ask
    pages: Mapping[str, str]

    def timed(self, page: str) -> tuple[float, int]:
        """Return the milliseconds of a page, and its questions."""
        use(self.name)
        began = time.perf_counter()
        asked = self.ask(self.pages[page])
        return (time.perf_counter() - began) * 1000, asked


@dataclass(frozen=True)
class Found:
    """What a page took in the small site and in the large one."""

    small: float
    large: float
    queries: int

    @property
    def ratio(self) -> float:
        """How many times as long the large one took."""
        return self.large / self.small

    @property
    def is_good(self) -> bool:
        """Tell whether the page passes."""
        return self.ratio <= MOST_RATIO and self.queries <= MOST_QUERIES


def measured(
    small: MeasuredSite, large: MeasuredSite, names: Iterable[str], rounds: int = ROUNDS
) -> dict[str, Found]:
    """Return the median time of each page, and how many questions it asks.

    The sites take turns at each page, so that what else the machine does weighs on both alike.
    """
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    asked: dict[str, int] = {}
    for _ in range(rounds + 1):
        for site in (small, large):
            use(site.name)
            site.ask("/admin/")  # that they are here is noted once in a while
        for name, taken in times.items():
            here, fewest = small.timed(name)
            there, most = large.timed(name)
            taken.append((here, there))
            asked[name] = max(fewest, most)
    return {
        name: Found(
            median(here for here, _ in taken[1:]),
            median(there for _, there in taken[1:]),
            asked[name],
        )
        for name, taken in times.items()
    }


_OPEN: dict[str, Any] = {}


def use(database: str) -> None:
    """Ask another database from now on; what was asked before stays open, and warm."""
    from django.db import DEFAULT_DB_ALIAS, connections

    if database not in _OPEN:
        made = connections.create_connection(DEFAULT_DB_ALIAS)
        made.settings_dict = made.settings_dict | {"NAME": database}
        made.force_debug_cursor = True  # it writes down the questions
        _OPEN[database] = made
    connections[DEFAULT_DB_ALIAS] = _OPEN[database]


def leave() -> None:
    """Close all databases that were asked."""
    for made in _OPEN.values():
        made.close()


def build(name: str) -> None:
    """Make a database as the migrated one is."""
    from django.db import connection

    leave()
    use("template1")
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {name} TEMPLATE postgres")
    use(name)


def site(name: str, *, games: int, people: int) -> MeasuredSite:
    """Build and fill a database."""
    from django.db import connection
    from django.test import Client

    from accounts.roles import ADMINISTRATORS
    from tests.bench.bulk_rows import WHO, fill
    from tests.bench.long_game import long_game
    from tests.bench.pages import pages
    from tests.factories import StaffFactory

    build(name)
    began = time.perf_counter()
    judge = StaffFactory(username=WHO, role=ADMINISTRATORS)
    fill(games=games, people=people)
    long_game(judge)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    print(f"{games:,} games filled in {time.perf_counter() - began:.0f} s", flush=True)
    client = Client()
    client.force_login(judge)

    def ask(path: str) -> int:
        connection.queries_log.clear()
        status = client.get(path).status_code
        assert status == 200, f"{path}: {status}"
        return len(connection.queries_log)

    ask("/admin/")
    return MeasuredSite(name, ask, dict(pages(client.get, CHOICES)))


def main() -> int:
    """Measure both, print the table, and return 0 when every page passed."""
    with postgresql() as database:
        os.environ |= {"DATABASE_URL": database, "DJANGO_SETTINGS_MODULE": "config.settings.test"}
        import django

        django.setup()
        import logging

        from django.core.management import call_command

        logging.disable(logging.WARNING)  # that hosts may not open some addresses
        use("postgres")
        call_command("migrate", verbosity=0)
        call_command("createcachetable", verbosity=0)
        small, large = site("small", **SMALL), site("large", **LARGE)
        assert small.pages.keys() == large.pages.keys()
        found = measured(small, large, small.pages)
        missed = [name for name, one in found.items() if not one.is_good]
        found |= measured(small, large, missed, MORE_ROUNDS)
        leave()
    return table(found)


def table(found: Mapping[str, Found]) -> int:
    """Print what was measured; return 1 when a page was too slow or asked too much."""
    wide = max(len(name) for name in found)
    print(f"\n{'page':<{wide}}{'1,000':>10}{'1,000,000':>12}{'ratio':>8}{'queries':>9}")
    for name, one in found.items():
        mark = "" if one.is_good else "  missed"
        times = f"{one.small:>7.1f} ms{one.large:>9.1f} ms{one.ratio:>8.2f}"
        print(f"{name:<{wide}}{times}{one.queries:>9}{mark}")
    missed = sum(not one.is_good for one in found.values())
    print(
        f"\nMost: {max(one.ratio for one in found.values()):.2f} times, "
        f"{max(one.queries for one in found.values())} queries. At most {MOST_RATIO} times and "
        f"{MOST_QUERIES} queries: {missed} of {len(found)} pages missed it."
    )
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
