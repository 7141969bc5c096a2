"""How long the moderators' pages take with 1,000,000 games, as ratios to the same with 1,000.

`make bench-admin` runs it; it brings its own PostgreSQL. A page with at most `MOST_RATIO` times
the time, and at most `MOST_QUERIES` questions to the database, passes; the exit status says
whether all did.
"""

import os
import sys
import time
from collections.abc import Callable, Mapping
from statistics import median

from tests.servers import postgresql

SMALL = {"games": 1_000, "people": 100}
LARGE = {"games": 1_000_000, "people": 100_000}
MOST_RATIO = 1.5
MOST_QUERIES = 12
ROUNDS = 15
WHO = "judge"

_GAMES = "/admin/games/game/"
_PEOPLE = "/admin/accounts/user/"
_REPORTS = "/admin/games/report/"
LISTS: Mapping[str, str] = {
    "games": _GAMES,
    "games, page 20": f"{_GAMES}?p=20",
    "being played": f"{_GAMES}?status__exact=active",
    "finished": f"{_GAMES}?status__exact=finished",
    "Taquet": f"{_GAMES}?rules_slug=taquet",
    "private": f"{_GAMES}?is_public__exact=0",
    "deadline passed": f"{_GAMES}?stalled=late",
    "clock stands long": f"{_GAMES}?stalled=stands",
    "clock stands": f"{_GAMES}?frozen=any",
    "stopped by a moderator": f"{_GAMES}?frozen=moderator",
    "reported": f"{_GAMES}?reported=yes",
    "search: number": f"{_GAMES}?q=%23777",
    "search: player": f"{_GAMES}?q=P77x",
    "search: display name": f"{_GAMES}?q=Player+the+77th",
    "search: who plays most": f"{_GAMES}?q=prolific",
    "search: nobody": f"{_GAMES}?q=nobody",
    "events": "/admin/games/event/",
    "events: begun": "/admin/games/event/?kind__exact=started",
    "events: not noticed": "/admin/games/event/?noticed_at__isempty=1",
    "events: search": "/admin/games/event/?q=777",
    "log": "/admin/games/act/",
    "people": _PEOPLE,
    "people: kept out": f"{_PEOPLE}?sanction=barred",
    "people: silent": f"{_PEOPLE}?sanction=muted",
    "people: warned": f"{_PEOPLE}?sanction=warned",
    "people: staff": f"{_PEOPLE}?who=staff",
    "people: programs": f"{_PEOPLE}?who=programs",
    "people: closed": f"{_PEOPLE}?who=closed",
    "people: search": f"{_PEOPLE}?q=P77",
    "reports": _REPORTS,
    "reports: all": f"{_REPORTS}?state=all",
    "reports: mine": f"{_REPORTS}?state=all&hands=mine",
    "reports: search": f"{_REPORTS}?q=P77",
}

Times = dict[str, tuple[float, int]]
"""Milliseconds and questions of each page."""


Get = Callable[[str], int]
"""Gets a page and tells how many questions that asked."""


def measured(houses: Mapping[str, tuple[Get, Mapping[str, str]]]) -> dict[str, Times]:
    """Return the median time of each page of each house, and how many questions it asks.

    Every round measures all houses, so that what else the machine does weighs on all alike.
    """
    spent: dict[str, dict[str, list[float]]] = {house: {} for house in houses}
    asked: dict[str, dict[str, int]] = {house: {} for house in houses}
    for _ in range(ROUNDS + 1):
        for house, (get, pages) in houses.items():
            use(house)
            get("/admin/")
            for name, path in pages.items():
                began = time.perf_counter()
                asked[house][name] = get(path)
                spent[house].setdefault(name, []).append((time.perf_counter() - began) * 1000)
    return {
        house: {name: (median(times[1:]), asked[house][name]) for name, times in found.items()}
        for house, found in spent.items()
    }


def use(database: str) -> None:
    """Ask another database from now on."""
    from django.db import connection

    connection.close()
    connection.settings_dict["NAME"] = database


def build(house: str) -> None:
    """Make a database as the migrated one is."""
    from django.db import connection

    use("template1")
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {house} TEMPLATE postgres")
    use(house)


def reader() -> Callable[[str], int]:
    """Return what gets a page as a moderator and tells how many questions that asked."""
    from allauth.mfa.models import Authenticator
    from django.contrib.auth.models import Group
    from django.db import connection, reset_queries
    from django.test import Client

    from accounts.models import User
    from accounts.roles import MODERATORS

    judge = User.objects.create_user(WHO, is_staff=True)
    judge.groups.add(Group.objects.get(name=MODERATORS))
    Authenticator.objects.create(user=judge, type=Authenticator.Type.TOTP, data={})
    client = Client()
    client.force_login(judge)
    connection.force_debug_cursor = True

    def get(path: str) -> int:
        reset_queries()
        connection.queries_log.clear()
        status = client.get(path).status_code
        assert status == 200, f"{path}: {status}"
        return len(connection.queries_log)

    get("/admin/")
    return get


def house(name: str, *, games: int, people: int) -> tuple[Get, Mapping[str, str]]:
    """Build and fill a database; return how to get its pages, and which there are."""
    from datetime import timedelta

    from django.utils import timezone

    from games.services.moderation.clocks import pause
    from tests.bench.house import fill
    from tests.factories import ModeratorFactory, PersonFactory
    from tests.games.play import begin, play_all

    build(name)
    began = time.perf_counter()
    fill(games=games, people=people)
    print(f"{games:,} games filled in {time.perf_counter() - began:.0f} s", flush=True)
    now = timezone.now() - timedelta(hours=1)
    ann, bob = PersonFactory(username="ann"), PersonFactory(username="bob")
    game = play_all(begin(ann, bob, now=now), ["1", "4", "2", "5", "9", "8"], now=now)
    host = ModeratorFactory(username="host")
    pause(game_id=game.pk, by=host, why="to measure", now=now)
    page = f"{_GAMES}{game.pk}/change/"
    return reader(), {**LISTS, "a game": page, "a game, turn 3": f"{page}?turn=3"}


def main() -> int:
    """Measure both, print the table, and return 0 when every page passed."""
    with postgresql() as database:
        os.environ |= {"DATABASE_URL": database, "DJANGO_SETTINGS_MODULE": "config.settings.test"}
        import django

        django.setup()
        from django.core.management import call_command
        from django.db import connection

        call_command("migrate", verbosity=0)
        call_command("createcachetable", verbosity=0)
        houses = {"small": house("small", **SMALL), "large": house("large", **LARGE)}
        found = measured(houses)
        connection.close()
    return table(found["small"], found["large"])


def table(small: Times, large: Times) -> int:
    """Print what was measured; return 1 when a page was too slow or asked too much."""
    print(f"\n{'page':<26}{'1,000':>10}{'1,000,000':>12}{'ratio':>8}{'queries':>9}")
    missed = 0
    for name, (milliseconds, _) in small.items():
        more, asked = large[name]
        ratio = more / milliseconds
        good = ratio <= MOST_RATIO and asked <= MOST_QUERIES
        missed += not good
        mark = "" if good else "  missed"
        print(f"{name:<26}{milliseconds:>7.1f} ms{more:>9.1f} ms{ratio:>8.2f}{asked:>9}{mark}")
    print(f"\nAt most {MOST_RATIO} times and {MOST_QUERIES} queries: {missed} pages missed it.")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
